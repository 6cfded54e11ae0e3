/** Whatever happens to the database, or to the way there: nothing is lost, nobody is told the past, and all goes on by itself. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { asAdministrator, createNode, type RealNode } from '../support/real-nodes.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import { expectLinearizable, runClients } from '../support/seen-by-clients.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/services/own-postgres.ts';
import { describeWithTool } from '../support/with-tool.ts';

const CLIENTS = Number(process.env['NODE_CLIENTS'] ?? 16);
const ROUNDS = Number(process.env['NODE_FAILURES'] ?? 1);
/** How long the database is away: some requests are to hear of it. */
const AWAY_MS = Number(process.env['NODE_FAILURE_MS'] ?? 1_000);

describeWithTool('postgis', 'two nodes whose database fails', () => {
  let postgres: OwnPostgres;
  let relay: Relay;
  let nodes: readonly [RealNode, RealNode];

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const { connection } = postgres;
    relay = await openRelay(connection);
    nodes = [
      await createNode(postgresAddress({ connection }, 'graticule')),
      // The way of this one can be cut off.
      await createNode(postgresAddress({ connection: { ...connection, port: relay.port } }, 'graticule')),
    ];
    await Promise.all(nodes.map((node) => node.start()));
  });
  afterAll(async () => {
    await Promise.all(nodes?.map((node) => node.stop()) ?? []);
    relay?.close();
    await postgres?.close();
  });

  function ask(node: RealNode, path: string, body?: object): Promise<Response> {
    return fetch(`${node.origin}${path}`, {
      headers: { authorization: asAdministrator, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  }
  const statusOf = async (node: RealNode, path: string) => (await ask(node, path)).status;

  /** What can happen: how it begins and how it ends, and to which nodes. */
  const failures: Readonly<
    Record<string, { begin(): unknown; end(): unknown; readonly ofBoth: boolean; readonly canRead?: boolean }>
  > = {
    'is started anew': { begin: () => postgres.stop('in order'), end: () => postgres.start(), ofBoth: true },
    crashes: { begin: () => postgres.stop('crash'), end: () => postgres.start(), ofBoth: true },
    'stands still': { begin: () => postgres.pause(), end: () => postgres.resume(), ofBoth: true },
    'is read-only': {
      begin: () => postgres.setReadOnly(true),
      end: () => postgres.setReadOnly(false),
      ofBoth: true,
      canRead: true,
    },
    'refuses connections of one': { begin: () => relay.cut(), end: () => relay.mend(), ofBoth: false },
    'swallows what one says': { begin: () => relay.swallow(), end: () => relay.mend(), ofBoth: false },
  };

  test.each(Object.entries(failures))('it %s', async (title, { begin, end, ofBoth, canRead = false }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const prefix = `${title.replaceAll(' ', '')}${round}`;
      let isOver = false;
      let turn = 0;
      const running = runClients({
        origin: () => {
          turn += 1;
          return nodes[turn % 2]?.origin ?? '';
        },
        prefix,
        clients: CLIENTS,
        goesOn: () => !isOver,
        random: Math.random,
      });
      await delay(700);

      await begin();
      let during: readonly number[];
      try {
        await delay(AWAY_MS);
        const [, cutOff] = nodes;
        during = await Promise.all(
          ['/geoserver/rest/workspaces.json', '/readyz', '/livez'].map((path) => statusOf(cutOff, path)),
        );
        if (!ofBoth) expect((await ask(nodes[0], '/geoserver/rest/workspaces', named(`${prefix}on`))).status).toBe(201);
      } finally {
        await end();
      }
      for (const [index, node] of nodes.entries()) {
        const name = `${prefix}n${index}`;
        // Who has not heard whether it was made finds it made.
        await expect
          .poll(async () => (await ask(node, '/geoserver/rest/workspaces', named(name))).status)
          .toSatisfy((status: number) => status === 201 || status === 409);
        expect(await statusOf(node, '/readyz')).toBe(200);
      }
      isOver = true;

      const seen = await running;
      expect(during).toEqual(canRead ? [200, expect.any(Number), 200] : [503, 503, 200]);
      expect(seen.answered).toBeGreaterThan(CLIENTS);
      expectLinearizable(seen);
      const [row] = await postgres.query(
        'SELECT count(*)::int AS count, max(sequence)::int AS last, (SELECT sequence::int FROM graticule.head) AS head FROM graticule.changes',
      );
      expect(row).toEqual({ count: row?.['last'], last: row?.['last'], head: row?.['last'] });
    }
  });

  test('a node that is started before it waits for it, and says so', async () => {
    const late = await createNode(postgresAddress(postgres, 'graticule'));
    postgres.stop('in order');
    const started = late.start();
    started.catch(() => undefined);
    try {
      await expect.poll(() => late.said()).toContain('the database is unavailable: retrying');
    } finally {
      postgres.start();
    }

    await started;
    expect(await statusOf(late, '/geoserver/rest/workspaces.json')).toBe(200);
    await late.stop();
  });
});

const named = (name: string) => ({ workspace: { name } });
