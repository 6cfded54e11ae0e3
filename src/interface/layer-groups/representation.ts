/** The documents for layer groups. */

import { layerGroupModes } from '../../catalog/kinds/layer-group.ts';
import type { AuthorityUrl, LayerIdentifier } from '../../catalog/kinds/layer-metadata.ts';
import type { LayerGroupDraft } from '../../catalog/layer-groups/change-layer-group.ts';
import type { LayerGroupView, ListedLayerGroup } from '../../catalog/layer-groups/layer-groups.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import { type DocumentReader, type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import type { FieldValues } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { createTreeMapField } from '../../http/documents/tree-map-field.ts';
import { attributionField, pairsField } from '../layers/fields.ts';
import { styleField } from '../layers/style-fields.ts';
import { type CrsRepresentation, choiceField, linksField, wordsField } from '../resources/fields.ts';
import { internationalField } from '../resources/text-fields.ts';
import { groupBoundsField, groupStylesField, layersField, publishablesField } from './fields.ts';
import { layerGroupStylesField } from './group-styles-field.ts';
import { buildLayerGroupPage } from './page.ts';
import { getLayerGroupPath, getPartPath } from './paths.ts';

/** A group with the resolved CRS of its box. */
export interface LayerGroupRepresentation extends LayerGroupView {
  readonly boundsCrs: CrsRepresentation | undefined;
}

export async function toLayerGroupRepresentation(view: LayerGroupView): Promise<LayerGroupRepresentation> {
  const code = view.group.bounds?.crs;
  const known = code === undefined ? undefined : await findCrs(code);
  return { ...view, boundsCrs: code === undefined ? undefined : { text: code, kind: known?.kind ?? 'other' } };
}

const { text, flag, reference, timestamp } = createFieldBuilders<LayerGroupRepresentation>();
const attribution = attributionField<LayerGroupRepresentation>(({ group }) => group.attribution ?? undefined);

/** Not in the example, because most groups have none. */
function createRootSchema(description: string): JsonSchema {
  return { type: 'object', description, properties: { name: { type: 'string' }, workspace: { type: 'string' } } };
}

const fields = {
  name: text(({ group }) => group.name, {
    required: true,
    description: 'Must be unique among the global layer groups, or among the layers and groups of the workspace.',
    example: 'base',
  }),
  mode: choiceField(layerGroupModes, ({ group }: LayerGroupRepresentation) => group.mode),
  // Written only if it differs from the default.
  queryDisabled: flag(({ group }) => (group.queryDisabled ? true : undefined)),
  title: text(({ group }) => group.title ?? undefined),
  abstractTxt: text(({ group }) => group.abstract ?? undefined),
  enabled: flag(({ group }) => (group.enabled ? undefined : false)),
  advertised: flag(({ group }) => (group.advertised ? undefined : false)),
  workspace: reference(({ workspace }) =>
    workspace === null ? undefined : { name: workspace.name, path: ['workspaces', workspace.name] },
  ),
  rootLayer: {
    ...reference(({ root }) =>
      root === null ? undefined : { name: `${root.workspace}:${root.name}`, path: getPartPath(root) },
    ),
    schema: createRootSchema('Layer that represents the whole group in the mode EO.'),
  },
  rootLayerStyle: {
    ...styleField<LayerGroupRepresentation>(({ root }) => root?.style ?? null),
    schema: createRootSchema('Style of that layer.'),
  },
  publishables: publishablesField<LayerGroupRepresentation>(({ parts }) => parts),
  layers: layersField<LayerGroupRepresentation>(),
  styles: groupStylesField<LayerGroupRepresentation>(({ parts }) => parts),
  metadataLinks: linksField('metadataLink', ({ group }: LayerGroupRepresentation) => group.metadataLinks),
  bounds: groupBoundsField<LayerGroupRepresentation>(({ group, boundsCrs }) => ({
    bounds: group.bounds,
    crs: boundsCrs,
  })),
  metadata: createTreeMapField<LayerGroupRepresentation>(({ group }) => group.metadata, {
    description: 'Metadata by key: text or elements.',
  }),
  attribution: {
    ...attribution,
    write: (shown: LayerGroupRepresentation) =>
      shown.group.attribution === null ? undefined : attribution.write?.(shown),
  },
  authorityURLs: pairsField<LayerGroupRepresentation, AuthorityUrl>(
    'AuthorityURL',
    ['name', 'href'],
    ({ group }) => group.authorityURLs,
  ),
  identifiers: pairsField<LayerGroupRepresentation, LayerIdentifier>(
    'Identifier',
    ['authority', 'identifier'],
    ({ group }) => group.identifiers,
  ),
  keywords: wordsField(({ group }: LayerGroupRepresentation) => group.keywords),
  dateCreated: timestamp(({ group }) => group.createdAtMs),
  dateModified: timestamp(({ group }) => (group.modifiedAtMs === group.createdAtMs ? undefined : group.modifiedAtMs)),
  internationalTitle: internationalField(({ group }: LayerGroupRepresentation) => group.internationalTitle),
  internationalAbstract: internationalField(({ group }: LayerGroupRepresentation) => group.internationalAbstract),
  layerGroupStyles: layerGroupStylesField<LayerGroupRepresentation>(({ groupStyles }) => groupStyles),
};

const groupDocument = defineDocument('layerGroup', fields, { title: ({ group }) => `Layer group ${group.name}` });

/** Parses a group document into a catalog record. */
export const layerGroupInput: DocumentReader<LayerGroupDraft> = {
  root: groupDocument.root,
  schema: groupDocument.schema,
  ...(groupDocument.maxBytes === undefined ? {} : { maxBytes: groupDocument.maxBytes }),
  read: (body, purpose, unknown) => toCatalogDraft(groupDocument.read(body, purpose, unknown)),
};

/** The document of a group; its page also shows the extent. */
export const layerGroupPage: DocumentWriter<LayerGroupRepresentation> = {
  root: groupDocument.root,
  schema: groupDocument.schema,
  write(shown) {
    const written = groupDocument.write(shown);
    return { ...written, page: { writeContent: (context) => buildLayerGroupPage(written.node, shown, context) } };
  },
};

export const layerGroupListing = createListWriter<ListedLayerGroup>('layerGroups', {
  itemName: 'layerGroup',
  title: 'Layer groups',
  name: ({ name }) => name,
  path: ({ name, workspace }) => getLayerGroupPath(name, workspace),
});

function toCatalogDraft(read: FieldValues<typeof fields>): LayerGroupDraft {
  const { publishables, layers, abstractTxt, layerGroupStyles: groupStyles, ...draft } = read;
  const parts = publishables === undefined ? layers : publishables;
  return {
    ...draft,
    ...(parts === undefined ? {} : { parts }),
    ...(abstractTxt === undefined ? {} : { abstract: abstractTxt }),
    ...(groupStyles === undefined ? {} : { groupStyles }),
  };
}
