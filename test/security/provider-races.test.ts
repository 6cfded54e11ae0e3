import fc from 'fast-check';
import { expect, it } from 'vitest';
import { enabledNames, inJson, inXml } from '../support/auth-providers.ts';
import { useTestServer } from '../support/test-server.ts';

const path = '/security/authproviders';
const server = useTestServer();

it('stores each of several providers created at the same time once', async () => {
  const made = Array.from({ length: 20 }, (_each, index) => `made-${index}`);

  const replies = await Promise.all(
    made.map((name, index) => server.post(`${path}?position=0`, index % 2 === 0 ? inXml(name) : inJson(name))),
  );

  expect(replies.map((reply) => reply.status)).toEqual(made.map(() => 201));
  expect([...(await enabledNames(server))].sort()).toEqual(['default', ...made].sort());
});

it('creates one provider when many requests use the same name at the same time', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => server.post(path, inXml('wanted'))));

  expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array<number>(19).fill(400)]);
  expect((await enabledNames(server)).filter((name) => name === 'wanted')).toHaveLength(1);
});

it('lets one of many simultaneous deletions succeed and rejects the others', async () => {
  await server.post(path, inXml('doomed'));

  const replies = await Promise.all(Array.from({ length: 10 }, () => server.delete(`${path}/doomed`)));

  expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array<number>(9).fill(410)]);
});

type Step =
  | { readonly kind: 'create' | 'delete'; readonly name: string; readonly position: number | null }
  | { readonly kind: 'move'; readonly name: string; readonly position: number }
  | { readonly kind: 'order'; readonly names: readonly string[] };

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('create', 'delete'), name, position: fc.option(fc.nat(5)) }),
  fc.record({ kind: fc.constant('move'), name, position: fc.nat(5) }),
  fc.record({ kind: fc.constant('order'), names: fc.uniqueArray(name, { minLength: 1 }) }),
);

function take(each: Step) {
  switch (each.kind) {
    case 'create':
      return server.post(`${path}${each.position === null ? '' : `?position=${each.position}`}`, inJson(each.name));
    case 'delete':
      return server.delete(`${path}/${each.name}`);
    case 'move':
      return server.put(`${path}/${each.name}?position=${each.position}`, inJson(each.name));
    case 'order':
      return server.put(`${path}/order`, JSON.stringify({ order: each.names }));
  }
}

it('lists each stored provider once after any simultaneous operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const replies = await Promise.all(steps.map(take));

      for (const { status } of replies) {
        expect([200, 201, 400, 404, 410]).toContain(status);
      }
      const listed = await enabledNames(server);
      expect(new Set(listed).size).toBe(listed.length);
      for (const each of listed) {
        expect((await server.get(`${path}/${each}`)).status).toBe(200);
      }
    }),
    { numRuns: 25 },
  );
});
