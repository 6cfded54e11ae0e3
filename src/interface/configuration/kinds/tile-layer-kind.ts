/** The configuration kind for the tile settings of layers and groups. */
import { findTileOwner, formatTileOwner, tileLayerKind } from '../../../catalog/kinds/tile-layer.ts';
import { encodePath } from '../../changes/record-path.ts';
import { tileLayerDocument } from '../../tile-layers/representation.ts';
import { createFieldMapping, type Fields, isList, isObject } from '../model/fields.ts';
import type { ConfigurationKind, ListedResource, WantedResource } from '../model/kind.ts';
import { createDelete, createPut, toCreateFields } from '../model/operations.ts';

/** Absent settings have the defaults of the server. */
const defaults: Fields = {
  enabled: null,
  inMemoryCached: null,
  mimeFormats: null,
  gridSubsets: null,
  metaWidthHeight: null,
  expireCache: null,
  expireCacheList: null,
  expireClients: null,
  expireClientsList: null,
  parameterFilters: null,
  gutter: null,
};

const tileLayerFields = createFieldMapping(tileLayerDocument, ['name', 'autoCacheStyles'], defaults);

/** PUT replaces all settings, so that each step contains all of them. */
const put = ({ fields, ...address }: WantedResource) => [
  createPut(address, { document: { [tileLayerDocument.root]: toCreateFields(fields) } }),
];

export const tileLayerRow: ConfigurationKind = {
  kind: tileLayerKind.kind,
  patterns: ['/workspaces/:workspace/tilelayers/:tileLayer', '/tilelayers/:tileLayer'],
  fieldNames: tileLayerFields.names,
  defaults,
  references: ({ names: { workspace, tileLayer = '' }, fields: { gridSubsets = null } }) => {
    const home = workspace === undefined ? [] : ['workspaces', workspace];
    const owners = ['layers', 'layergroups'].map((collection) => encodePath([...home, collection, tileLayer]));
    const subsets = isList(gridSubsets) ? gridSubsets : [];
    const names = subsets.flatMap((each) => {
      const name = isObject(each) ? each['gridSetName'] : undefined;
      return typeof name === 'string' ? [name] : [];
    });
    return [...owners, ...names.map((name) => encodePath(['gridsets', name]))];
  },
  async *every({ every, services: { catalog } }) {
    for await (const records of every(tileLayerKind)) {
      const listed: ListedResource[] = [];
      for (const record of records) {
        const found = await findTileOwner(catalog, record);
        if (found === undefined) continue;
        const { owner, workspace } = found;
        const home = workspace === null ? [] : ['workspaces', workspace.name];
        listed.push({
          path: encodePath([...home, 'tilelayers', owner.name]),
          fields: () => tileLayerFields.toFields({ ...record, name: formatTileOwner(found) }),
        });
      }
      yield listed;
    }
  },
  create: put,
  change: put,
  remove: (address) => [createDelete(address)],
};
