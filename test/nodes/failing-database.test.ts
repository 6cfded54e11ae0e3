/** After any failure of the database or the network, no data is lost, no read is stale, and the nodes recover. */
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
/** The outage must be long enough for some requests to fail. */
const AWAY_MS = Number(process.env['NODE_FAILURE_MS'] ?? 1_000);

describeWithTool('postgis', 'two nodes with a failing database', () => {
  let postgres: OwnPostgres;
  let relay: Relay;
  let nodes: readonly [RealNode, RealNode];

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const { connection } = postgres;
    relay = await openRelay(connection);
    nodes = [
      await createNode(postgresAddress({ connection }, 'graticule')),
      // The connection of this node can be cut.
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

  /** The failures: how each begins and ends, and which nodes it affects. */
  const failures: Readonly<
    Record<string, { begin(): unknown; end(): unknown; readonly ofBoth: boolean; readonly canRead?: boolean }>
  > = {
    restarts: { begin: () => postgres.stop('in order'), end: () => postgres.start(), ofBoth: true },
    crashes: { begin: () => postgres.stop('crash'), end: () => postgres.start(), ofBoth: true },
    'is paused': { begin: () => postgres.pause(), end: () => postgres.resume(), ofBoth: true },
    'is read-only': {
      begin: () => postgres.setReadOnly(true),
      end: () => postgres.setReadOnly(false),
      ofBoth: true,
      canRead: true,
    },
    'rejects connections of one node': { begin: () => relay.cut(), end: () => relay.mend(), ofBoth: false },
    'drops the messages of one node': { begin: () => relay.swallow(), end: () => relay.mend(), ofBoth: false },
  };

  test.each(Object.entries(failures))(
    'recovers without data loss when the database %s',
    async (title, { begin, end, ofBoth, canRead = false }) => {
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
          if (!ofBoth)
            expect((await ask(nodes[0], '/geoserver/rest/workspaces', named(`${prefix}on`))).status).toBe(201);
        } finally {
          await end();
        }
        for (const [index, node] of nodes.entries()) {
          const name = `${prefix}n${index}`;
          // A client that does not know whether its create succeeded may find the workspace existing.
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
    },
  );

  test('a node that starts before the database waits for it and logs that', async () => {
    const late = await createNode(postgresAddress(postgres, 'graticule'));
    postgres.stop('in order');
    const started = late.start();
    started.catch(() => undefined);
    try {
      await expect.poll(() => late.readOutput()).toContain('the database or the object store is unavailable: retrying');
    } finally {
      postgres.start();
    }

    await started;
    expect(await statusOf(late, '/geoserver/rest/workspaces.json')).toBe(200);
    await late.stop();
  });
});

const named = (name: string) => ({ workspace: { name } });
