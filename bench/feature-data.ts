/** The data for feature service measurements: a table of a million rectangles, and a shapefile of parcels. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Client } from 'pg';
import { ZipFile } from 'yazl';
import { writePolygonShapefile } from './polygon-shapefile.ts';
import type { BenchedDatabase } from './postgis-tables.ts';
import { authorization, type ServerChild } from './server-child.ts';

export const TABLE = 'many';
export const SHAPEFILE = 'parcels';
export const WORKSPACE = 'bench';

/** A new database with PostGIS, deleted afterwards. */
export async function withDatabase<T>(
  template: BenchedDatabase,
  work: (database: BenchedDatabase, client: Client) => Promise<T>,
): Promise<T> {
  const database = { ...template, database: `bench_features_${process.pid}` };
  const admin = await connected({ ...template, database: 'postgres' });
  await admin.query(`CREATE DATABASE ${database.database} TEMPLATE ${template.database}`);
  const client = await connected(database);
  try {
    return await work(database, client);
  } finally {
    await client.end();
    await admin.query(`DROP DATABASE ${database.database} WITH (FORCE)`);
    await admin.end();
  }
}

/** Rectangles all over the Earth in random order, so that spatial neighbors are not neighbors in the table. */
export function withLargeTable<T>(
  template: BenchedDatabase,
  rows: number,
  work: (database: BenchedDatabase, client: Client) => Promise<T>,
): Promise<T> {
  return withDatabase(template, async (database, client) => {
    await client.query(
      `CREATE TABLE ${TABLE} (id serial PRIMARY KEY, name text, kind int, geom geometry(Polygon, 4326))`,
    );
    await client.query(
      `INSERT INTO ${TABLE} (name, kind, geom)
       SELECT 'feature ' || n, n % 10, ST_MakeEnvelope(x, y, x + 0.01, y + 0.01, 4326)
       FROM generate_series(1, ${rows}) n,
         LATERAL (SELECT (n::bigint * 7919 % 35990) / 100.0 - 180 AS x, (n::bigint * 104729 % 17990) / 100.0 - 90 AS y) AS place`,
    );
    await client.query(`CREATE INDEX ON ${TABLE} USING gist (geom)`);
    await client.query(`VACUUM ANALYZE ${TABLE}`);
    return work(database, client);
  });
}

async function connected({ host, port, user, password, database }: BenchedDatabase): Promise<Client> {
  const client = new Client({ host, port, user, password, database });
  await client.connect();
  return client;
}

/** In the data directory of a server, which can read it there; returns the path of the .shp file. */
export async function writeParcels(dataDir: string, count: number, name = SHAPEFILE): Promise<string> {
  const folder = join(dataDir, 'data', name);
  await mkdir(folder, { recursive: true });
  return writePolygonShapefile(folder, name, count);
}

/** Publishes a shapefile of the data directory again as an upload: its tiles are cached. */
export async function uploadParcels(server: ServerChild, path: string, name: string): Promise<void> {
  const zip = new ZipFile();
  for (const ending of ['shp', 'shx', 'dbf', 'prj']) {
    const file = path.replace(/shp$/, ending);
    if (existsSync(file)) zip.addFile(file, `${name}.${ending}`);
  }
  zip.end();
  const reply = await fetch(`${server.restUrl}/workspaces/${WORKSPACE}/datastores/${name}/file.shp`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/zip' },
    body: await buffer(zip.outputStream),
  });
  if (!reply.ok) throw new Error(`The upload of ${name} answered ${reply.status}: ${await reply.text()}`);
}

export interface PublishedStore {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly types: readonly string[];
}

export function tableStore({ host, port, user, password, database }: BenchedDatabase, table = TABLE): PublishedStore {
  const parameters = { dbtype: 'postgis', host, port: String(port), user, passwd: password, database };
  return { name: 'tables', parameters, types: [table] };
}

export function parcelsStore(name = SHAPEFILE): PublishedStore {
  return { name, parameters: { url: `file:data/${name}/` }, types: [name] };
}

export async function publish(server: ServerChild, stores: readonly PublishedStore[]): Promise<void> {
  const post = async (path: string, document: object): Promise<void> => {
    const reply = await fetch(`${server.restUrl}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(document),
    });
    if (!reply.ok) throw new Error(`POST ${path} answered ${reply.status}: ${await reply.text()}`);
  };
  await post('/workspaces', { workspace: { name: WORKSPACE } });
  for (const { name, parameters, types } of stores) {
    const path = `/workspaces/${WORKSPACE}/datastores`;
    await post(path, { dataStore: { name, connectionParameters: parameters } });
    for (const type of types) await post(`${path}/${name}/featuretypes`, { featureType: { name: type } });
  }
}
