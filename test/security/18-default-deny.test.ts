import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/interface/dialects.ts';
import { families } from '../../src/interface/families.ts';
import { useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

/** Every operation below the REST root; a route that is added is walked as well. */
const operations = families(dialects.graticule, '0').flatMap((table) =>
  table.routes.map((route) => ({
    method: route.method,
    path: route.path.replace(/[:*]\w+/g, 'made-up'),
    pattern: `${route.method} ${route.path}`,
  })),
);

/** What somebody without any role may do. */
const forEverybodyLoggedIn = new Set(['PUT /security/self/password', 'POST /batch']);

/** A few hundred requests, on a machine that may be busy with other tests. */
const WALK_TIMEOUT_MS = 600_000;

describe('every operation', () => {
  const server = useTestServer();

  it(
    'asks the anonymous for credentials, in every spelling and for every method',
    async () => {
      for (const { method, path } of operations) {
        const spellings = [`${path}.xml`, `${path}.json`, `${path}/`, path.replaceAll('/', '//'), `${path};a=b`];
        const requests = [
          ...spellings.map((spelling) => [method, spelling] as const),
          ...[method, 'HEAD', 'OPTIONS', 'PATCH'].map((each) => [each, path || '/'] as const),
        ];
        const replies = await Promise.all(
          requests.map(([each, spelling]) => server.request(each, spelling, { as: null })),
        );
        expect(replies.map(({ status }, index) => `${requests[index]?.join(' ')}: ${status}`)).toEqual(
          requests.map((each) => `${each.join(' ')}: 401`),
        );
      }
    },
    WALK_TIMEOUT_MS,
  );

  it(
    'refuses a user without a role, unless it is for everybody',
    async () => {
      const ann = await addUser(server, 'ann');

      for (const { method, path, pattern } of operations) {
        const reply = await server.request(method, path || '/', { as: ann });
        if (forEverybodyLoggedIn.has(pattern)) {
          expect(reply.status, pattern).toBe(400);
        } else {
          expect(reply.status, pattern).toBe(403);
        }
      }
    },
    WALK_TIMEOUT_MS,
  );
});
