/** kill -9 while a configuration is applied: it is stored completely or not at all. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectStorage, replayedHistory } from './replay.ts';
import { seededRandom } from './seeded-random.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['CONFIGURATION_KILLS'] ?? 3);
const RESOURCES = 200;

/** An apply takes about as long as this number of small concurrent reads. */
const MAX_READS = 40;

test(`an apply survives ${KILLS} kills, completely or not at all`, async () => {
  const random = seededRandom(Date.now());
  const dataDir = join(await temporaryFolder(), 'data');
  let possible: readonly string[] = [''];

  for (let round = 1; round <= KILLS; round += 1) {
    const server = await startServer({ dataDir });
    const before = await roundThatIsThere(server);
    expect(possible).toContain(before);
    const isAcknowledged = await applyUntilKilled(server, round, Math.floor(random() * MAX_READS));
    possible = isAcknowledged ? [String(round)] : [before, String(round)];
  }

  const last = await startServer({ dataDir });
  expect(possible).toContain(await roundThatIsThere(last));
  expect((await last.stop()).code).toBe(0);
  await inspectStorage(dataDir, async (storage) => {
    const { entries } = await replayedHistory(storage);
    // Each apply is one log entry, regardless of the number of resources.
    const applies = entries.filter(({ what }) => what.startsWith('round '));
    expect(applies.length).toBeLessThanOrEqual(KILLS);
    for (const { items } of applies)
      expect(items.filter(({ kind, before }) => kind === 'urlCheck' && before === null)).toHaveLength(RESOURCES);
  });
});

/** Fails unless all resources belong to one round, and that round is complete. */
async function roundThatIsThere({ client }: StartedServer): Promise<string> {
  const { resources } = (await client.request('GET', '/configuration?path=/urlchecks')).json() as {
    readonly resources: readonly { readonly path: string }[];
  };
  const rounds = new Set(resources.map(({ path }) => /^\/urlchecks\/(\d+)-/.exec(path)?.[1] ?? ''));
  expect(rounds.size).toBeLessThanOrEqual(1);
  expect([0, RESOURCES]).toContain(resources.length);
  return [...rounds][0] ?? '';
}

/** Whether the response arrived before the kill. */
async function applyUntilKilled(server: StartedServer, round: number, reads: number): Promise<boolean> {
  const resources = Array.from({ length: RESOURCES }, (_, index) => ({
    kind: 'urlCheck',
    path: `/urlchecks/${round}-${index}`,
    fields: { regex: `^https://${round}\\.example/.*$` },
  }));
  const body = JSON.stringify({ format: 'graticule-configuration/1', message: `round ${round}`, resources });
  const headers = { 'content-type': 'application/json' };
  const applied = server.client
    .request('POST', '/configuration/apply?mode=mirror&path=/urlchecks', { headers, body })
    .catch(() => undefined);
  for (let count = 0; count < reads; count += 1) await server.client.request('GET', '/about/version.json');
  await server.kill();
  const reply = await applied;
  expect([undefined, 200]).toContain(reply?.status);
  return reply !== undefined;
}
