/** Feature types with a few features, published on a test server. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Geometry } from '../../src/geometry/geometry.ts';
import type { Attribute, Feature, Value } from '../../src/vector/port/port.ts';
import { openGeopackage } from './geopackages.ts';
import { postgisParameters } from './postgis-sources.ts';
import { askForService } from './services/ask-for-service.ts';
import { createTestDatabase, type TestDatabase } from './services/test-database.ts';
import { isOnPostgres } from './shared-storage.ts';
import type { TestServer } from './test-server.ts';

export interface PublishedTable {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly rows: readonly (readonly (Value | Geometry)[])[];
}

/** Uploads the tables as a GeoPackage, which creates the workspace, a store and a layer per table. */
export async function publishTables(
  server: TestServer,
  workspace: string,
  tables: readonly PublishedTable[],
  store = 'data',
): Promise<void> {
  await server.post('/workspaces', `<workspace><name>${workspace}</name></workspace>`, { type: 'xml' });
  const body = await createGeopackage(tables);
  const reply = await server.request('PUT', `/workspaces/${workspace}/datastores/${store}/file.gpkg?configure=all`, {
    body,
    type: 'application/x-sqlite3',
  });
  if (reply.status !== 201) throw new Error(`The upload was answered with ${reply.status}: ${reply.text}`);
}

let database: Promise<TestDatabase> | undefined;
let schemaCount = 0;

/** The same in an editable store: nodes do not edit uploaded files, so theirs is in PostGIS. */
export async function publishEditableTables(
  server: TestServer,
  workspace: string,
  tables: readonly PublishedTable[],
  store = 'data',
): Promise<void> {
  if (!isOnPostgres) return publishTables(server, workspace, tables, store);
  database ??= askForService('postgis').then(createTestDatabase);
  const { connection, query } = await database;
  schemaCount += 1;
  const schema = `editable_${schemaCount}`;
  await query(`CREATE SCHEMA ${schema}`);
  await server.post('/workspaces', `<workspace><name>${workspace}</name></workspace>`, { type: 'xml' });
  const connectionParameters = { ...postgisParameters(connection), schema };
  const dataStore = JSON.stringify({ dataStore: { name: store, connectionParameters } });
  await server.post(`/workspaces/${workspace}/datastores`, dataStore);
  return publishTables(server, workspace, tables, store);
}

export async function createGeopackage(tables: readonly PublishedTable[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-tables-'));
  try {
    return await writtenIn(folder, tables);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writtenIn(folder: string, tables: readonly PublishedTable[]): Promise<Buffer> {
  const path = join(folder, 'data.gpkg');
  const source = await openGeopackage(path);
  const session = await source.startWriting?.(new AbortController().signal);
  if (session === undefined) throw new Error('it cannot write');
  for (const { name, attributes, rows } of tables) {
    const features = rows.map((values, index): Feature => ({ id: `${name}.${index + 1}`, values }));
    await session.write({ name, attributes, batches: oneBatch(features) }, 'append');
  }
  await session.commit();
  await source.close();
  return readFile(path);
}

async function* oneBatch(features: readonly Feature[]): AsyncIterable<readonly Feature[]> {
  yield features;
}
