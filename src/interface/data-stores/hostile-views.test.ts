/** A GeoPackage with a view that computes for hours stops no other request, and its processes end with the requests. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { createGeopackage, publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const points = {
  name: 'points',
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [[wkt('POINT (10 50)'), 'Bonn']],
};

/** Adds a view that searches half of a text in itself. */
async function createHostileGeopackage(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-hostile-'));
  const path = join(folder, 'hostile.gpkg');
  try {
    await writeFile(path, await createGeopackage([points]));
    const database = new DatabaseSync(path);
    database.exec(`CREATE TABLE words (word TEXT);
      CREATE VIEW endless AS SELECT instr(word, substr(word, 1, 5000000) || 'b') AS place FROM words;
      INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES ('endless', 'attributes', 'endless')`);
    database.prepare('INSERT INTO words VALUES (?)').run('a'.repeat(10_000_000));
    database.close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Counts the processes that read views and were started by this one. */
async function countProcesses(): Promise<number> {
  let count = 0;
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const isChild = status.includes(`PPid:\t${process.pid}\n`);
    if (isChild && (command.includes('view-process') || status.includes('State:\tZ'))) count += 1;
  }
  return count;
}

const server = useTestServer({ flags: ['--store-timeout-ms', '3000'] });

it('requests for other stores are answered while views compute, and no process remains', async () => {
  await publishTables(server, 'acme', [points]);
  const uploaded = await server.request('PUT', '/workspaces/acme/datastores/hostile/file.gpkg?configure=all', {
    body: await createHostileGeopackage(),
    type: 'application/x-sqlite3',
  });
  const read = (layer: string) => server.get(`//geoserver/ogc/features/v1/collections/acme:${layer}/items?f=json`);
  const hostile = Array.from({ length: 12 }, () => read('endless'));
  while ((await countProcesses()) === 0) await delay(20);
  const harmless = await read('points');
  const running = await countProcesses();
  const replies = await Promise.all(hostile);
  while ((await countProcesses()) > 0) await delay(20);

  expect([uploaded.status, harmless.status]).toEqual([201, 200]);
  expect(running).toBeGreaterThan(0);
  expect(replies.map(({ status }) => status)).not.toContain(200);
  expect((await read('points')).status).toBe(200);
});
