/** Layer groups as documents. */
import type { LayerGroupDraft } from '../../catalog/layer-groups/change-layer-group.ts';
import { layerGroupModes } from '../../catalog/layer-groups/layer-group.ts';
import type { LayerGroupView, ListedLayerGroup } from '../../catalog/layer-groups/layer-groups.ts';
import type { AuthorityUrl, LayerIdentifier } from '../../catalog/layers/layer-remarks.ts';
import { findCrs } from '../../data/crs/resolve-crs.ts';
import { type DocumentReader, type DocumentWriter, document } from '../../http/documents/document.ts';
import type { DraftOf } from '../../http/documents/field.ts';
import { fieldsOf } from '../../http/documents/fields.ts';
import { listing } from '../../http/documents/listing.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { treeMapField } from '../../http/documents/tree-map-field.ts';
import { attributionField, pairsField } from '../layers/fields.ts';
import { styleField } from '../layers/style-fields.ts';
import { choiceField, linksField, type ShownCrs, wordsField } from '../resources/fields.ts';
import { internationalField } from '../resources/text-fields.ts';
import { groupBoundsField, groupStylesField, layersField, publishablesField } from './fields.ts';
import { layerGroupStylesField } from './group-styles-field.ts';
import { layerGroupPageContent } from './page.ts';
import { layerGroupPath, partPath } from './paths.ts';

/** A group with the reference system of its box, looked up. */
export interface ShownLayerGroup extends LayerGroupView {
  readonly boundsCrs: ShownCrs | undefined;
}

export async function shownLayerGroup(view: LayerGroupView): Promise<ShownLayerGroup> {
  const code = view.group.bounds?.crs;
  const known = code === undefined ? undefined : await findCrs(code);
  return { ...view, boundsCrs: code === undefined ? undefined : { text: code, kind: known?.kind ?? 'other' } };
}

const { text, flag, reference, timestamp } = fieldsOf<ShownLayerGroup>();
const attribution = attributionField<ShownLayerGroup>(({ group }) => group.attribution ?? undefined);

/** Without what would put it into the example: most groups have none. */
function rootSchema(description: string): JsonSchema {
  return { type: 'object', description, properties: { name: { type: 'string' }, workspace: { type: 'string' } } };
}

const fields = {
  name: text(({ group }) => group.name, {
    required: true,
    description: 'Unique among the global layer groups, or among the layers and groups of the workspace.',
    example: 'base',
  }),
  mode: choiceField(layerGroupModes, ({ group }: ShownLayerGroup) => group.mode),
  // Said only of groups that are not as most are.
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
      root === null ? undefined : { name: `${root.workspace}:${root.name}`, path: partPath(root) },
    ),
    schema: rootSchema('The layer that is shown for the whole group, in the mode EO.'),
  },
  rootLayerStyle: {
    ...styleField<ShownLayerGroup>(({ root }) => root?.style ?? null),
    schema: rootSchema('What that layer is drawn with.'),
  },
  publishables: publishablesField<ShownLayerGroup>(({ parts }) => parts),
  layers: layersField<ShownLayerGroup>(),
  styles: groupStylesField<ShownLayerGroup>(({ parts }) => parts),
  metadataLinks: linksField('metadataLink', ({ group }: ShownLayerGroup) => group.metadataLinks),
  bounds: groupBoundsField<ShownLayerGroup>(({ group, boundsCrs }) => ({ bounds: group.bounds, crs: boundsCrs })),
  metadata: treeMapField<ShownLayerGroup>(({ group }) => group.metadata, {
    description: 'Remarks by key: text, or elements.',
  }),
  attribution: {
    ...attribution,
    write: (shown: ShownLayerGroup) => (shown.group.attribution === null ? undefined : attribution.write?.(shown)),
  },
  authorityURLs: pairsField<ShownLayerGroup, AuthorityUrl>(
    'AuthorityURL',
    ['name', 'href'],
    ({ group }) => group.authorityURLs,
  ),
  identifiers: pairsField<ShownLayerGroup, LayerIdentifier>(
    'Identifier',
    ['authority', 'identifier'],
    ({ group }) => group.identifiers,
  ),
  keywords: wordsField(({ group }: ShownLayerGroup) => group.keywords),
  dateCreated: timestamp(({ group }) => group.createdAtMs),
  dateModified: timestamp(({ group }) => (group.modifiedAtMs === group.createdAtMs ? undefined : group.modifiedAtMs)),
  internationalTitle: internationalField(({ group }: ShownLayerGroup) => group.internationalTitle),
  internationalAbstract: internationalField(({ group }: ShownLayerGroup) => group.internationalAbstract),
  layerGroupStyles: layerGroupStylesField<ShownLayerGroup>(({ groupStyles }) => groupStyles),
};

const groupDocument = document('layerGroup', fields, { title: ({ group }) => `Layer group ${group.name}` });

/** A group as clients send it, in the words of the catalog. */
export const layerGroupInput: DocumentReader<LayerGroupDraft> = {
  root: groupDocument.root,
  schema: groupDocument.schema,
  ...(groupDocument.maxBytes === undefined ? {} : { maxBytes: groupDocument.maxBytes }),
  read: (body, purpose, unknown) => inCatalogWords(groupDocument.read(body, purpose, unknown)),
};

/** A group; on its page also where it lies. */
export const layerGroupPage: DocumentWriter<ShownLayerGroup> = {
  root: groupDocument.root,
  schema: groupDocument.schema,
  write(shown) {
    const written = groupDocument.write(shown);
    return { ...written, page: { content: (context) => layerGroupPageContent(written.node, shown, context) } };
  },
};

export const layerGroupListing = listing<ListedLayerGroup>('layerGroups', {
  itemName: 'layerGroup',
  title: 'Layer groups',
  name: ({ name }) => name,
  path: ({ name, workspace }) => layerGroupPath(name, workspace),
});

function inCatalogWords(read: DraftOf<typeof fields>): LayerGroupDraft {
  const { publishables, layers, abstractTxt, layerGroupStyles: groupStyles, ...draft } = read;
  const parts = publishables === undefined ? layers : publishables;
  return {
    ...draft,
    ...(parts === undefined ? {} : { parts }),
    ...(abstractTxt === undefined ? {} : { abstract: abstractTxt }),
    ...(groupStyles === undefined ? {} : { groupStyles }),
  };
}
