/** The documents for layers. */

import { getResourceKind } from '../../catalog/kinds/any-resource.ts';
import { interpolationMethods } from '../../catalog/kinds/layer.ts';
import type { AuthorityUrl, LayerIdentifier } from '../../catalog/kinds/layer-metadata.ts';
import { resourceKinds } from '../../catalog/kinds/resource-kinds.ts';
import type { LayerDescription } from '../../catalog/layers/layers.ts';
import { formatQualifiedName, type ListedLayer, visitorAccess } from '../../catalog/layers/list-layers.ts';
import type { NamedStyle } from '../../catalog/layers/named-style.ts';
import { type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import { createTreeMapField } from '../../http/documents/tree-map-field.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import { choiceField } from '../resources/fields.ts';
import { getResourcePath } from '../resources/representation.ts';
import { legendField } from '../styles/fields.ts';
import { getStylePath, styleDocument } from '../styles/representation.ts';
import { attributionField, pairsField, pathField } from './fields.ts';
import { buildLayerPage, type LayerPageView } from './page.ts';
import { formatStyleName, styleField, stylesField } from './style-fields.ts';

const { serverText, text, flag, reference, timestamp } = createFieldBuilders<LayerDescription>();

/** The document of a layer; `unsetPath` is shown if no path is set. */
export function createLayerDocument(unsetPath: '/' | 'left out') {
  return defineDocument(
    'layer',
    {
      name: text(({ layer }: LayerDescription) => layer.name, { description: 'Name of the resource.' }),
      type: serverText(({ resource }) => getResourceKind(resource).layerType),
      path: pathField<LayerDescription>(unsetPath, ({ layer }) => layer.path),
      defaultStyle: styleField<LayerDescription>((view) => view.defaultStyle),
      styles: stylesField<LayerDescription>((view) => view.styles),
      resource: reference((view) => ({
        name: `${view.workspace.name}:${view.resource.name}`,
        path: getResourcePath(view),
        attributes: { class: view.resource.kind },
      })),
      legend: legendField<LayerDescription>(({ layer }) => layer.legend ?? null),
      // Written only for disabled layers.
      enabled: flag(({ layer }) => (layer.enabled ? undefined : false)),
      advertised: flag(({ layer }) => (layer.advertised === false ? false : undefined)),
      queryable: flag(({ layer }) => layer.queryable, { example: true }),
      opaque: flag(({ layer }) => layer.opaque),
      metadata: createTreeMapField<LayerDescription>(({ layer }) => layer.metadata ?? {}, {
        description: 'Metadata by key: text or elements.',
      }),
      attribution: attributionField<LayerDescription>(({ layer }) => layer.attribution),
      authorityURLs: pairsField<LayerDescription, AuthorityUrl>(
        'AuthorityURL',
        ['name', 'href'],
        ({ layer }) => layer.authorityURLs ?? [],
      ),
      identifiers: pairsField<LayerDescription, LayerIdentifier>(
        'Identifier',
        ['authority', 'identifier'],
        ({ layer }) => layer.identifiers ?? [],
      ),
      defaultWMSInterpolationMethod: choiceField(
        interpolationMethods,
        ({ layer }: LayerDescription) => layer.defaultWMSInterpolationMethod,
      ),
      dateCreated: timestamp(({ layer }) => layer.createdAtMs),
      dateModified: timestamp(({ layer }) =>
        layer.modifiedAtMs === layer.createdAtMs ? undefined : layer.modifiedAtMs,
      ),
    },
    { title: ({ layer }) => `Layer ${layer.name}` },
  );
}

/** The document of a layer; its page also shows a map and the extent. */
export function createLayerPage(oneLayer: ReturnType<typeof createLayerDocument>): DocumentWriter<LayerPageView> {
  return {
    root: oneLayer.root,
    schema: oneLayer.schema,
    write(view) {
      const written = oneLayer.write(view);
      return { ...written, page: { writeContent: (context) => buildLayerPage(written.node, view, context) } };
    },
  };
}

/** With `details`, each entry also has what a table of layers shows. */
const layerDetails = {
  properties: {
    title: { type: 'string', description: 'With details=true, like the following members.' },
    type: { type: 'string', enum: [...new Set(resourceKinds.map(({ layerType }) => layerType))] },
    workspace: { type: 'string' },
    store: { type: 'string' },
    defaultStyle: { type: 'string', description: 'Absent for data that cannot be drawn.' },
    enabled: { type: 'boolean', description: 'Whether the layer, its resource and its store are enabled.' },
    access: {
      type: 'string',
      enum: visitorAccess,
      description:
        'What the rules permit to users without credentials: all of the layer (public), the part that data rules permit (limited; only for administrators of the workspace, otherwise public), a refusal that requires credentials (restricted), or the answer for an unknown layer (hidden).',
    },
  },
  write: ({ workspace, details }: ListedLayer): readonly OutputMember[] => {
    if (details === undefined) return [];
    const { title, type, store, defaultStyle, enabled, access } = details;
    const style = defaultStyle === null ? null : formatStyleName(defaultStyle);
    return Object.entries({ title, type, workspace, store, defaultStyle: style, enabled, access }).flatMap(
      ([name, value]) => (value === null ? [] : [{ name, node: { kind: 'value', value } }]),
    );
  },
} as const;

/** Outside a workspace, names include the workspace. */
export const layerListing = createListWriter<ListedLayer>('layers', {
  itemName: 'layer',
  title: 'Layers',
  name: formatQualifiedName,
  searchText: (layer) => `${formatQualifiedName(layer)}\n${layer.title ?? ''}`,
  details: layerDetails,
  path: (layer) => ['layers', formatQualifiedName(layer)],
});

export const workspaceLayerListing = createListWriter<ListedLayer>('layers', {
  itemName: 'layer',
  title: 'Layers',
  name: ({ name }) => name,
  searchText: ({ name, title = '' }) => `${name}\n${title}`,
  details: layerDetails,
  path: ({ name, workspace }) => ['workspaces', workspace, 'layers', name],
});

/** The alternative styles of a layer. */
export const layerStyleListing = createListWriter<NamedStyle>('styles', {
  schemaName: 'LayerStyles',
  itemName: 'style',
  title: 'Layer styles',
  name: formatStyleName,
  path: ({ name, workspace }) => getStylePath(name, workspace),
});

const choice = createFieldBuilders<NamedStyle>();

/** An existing style to add to a layer: only its name and workspace are read. */
export const chosenStyleDocument = defineDocument(
  'style',
  {
    name: choice.text(({ name }) => name, { required: true, description: 'An existing style.' }),
    workspace: choice.reference(({ workspace }) =>
      workspace === null ? undefined : { name: workspace, path: ['workspaces', workspace] },
    ),
  },
  { title: ({ name }) => `Style ${name}`, partOf: styleDocument, schemaName: 'StyleChoice' },
);
