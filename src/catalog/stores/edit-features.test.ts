import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { itemsAt } from '../../../test/support/features.ts';
import { makeRoads } from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { openCatalog } from '../../records/catalog.ts';
import { openFiles } from '../../records/files/files.ts';
import { vectorDrivers } from '../../vector/drivers.ts';
import type { SourceWork } from '../../vector/sources.ts';
import type { DataStore } from '../kinds/data-store.ts';
import { findDataStore } from './data-stores.ts';
import { editFeatures, type FeatureEditContext } from './edit-features.ts';
import { resolveInsideFiles } from './uploaded-files.ts';

const server = useTestServer();
const folder = useTemporaryFolder('edited');
const administrator = { name: 'test', roles: new Set([ROLE_ADMINISTRATOR]) };
const name = { name: 'name', nillable: true, kind: 'value', type: 'string' } as const;
const everything = { kind: 'constant', value: true } as const;

/** Opens the data of stores as the server does: uploaded files in their set, others at their path. */
function editing(): FeatureEditContext {
  const { dataDir } = server;
  const files = openFiles({ root: dataDir });
  const use = async <T>(store: DataStore, copy: string | undefined, work: SourceWork<T>): Promise<T> => {
    const driver = vectorDrivers.find((each) => each.accepts(store.parameters));
    const source = await driver?.open(store.parameters, {
      async resolvePath(named) {
        const inside = resolveInsideFiles(store, dataDir, named);
        return inside === undefined || store.fileSet === null
          ? join(dataDir, named.replace(/^file:/, ''))
          : join(copy ?? (await files.openSet(store.fileSet)), ...inside);
      },
    });
    if (source === undefined) throw new Error('Unknown driver.');
    try {
      return await work(source, new AbortController().signal, { extend: () => undefined, cancel: () => undefined });
    } finally {
      await source.close();
    }
  };
  return {
    catalog: openCatalog(server.server.storage),
    data: { useForWriting: (store, work) => use(store, undefined, work), useCopy: use },
    files,
    dataDir,
  };
}

async function storeNamed(store: string): Promise<DataStore> {
  return (await findDataStore(openCatalog(server.server.storage), 'acme', store)).store;
}

test('copies an uploaded GeoPackage on the first edit, and edits the copy in place afterwards', async () => {
  const { path } = await makeRoads(folder);
  const uploaded = await readFile(path);
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  const type = 'application/geopackage+sqlite3';
  await server.request('PUT', '/workspaces/acme/datastores/roads/file.gpkg', { type, body: uploaded });
  const before = await storeNamed('roads');
  const rename = (text: string) => async () =>
    editFeatures(editing(), administrator, await storeNamed('roads'), (edits) =>
      edits.update('roads', { attributes: [name], values: [text] }, everything),
    );

  const ids = await rename('second')();
  const live = await storeNamed('roads');
  await rename('third')();

  expect(ids).toEqual(['roads.1']);
  expect(before.fileSet).not.toBeNull();
  expect(live).toMatchObject({ fileSet: null, filePlace: null, parameters: before.parameters });
  expect(await storeNamed('roads')).toEqual(live);
  const { features } = await itemsAt(server, '/collections/acme:roads/items');
  expect(features.map(({ properties }) => properties['name'])).toEqual(['third']);
  // The uploaded file is unchanged.
  const set = await openFiles({ root: server.dataDir }).openSet(before.fileSet ?? '');
  expect((await readFile(join(set, 'roads.gpkg'))).equals(uploaded)).toBe(true);
});

test('rejects edits of a read-only store and keeps its files', async () => {
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  await putZip(server, '/workspaces/acme/datastores/places/file.shp', zipOf({ places: pointShapefile() }));
  const store = await storeNamed('places');

  const trying = editFeatures(editing(), administrator, store, (edits) => edits.remove('places', everything));

  await expect(trying).rejects.toMatchObject({ code: 'features-not-writable' });
  expect(await storeNamed('places')).toEqual(store);
});

test('changes nothing when one of several edits is rejected', async () => {
  const { path } = await makeRoads(folder);
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  const type = 'application/geopackage+sqlite3';
  await server.request('PUT', '/workspaces/acme/datastores/more/file.gpkg', { type, body: await readFile(path) });

  const trying = editFeatures(editing(), administrator, await storeNamed('more'), async (edits) => {
    await edits.remove('roads', everything);
    await edits.insert('roads', [{ attributes: [{ ...name, name: 'missing' }], values: ['x'] }]);
  });

  await expect(trying).rejects.toMatchObject({ status: 400 });
  const store = await storeNamed('more');
  const found = await editing().data.useForWriting(store, async (source, signal) =>
    source.count?.('roads', undefined, signal),
  );
  expect(found).toBe(1);
});
