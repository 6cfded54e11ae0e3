import { describe, expect, it } from 'vitest';
import { ANYONE } from '../../src/http/auth/auth.ts';
import { dialects } from '../../src/interface/common/dialects.ts';
import { createRouteFamilies } from '../../src/interface/route-families.ts';
import { type RequestOptions, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

/** Every operation below the REST root, read from the route tables so that new routes are included. */
const allOperations = createRouteFamilies(dialects.graticule, '0').flatMap((table) =>
  table.routes.map((route) => ({
    method: route.method,
    path: route.path.replace(/[:*]\w+/g, 'made-up'),
    pattern: `${route.method} ${route.path}`,
    isPublic: route.role === ANYONE,
  })),
);

const operations = allOperations.filter(({ isPublic }) => !isPublic);

/** Operations that are open to users without any role. */
const forEverybodyLoggedIn = new Set([
  'PUT /security/self/password',
  'GET /security/self',
  'GET /security/self/tokens',
  'POST /security/self/tokens',
  'GET /security/self/tokens/:token',
  'DELETE /security/self/tokens/:token',
]);

/** Requests with several errors: unauthorized callers must not learn about any of them. */
const wrongRequests: readonly { readonly what: string; readonly query?: string; readonly how: RequestOptions }[] = [
  { what: 'a body of an unknown type', how: { type: 'application/x-nonsense', body: 'nonsense' } },
  { what: 'a body without a type', how: { body: 'nonsense' } },
  { what: 'malformed JSON', how: { type: 'json', body: '{"a":' } },
  { what: 'malformed XML', how: { type: 'xml', body: '<a' } },
  { what: 'an unknown content coding', how: { type: 'json', body: '{}', headers: { 'content-encoding': 'bogus' } } },
  { what: 'an unacceptable format', how: { headers: { accept: 'image/x-nonsense' } } },
  { what: 'an invalid precondition', how: { headers: { 'if-match': 'nonsense' } } },
  { what: 'an invalid range', how: { headers: { range: 'bytes=nonsense' } } },
  { what: 'an invalid retry key', how: { headers: { 'idempotency-key': 'with spaces in it' } } },
  { what: 'a retry key', how: { type: 'application/x-nonsense', body: 'x', headers: { 'idempotency-key': 'one' } } },
  { what: 'an invalid dryRun value', query: '?dryRun=maybe', how: {} },
  { what: 'unknown parameters', query: '?nonsense=1', how: { headers: { prefer: 'handling=strict' } } },
  { what: 'invalid parameters', query: '?limit=x&recurse=x&configure=x&operation=x', how: {} },
  { what: 'another origin', how: { type: 'json', body: '{}', headers: { origin: 'https://evil.example' } } },
];

/** The test sends a few hundred requests, possibly while other tests load the machine. */
const WALK_TIMEOUT_MS = 600_000;

describe('access to every operation', () => {
  const server = useTestServer();

  it('is public for the sign-in only', () => {
    expect(allOperations.flatMap(({ isPublic, pattern }) => (isPublic ? [pattern] : []))).toEqual([
      'GET /security/signin',
      'POST /security/signin/:providerName',
    ]);
  });

  it(
    'requires credentials from anonymous clients in every spelling and for every method',
    async () => {
      for (const { method, path } of operations) {
        const doubled = `/${server.server.restRoot}${path.replaceAll('/', '//')}`;
        const spellings = [`${path}.xml`, `${path}.json`, `${path}/`, doubled, `${path};a=b`];
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
    'denies access to a user without a role, unless the operation is open to all users',
    async () => {
      const ann = await addUser(server, 'ann');

      for (const { method, path, pattern } of operations) {
        const reply = await server.request(method, path || '/', { as: ann });
        if (forEverybodyLoggedIn.has(pattern)) {
          expect([200, 400, 404], pattern).toContain(reply.status);
        } else {
          expect(reply.status, pattern).toBe(403);
        }
      }
    },
    WALK_TIMEOUT_MS,
  );

  it.each(wrongRequests)(
    'checks permissions before anything else in a request: $what',
    { timeout: WALK_TIMEOUT_MS },
    async ({ what, query = '', how }) => {
      const name = `ben-${wrongRequests.findIndex((each) => each.what === what)}`;
      const ben = await addUser(server, name);

      for (const { method, path, pattern } of operations.filter((each) => !forEverybodyLoggedIn.has(each.pattern))) {
        const refused = await server.request(method, `${path || '/'}${query}`, { ...how, as: ben });
        const anonymous = await server.request(method, `${path || '/'}${query}`, { ...how, as: null });
        expect([pattern, refused.status, anonymous.status]).toEqual([pattern, 403, 401]);
      }
    },
  );

  it.each(['/gwc/rest/seed', '/gwc/rest/seed/acme:x', '/gwc/rest/masstruncate'])(
    'checks permissions before the body of POST %s',
    async (path) => {
      const name = `cleo-${path.length}`;
      const cleo = await addUser(server, name);
      const body = { type: 'application/x-nonsense', headers: { 'content-encoding': 'bogus' }, body: 'nonsense' };

      const refused = await server.request('POST', `//geoserver${path}`, { ...body, as: cleo });
      const anonymous = await server.request('POST', `//geoserver${path}`, { ...body, as: null });

      expect([refused.status, anonymous.status]).toEqual([403, 401]);
    },
  );
});
