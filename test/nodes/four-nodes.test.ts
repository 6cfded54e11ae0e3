/** Four real nodes behind a round-robin proxy behave as one server, even while some of them are killed. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { asAdministrator, createNode, type RealNode, type RoundRobin, startRoundRobin } from '../support/real-nodes.ts';
import { expectLinearizable, runClients } from '../support/seen-by-clients.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { trials } from '../support/write-trials.ts';

const NODES = 4;
const CLIENTS = Number(process.env['NODE_CLIENTS'] ?? 64);
const OPERATIONS = Number(process.env['NODE_OPERATIONS'] ?? 8);
const KILLS = Number(process.env['NODE_KILLS'] ?? 2);
/** Time for a kill and the following start on a busy machine. */
const KILL_MS = 60_000;
/** Longer than a node may block all others. */
const PAUSE_MS = Number(process.env['NODE_PAUSE_MS'] ?? 9_500);

describeWithPostgis('four nodes behind a proxy', (postgis) => {
  let nodes: readonly RealNode[];
  let proxy: RoundRobin;

  beforeAll(async () => {
    const storage = postgresAddress(postgis, 'graticule');
    nodes = await Promise.all(Array.from({ length: NODES }, () => createNode(storage)));
    await Promise.all(nodes.map((node) => node.start()));
    proxy = await startRoundRobin(nodes);
  });
  afterAll(async () => {
    proxy?.close();
    await Promise.all(nodes?.map((node) => node.stop()) ?? []);
  });

  /** The response of a node without its address, which differs between nodes. */
  async function ask(node: RealNode, method: string, path: string, body?: string | Buffer, type?: string) {
    const reply = await fetch(`${node.origin}/geoserver/rest${path}`, {
      method,
      headers: { authorization: asAdministrator, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const text = (await reply.text()).replaceAll(node.origin, '');
    return { status: reply.status, etag: reply.headers.get('etag'), text };
  }

  test('a write through one node is immediately visible through every other node', async () => {
    const types: Readonly<Record<string, string>> = { xml: 'application/xml', json: 'application/json' };
    const statuses = new Map<number, number>();
    const differences: string[] = [];

    for (const [index, [row, path, sent]] of trials.entries()) {
      const [method = ''] = row.split(' ');
      const writer = nodes[index % NODES];
      if (writer === undefined) continue;
      const type = sent?.type === undefined ? undefined : (types[sent.type] ?? sent.type);
      const { status, text } = await ask(writer, method, path, sent?.body, type);
      expect([500, 502, 503], `${row}: ${text}`).not.toContain(status);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const read = path.split('?')[0] ?? path;

      const [first, ...others] = await Promise.all(nodes.map((node) => ask(node, 'GET', read)));

      if (others.some((other) => !isDeepStrictEqual(other, first))) {
        differences.push(`GET ${read} after ${row} reported ${JSON.stringify([first, ...others])}`);
      }
    }

    expect(differences).toEqual([]);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(50);
    expect(statuses.get(201) ?? 0).toBeGreaterThan(40);
  });

  async function expectNumbersWithoutGaps(): Promise<void> {
    const [row] = await postgis.query(
      'SELECT count(*)::int AS count, max(sequence)::int AS last, (SELECT sequence::int FROM graticule.head) AS head FROM graticule.changes',
    );
    expect(row).toEqual({ count: row?.['last'], last: row?.['last'], head: row?.['last'] });
  }

  test(`${CLIENTS} clients observe one consistent server while the data key is rotated`, async () => {
    const running = runClients({
      origin: () => proxy.origin,
      prefix: 'calm',
      clients: CLIENTS,
      goesOn: (operations) => operations < OPERATIONS,
      random: Math.random,
    });
    const rotation = nodes[1] && (await ask(nodes[1], 'POST', '/security/keystore/data-key'));
    const seen = await running;

    expect(rotation).toMatchObject({ status: 200 });
    expect({ refused: seen.refused, unknown: seen.unknown }).toEqual({ refused: 0, unknown: 0 });
    expectLinearizable(seen);
    await expectNumbersWithoutGaps();
  });

  test(
    `clients observe one consistent server while nodes are killed ${KILLS} times`,
    async () => {
      let isOver = false;
      const running = runClients({
        origin: () => proxy.origin,
        prefix: 'killed',
        clients: CLIENTS / 4,
        goesOn: () => !isOver,
        random: Math.random,
      });
      try {
        for (let round = 0; round < KILLS; round += 1) {
          const victim = nodes[round % NODES];
          await delay(300 + Math.random() * 500);
          await victim?.kill();
          await victim?.start();
        }
      } finally {
        isOver = true;
      }

      const seen = await running;
      expect(seen.answered).toBeGreaterThan(KILLS * 10);
      expectLinearizable(seen);
      await expectNumbersWithoutGaps();
    },
    600_000 + KILLS * KILL_MS,
  );

  test('a paused node blocks the others only for a limited time, and returns no stale data afterwards', async () => {
    const [victim] = nodes;
    let isOver = false;
    const running = runClients({
      origin: () => proxy.origin,
      prefix: 'paused',
      clients: CLIENTS / 4,
      goesOn: () => !isOver,
      random: Math.random,
    });
    try {
      await delay(500);
      victim?.signal('SIGSTOP');
      await delay(PAUSE_MS);
      const [, other] = nodes;
      const made =
        other && (await ask(other, 'POST', '/workspaces', '{"workspace":{"name":"meanwhile"}}', 'application/json'));
      expect(made?.status).toBe(201);
      victim?.signal('SIGCONT');
      expect(victim && (await ask(victim, 'GET', '/workspaces/meanwhile.json')).status).toBe(200);
      await delay(500);
    } finally {
      victim?.signal('SIGCONT');
      isOver = true;
    }

    expectLinearizable(await running);
    await expectNumbersWithoutGaps();
  });
});
