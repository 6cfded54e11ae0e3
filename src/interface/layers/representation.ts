/** Layers as documents. */
import type { LayerView, ListedLayer } from '../../catalog/layers.ts';
import { document } from '../../http/documents/document.ts';
import type { Field } from '../../http/documents/field.ts';
import { fieldsOf } from '../../http/documents/fields.ts';
import { listing } from '../../http/documents/listing.ts';
import { featureTypePath } from '../feature-types/representation.ts';

const { serverText, reference, timestamp } = fieldsOf<LayerView>();

/** Clients of this interface expect the element; there is no logo to tell of. */
const attribution: Field<LayerView, never> = {
  write: () => ({
    kind: 'object',
    members: [
      { name: 'logoWidth', node: { kind: 'value', value: 0 } },
      { name: 'logoHeight', node: { kind: 'value', value: 0 } },
    ],
  }),
  required: false,
  schema: { type: 'object', readOnly: true },
};

export const layerDocument = document(
  'layer',
  {
    name: serverText(({ layer }: LayerView) => layer.name),
    type: serverText(() => 'VECTOR'),
    defaultStyle: reference(({ layer }) =>
      layer.defaultStyle === null ? undefined : { name: layer.defaultStyle, path: ['styles', layer.defaultStyle] },
    ),
    resource: reference((view) => ({ name: `${view.workspace.name}:${view.type.name}`, path: featureTypePath(view) }), {
      attributes: { class: 'featureType' },
    }),
    attribution,
    dateCreated: timestamp(({ layer }) => layer.createdAtMs),
    dateModified: timestamp(({ layer }) => (layer.modifiedAtMs === layer.createdAtMs ? undefined : layer.modifiedAtMs)),
  },
  { title: ({ layer }) => `Layer ${layer.name}` },
);

/** Outside of a workspace, names say which one they belong to. */
export const layerListing = listing<ListedLayer>('layers', {
  itemName: 'layer',
  title: 'Layers',
  name: ({ layer, workspace }) => `${workspace.name}:${layer.name}`,
  path: ({ layer, workspace }) => ['layers', `${workspace.name}:${layer.name}`],
});

export const workspaceLayerListing = listing<ListedLayer>('layers', {
  itemName: 'layer',
  title: 'Layers',
  name: ({ layer }) => layer.name,
  path: ({ layer, workspace }) => ['workspaces', workspace.name, 'layers', layer.name],
});
