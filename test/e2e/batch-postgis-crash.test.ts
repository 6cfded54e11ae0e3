/** kill -9 while batches create PostGIS tables: every published type has its table, and a repeated batch succeeds. */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { seededRandom } from './seeded-random.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['TABLE_KILLS'] ?? 2);
const store = '/workspaces/acme/datastores/db';
const SIZE = 2;

describeWithPostgis('batches that create tables', (postgis) => {
  const send = async ({ client }: StartedServer, method: string, path: string, body: object, key?: string) => {
    const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) };
    return client.request(method, path, { headers, body: JSON.stringify(body) });
  };
  const namesOf = (batch: string) => Array.from({ length: SIZE }, (_, index) => `${batch}_${index}`);
  const bodyOf = (batch: string) => ({
    operations: [
      { method: 'POST', path: '/workspaces', body: { workspace: { name: batch } } },
      ...namesOf(batch).map((name) => {
        const attribute = [{ name: 'the_geom', binding: 'org.locationtech.jts.geom.Point' }];
        const featureType = { name, srs: 'EPSG:4326', attributes: { attribute } };
        return { method: 'POST', path: `${store}/featuretypes`, body: { featureType } };
      }),
    ],
  });

  test(`batches survive ${KILLS} kills with all of their tables, or publish none of them`, async () => {
    const random = seededRandom(Date.now());
    const dataDir = join(await temporaryFolder(), 'data');
    const sent = new Set<string>();
    const answered = new Set<string>();
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };

    async function sendBatch(server: StartedServer, batch: string): Promise<void> {
      sent.add(batch);
      const reply = await send(server, 'POST', '/batch', bodyOf(batch), batch);
      expect(reply.status, reply.text).toBe(200);
      answered.add(batch);
    }

    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await startServer({ dataDir });
      if (kill === 0) {
        await send(server, 'POST', '/workspaces', { workspace: { name: 'acme' } });
        const made = await send(server, 'POST', '/workspaces/acme/datastores', {
          dataStore: { name: 'db', connectionParameters },
        });
        expect(made.status, made.text).toBe(201);
      }
      // A client without a response repeats the request with the same key; an existing table is published unchanged.
      for (const batch of [...sent].filter((each) => !answered.has(each))) await sendBatch(server, batch);
      let isKilled = false;
      const writing = (async () => {
        for (let index = 0; !isKilled; index += 1) await sendBatch(server, `b${kill}x${index}`);
      })();
      const enough = answered.size + 1 + Math.floor(random() * 4);
      while (answered.size < enough) await turn();
      // Kills the server at a random moment of the next batch.
      for (let turns = Math.floor(random() * 300); turns > 0; turns -= 1) await turn();
      isKilled = true;
      await Promise.all([server.kill(), writing.catch(() => undefined)]);
    }

    const last = await startServer({ dataDir });
    const listed = await last.client.request('GET', `${store}/featuretypes.json`);
    const published = new Set([...listed.text.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name));
    const rows = await postgis.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    const tables = new Set(rows.map(({ tablename }) => String(tablename)));
    for (const batch of sent) {
      const there = namesOf(batch).filter((name) => published.has(name));
      expect([0, SIZE], batch).toContain(there.length);
      if (answered.has(batch)) expect(there.length, batch).toBe(SIZE);
      expect(there.filter((name) => !tables.has(name))).toEqual([]);
    }
    for (const batch of [...sent].filter((each) => !answered.has(each))) await sendBatch(last, batch);
    await last.stop();
  });
});
