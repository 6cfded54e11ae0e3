/** Stores with an edited GeoPackage upload. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dataStoreKind } from '../../src/catalog/kinds/data-store.ts';
import { findDataStore } from '../../src/catalog/stores/data-stores.ts';
import { ROLE_ADMINISTRATOR } from '../../src/lib/identity/principal.ts';
import { openCatalog } from '../../src/records/catalog.ts';
import { column, geometryColumn, wkt } from './feature-collections.ts';
import { FEATURES, itemsAt } from './features.ts';
import { publishTables } from './published-features.ts';
import { isOnPostgres } from './shared-storage.ts';
import type { TestServer } from './test-server.ts';

const towns = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [[wkt('POINT (7.5 47)'), 'Bern']],
};

/** A workspace with the uploaded store `roads` and its layer `towns` of one feature. */
export function uploadTowns(server: TestServer, workspace = 'acme'): Promise<void> {
  return publishTables(server, workspace, [towns], 'roads');
}

export async function townsOf(server: TestServer, collection = 'acme:towns'): Promise<readonly unknown[]> {
  const { features } = await itemsAt(server, `/collections/${collection}/items`);
  return features.map(({ properties }) => properties['name']);
}

/** Adds a town, which makes the features editable if necessary; returns the number of that or the last change. */
export async function addTown(server: TestServer, name: string): Promise<number> {
  if (isOnPostgres) await moveToDisk(server);
  else {
    const reply = await server.request('POST', `${FEATURES}/collections/acme:towns/items`, {
      type: 'application/geo+json',
      body: JSON.stringify({ type: 'Feature', geometry: null, properties: { name } }),
    });
    expect(reply.status, reply.text).toBe(201);
  }
  return server.server.storage.position();
}

/** Mimics the first edit in earlier versions: nodes no longer edit files, but may have such stores. */
export async function moveToDisk(server: TestServer, workspace = 'acme'): Promise<void> {
  const catalog = openCatalog(server.server.storage);
  const { store } = await findDataStore(catalog, workspace, 'roads');
  if (store.fileSet === null || store.filePlace === null) return;
  const { bytes } = await server.get(`/resource/${store.filePlace}/roads.gpkg`);
  await mkdir(join(server.dataDir, store.filePlace), { recursive: true });
  await writeFile(join(server.dataDir, store.filePlace, 'roads.gpkg'), bytes);
  const author = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };
  await catalog.change(author, 'make the features of the store roads editable', (transaction) =>
    transaction.update(dataStoreKind, { ...store, fileSet: null, filePlace: null }),
  );
}
