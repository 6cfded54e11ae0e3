/** Operations lead to the same state in a batch as one after the other. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';

/** A release check uses several hundred runs. */
const RUNS = Number(process.env['BATCH_RUNS'] ?? 15);

const alone = useTestServer();
const together = useTestServer();

interface Operation {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** A small set of names makes operations conflict with each other. */
const name = fc.constantFrom('a', 'b', 'c');
const flag = fc.boolean();

const operation: fc.Arbitrary<Operation> = fc.oneof(
  name.map((each): Operation => ({ method: 'POST', path: '/workspaces', body: { workspace: { name: each } } })),
  fc.tuple(name, name, flag).map(
    ([each, other, isolated]): Operation => ({
      method: 'PUT',
      path: `/workspaces/${each}`,
      body: { workspace: { name: other, isolated } },
    }),
  ),
  fc
    .tuple(name, flag)
    .map(([each, recurse]): Operation => ({ method: 'DELETE', path: `/workspaces/${each}?recurse=${recurse}` })),
  name.map((each): Operation => ({ method: 'PUT', path: '/workspaces/default', body: { workspace: { name: each } } })),
  fc.tuple(name, name).map(
    ([workspace, each]): Operation => ({
      method: 'POST',
      path: `/workspaces/${workspace}/styles`,
      body: { style: { name: each, filename: `${each}.sld` } },
    }),
  ),
  fc.tuple(name, name, flag).map(
    ([workspace, each, enabled]): Operation => ({
      method: 'POST',
      path: `/workspaces/${workspace}/datastores`,
      body: { dataStore: { name: each, enabled, connectionParameters: { entry: { dbtype: 'postgis', host: 'h' } } } },
    }),
  ),
  fc.tuple(name, flag).map(
    ([each, enabled]): Operation => ({
      method: 'POST',
      path: '/urlchecks',
      body: { regexUrlCheck: { name: each, enabled, regex: '^http://x/.*$' } },
    }),
  ),
  name.map((each): Operation => ({ method: 'DELETE', path: `/urlchecks/${each}` })),
  name.map((each): Operation => ({ method: 'POST', path: `/security/roles/role/ROLE_${each.toUpperCase()}` })),
  fc.tuple(name, name).map(
    ([workspace, role]): Operation => ({
      method: 'POST',
      path: '/security/acl/layers',
      body: { [`${workspace}.*.r`]: `ROLE_${role.toUpperCase()}` },
    }),
  ),
);

async function hashOf(server: typeof alone): Promise<string> {
  return ((await server.get('/configuration')).json() as { readonly hash: string }).hash;
}

it('random operations lead to the same state in a batch as one after the other', async () => {
  let batches = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 8 }), async (operations) => {
      const done: Operation[] = [];
      const statuses: number[] = [];
      for (const each of operations) {
        const body = each.body === undefined ? {} : { body: JSON.stringify(each.body), type: 'json' as const };
        const { status } = await alone.request(each.method, each.path, body);
        // A rejected operation changes nothing, and would end a batch.
        if (status < 400) {
          done.push(each);
          statuses.push(status);
        }
      }
      if (done.length > 0) {
        const reply = await together.post('/batch', JSON.stringify({ operations: done }));
        const { results } = reply.json() as { readonly results: readonly { readonly status: number }[] };

        batches += 1;
        expect([reply.status, results.map(({ status }) => status)], JSON.stringify(done)).toEqual([200, statuses]);
      }
      expect(await hashOf(together), JSON.stringify(done)).toBe(await hashOf(alone));
    }),
    { numRuns: RUNS },
  );
  // Random operations succeed far more often than this.
  expect(batches).toBeGreaterThan(RUNS / 4);
});
