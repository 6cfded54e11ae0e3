/** Several nodes on one PostgreSQL: they start together, and are killed one after the other under writes. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { type AcknowledgedWriter, createWriter } from './acknowledged-writer.ts';
import { createClient } from './http-client.ts';
import { seededRandom } from './seeded-random.ts';
import { type StartedServer, type StartOptions, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROUNDS = Number(process.env['NODE_KILLS'] ?? 2);
const WRITERS_PER_NODE = 4;
/** The maximum number of acknowledged writes before a node is killed. */
const MAX_WRITES = 30;

describeWithPostgis('nodes on one PostgreSQL', (postgis) => {
  const optionsFor = (schema: string): StartOptions => ({
    environment: {
      GRATICULE_STORAGE: postgresAddress(postgis, schema),
      GRATICULE_SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
  });

  test('nodes that start for the first time at the same time print one password in total', async () => {
    const options = { ...optionsFor('together'), password: null };

    const nodes = await Promise.all([startServer(options), startServer(options)]);

    const reported = nodes.flatMap(({ generatedPassword }) => generatedPassword ?? []);
    expect(reported).toHaveLength(1);
    for (const { url } of nodes) {
      const client = createClient(url, { credentials: `admin:${reported[0]}` });
      expect((await client.request('GET', '/workspaces.json')).status).toBe(200);
      client.close();
    }
  });

  test(`every acknowledged write survives ${2 * ROUNDS} kills, and is visible immediately through the remaining node`, async () => {
    const random = seededRandom(Date.now());
    const folder = await temporaryFolder();
    const options = optionsFor('killed');
    const start = (name: string) => startServer({ ...options, dataDir: join(folder, name) });
    const writersOf = (node: string) =>
      Array.from({ length: WRITERS_PER_NODE }, (_, index) => createWriter(`${node}${index}-`, random));
    const [ours, theirs] = [writersOf('a'), writersOf('b')];
    const someWrites = () => 1 + Math.floor(random() * MAX_WRITES);

    for (let round = 1; round <= ROUNDS; round += 1) {
      const [first, second] = await Promise.all([start('first'), start('second')]);
      await expectAcknowledged(first, [...ours, ...theirs]);
      const othersWrite = Promise.withResolvers<void>();
      const others = writeUntilKilled(second, theirs, () => othersWrite.promise);

      await writeUntilKilled(first, ours, killAfter(someWrites()));
      await expectAcknowledged(second, ours);
      othersWrite.resolve();
      await others;
    }

    const last = await start('first');
    await expectAcknowledged(last, [...ours, ...theirs]);
    const [row] = await postgis.query(
      'SELECT count(*)::int AS count, max(sequence)::int AS last, (SELECT sequence::int FROM killed.head) AS head FROM killed.changes',
    );
    expect(row).toEqual({ count: row?.['last'], last: row?.['last'], head: row?.['last'] });
    expect((await last.stop()).code).toBe(0);
  });

  test('another node delivers the events of a webhook after the delivering node is killed', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const nodes = [await startServer(optionsFor('reported'))];
    const send = async (path: string, document: object) => {
      const sent = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) };
      const reply = await nodes[0]?.request('POST', path, sent);
      expect(reply?.status, reply?.text).toBe(201);
      return Number(reply?.headers['graticule-change']);
    };
    const regex = `^${receiver.url.replaceAll('.', '[.]')}/.*$`;
    await send('/urlchecks', { regexUrlCheck: { name: 'ours', regex, enabled: true } });
    await send('/webhooks', { webhook: { name: 'ours', url: `${receiver.url}/` } });
    await receiver.untilId(await send('/workspaces', { workspace: { name: 'before' } }));

    nodes.push(await startServer(optionsFor('reported')));
    await nodes.shift()?.kill();
    const change = await send('/workspaces', { workspace: { name: 'after' } });
    // Simulates the expiry of the claim, which the killed node no longer renews.
    await postgis.query('UPDATE reported.claims SET until = clock_timestamp()');
    await receiver.untilId(change);

    // The last delivered event may be repeated.
    expect([...new Set(receiver.ids())]).toEqual([change - 1, change]);
  });
});

/** Called for each acknowledged write; returns a promise when it is time to kill. */
type WhenToKill = () => Promise<void> | undefined;

function killAfter(writes: number): WhenToKill {
  let left = writes;
  return () => {
    left -= 1;
    return left <= 0 ? Promise.resolve() : undefined;
  };
}

async function writeUntilKilled(
  server: StartedServer,
  writers: readonly AcknowledgedWriter[],
  whenToKill: WhenToKill,
): Promise<void> {
  let killed: Promise<void> | undefined;
  const acknowledged = () => {
    killed ??= whenToKill()?.then(() => server.kill());
  };
  await Promise.all(writers.map((writer) => writer.writeUntilBroken(server.client, acknowledged)));
  await killed;
}

/** Compares these writers only: resources of others may disappear between the list and the read. */
async function expectAcknowledged(server: StartedServer, writers: readonly AcknowledgedWriter[]): Promise<void> {
  const list = await readJson<{ workspaces: { workspace: { name: string }[] } }>(server, '/workspaces.json');
  for (const { prefix, settle } of writers) {
    const names = list.workspaces.workspace.map(({ name }) => name).filter((name) => name.startsWith(prefix));
    const isolated = names.map(async (name): Promise<[string, boolean]> => {
      const { workspace } = await readJson<{ workspace: { isolated: boolean } }>(server, `/workspaces/${name}.json`);
      return [name, workspace.isolated];
    });
    settle(new Map(await Promise.all(isolated)));
  }
}

async function readJson<T>({ client }: StartedServer, path: string): Promise<T> {
  const reply = await client.request('GET', path);
  expect(reply.status, path).toBe(200);
  return reply.json() as T;
}
