/** Data directories with faults: each part has the sample as its surroundings. */
import { lineSld } from '../styles.ts';
import {
  cascadedStoreXml,
  coverageStoreXml,
  type DirectoryFiles,
  dataStoreXml,
  groupId,
  groupXml,
  layerId,
  layerXml,
  resourceXml,
  styleXml,
  workspaceFiles,
  writeXml,
} from './documents.ts';

/** A document that refers to a file outside of the directory. */
export const DOCTYPE_XML = `<?xml version="1.0"?>
<!DOCTYPE workspace [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<workspace><id>x</id><name>&secret;</name></workspace>
`;

/** Nested elements beyond the limit of any document. */
export const DEEP_XML = `<style>${'<a>'.repeat(500)}${'</a>'.repeat(500)}</style>`;

/** Files that replace any file of a directory: none of them may cause a crash. */
export const hostileContents: Readonly<Record<string, string | Buffer>> = {
  empty: '',
  'cut off': '<workspace><name>acme',
  'another root': '<somethingElse><name>x</name></somethingElse>',
  'a DOCTYPE': DOCTYPE_XML,
  'deep nesting': DEEP_XML,
  'invalid encoding': Buffer.from([0x3c, 0x61, 0xff, 0xfe, 0x80, 0x3e]),
  'null bytes': Buffer.alloc(64),
  'a picture': Buffer.from('89504e470d0a1a0a', 'hex'),
  'prototype names': '<style><name>__proto__</name><id>constructor</id><filename>__proto__</filename></style>',
  'a path out of the directory':
    '<style><name>../../x</name><id>../..</id><filename>../../../../etc/passwd</filename></style>',
};

/** Stores of types without support, and paths that cannot be followed. */
export function createUnsupportedFiles(): DirectoryFiles {
  const store = (name: string, type: string, parameters: Readonly<Record<string, string>>): DirectoryFiles => ({
    [`workspaces/odd/${name}/datastore.xml`]: dataStoreXml({ workspace: 'odd', name, type, parameters }),
  });
  return {
    ...workspaceFiles('odd'),
    ...store('oracle', 'Oracle NG', { dbtype: 'oracle', host: 'db.example', passwd: 'plain:canary' }),
    ...store('jndi', 'PostGIS (JNDI)', {
      dbtype: 'postgis',
      jndiReferenceName: 'java:comp/env/jdbc/roads',
      schema: 'public',
    }),
    ...store('windows', 'Shapefile', { url: 'file://F:\\data\\roads.shp' }),
    ...store('outside', 'Shapefile', { url: 'file:../../etc/roads.shp' }),
    ...store('placeholder', 'PostGIS', {
      dbtype: 'postgis',
      host: '${DB_HOST}',
      port: '5432',
      database: 'gis_${DB_NAME}',
      user: 'u',
    }),
    'workspaces/odd/grid/coveragestore.xml': coverageStoreXml('odd', 'grid', 'ArcGrid', 'file:data/a.asc'),
    'workspaces/odd/grid/grid/coverage.xml': resourceXml({
      root: 'coverage',
      workspace: 'odd',
      store: 'grid',
      name: 'grid',
    }),
    'workspaces/odd/grid/grid/layer.xml': layerXml({ workspace: 'odd', name: 'grid' }),
    'workspaces/odd/remote/wmsstore.xml': cascadedStoreXml('wmsStore', 'odd', 'remote', 'https://other.example/wms'),
  };
}

/** References to resources that do not exist, missing files, and names that no URL can contain. */
export function createDanglingFiles(): DirectoryFiles {
  const roads = 'workspaces/lost/roads';
  return {
    ...workspaceFiles('lost'),
    'workspaces/without/namespace.xml': writeXml([
      'namespace',
      [
        ['id', 'n'],
        ['prefix', 'without'],
        ['uri', 'http://w'],
      ],
    ]),
    'workspaces/lost/orphan/datastore.xml': dataStoreXml({
      workspace: 'lost',
      name: 'orphan',
      parameters: { url: 'file:data/x.shp' },
      workspaceId: 'WorkspaceInfoImpl-unknown',
    }),
    [`${roads}/datastore.xml`]: dataStoreXml({
      workspace: 'lost',
      name: 'roads',
      parameters: { url: 'file:data/gone.shp' },
    }),
    [`${roads}/roads/featuretype.xml`]: resourceXml({ workspace: 'lost', store: 'roads', name: 'roads' }),
    [`${roads}/roads/layer.xml`]: layerXml({
      workspace: 'lost',
      name: 'roads',
      style: ['id', 'StyleInfoImpl-unknown'],
    }),
    [`${roads}/bare/featuretype.xml`]: resourceXml({ workspace: 'lost', store: 'roads', name: 'bare' }),
    [`${roads}/slash/featuretype.xml`]: resourceXml({ workspace: 'lost', store: 'roads', name: 'a/b' }),
    [`${roads}/slash/layer.xml`]: layerXml({ workspace: 'lost', name: 'a/b' }),
    [`${roads}/stray/featuretype.xml`]: resourceXml({
      workspace: 'lost',
      store: 'roads',
      name: 'stray',
      storeId: 'StoreInfoImpl-unknown',
    }),
    'styles/gone.xml': styleXml({ name: 'gone' }),
    'styles/yellow.xml': styleXml({ name: 'yellow', format: 'yellow' }),
    'styles/yellow.yellow': 'x',
    'styles/odd name é.xml': styleXml({ name: 'odd name é', filename: 'odd name é.sld' }),
    'styles/odd name é.sld': lineSld('odd'),
    'layergroups/partly.xml': groupXml({
      name: 'partly',
      members: [{ id: layerId('acme', 'towns') }, { id: layerId('lost', 'gone') }, { id: null, style: 'x' }],
    }),
    'layergroups/empty.xml': groupXml({ name: 'empty', members: [{ id: layerId('lost', 'gone') }] }),
    'layergroups/ring1.xml': groupXml({ name: 'ring1', members: [{ type: 'layerGroup', id: groupId('ring2') }] }),
    'layergroups/ring2.xml': groupXml({ name: 'ring2', members: [{ type: 'layerGroup', id: groupId('ring1') }] }),
  };
}
