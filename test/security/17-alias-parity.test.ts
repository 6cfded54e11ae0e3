/** Lesson 17: every spelling of an address denies access to unauthorized callers in the same way. */
import { describe, expect, it } from 'vitest';
import { ANYONE } from '../../src/http/auth/auth.ts';
import { dialects } from '../../src/interface/common/dialects.ts';
import { healthRoutes } from '../../src/interface/health/routes.ts';
import { metricsRoutes } from '../../src/interface/metrics/routes.ts';
import { createRouteFamilies } from '../../src/interface/route-families.ts';
import { everyRoute } from '../support/every-route.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

/** The test sends thousands of requests, possibly while other tests load the machine. */
const WALK_TIMEOUT_MS = 600_000;

const tables = createRouteFamilies(dialects.geoserver, '0');
const outside = [healthRoutes({ isDraining: () => false, isWritable: () => true }), metricsRoutes('administrators')];

/** Every path below the REST root, read from the route tables so that new routes are included. */
const paths = [...new Set(everyRoute('geoserver').map(({ path }) => path('made-up')))].filter(
  // Anyone can sign in.
  (path) => !path.startsWith('/security/signin'),
);

/** Every user may change their own password. */
const forEverybodyLoggedIn = '/security/self';

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'];

/** Other spellings of the same address. */
function aliasesOf(path: string): readonly string[] {
  return [`${path}/`, `${path}//`, path.replaceAll('/', '//'), path.replace(/\w/, percentEncoded), `${path}?a=b`];
}

/** Similar addresses; most are unknown, some select another format of the same resource. */
function lookalikesOf(path: string): readonly string[] {
  const extensions = ['.xml', '.json', '.html', '.XML', '.Json', '.sld', '.zip', '.xml/', '.', '.xml.json'];
  return [
    ...extensions.map((extension) => `${path}${extension}`),
    ...[`${path}/.json`, `${path};a=b`, path.replace('/', ';a=b/'), path.toUpperCase(), `${path}%20`, `${path}%2F`],
    ...[`${path}%2Ejson`, `${path}%00`, `${path}/%zz`, `${path}/more`],
  ];
}

/** An address in another spelling, and the methods that are tested there. */
type Spelling = readonly [address: string, methods: readonly string[]];

/**
 * All methods at the address itself, a sample at its aliases, and one at each similar address: another one for the next
 * path, so that each kind of address is tested with each method.
 */
function listSpellings(path: string, index: number): readonly Spelling[] {
  return [
    [path, methods],
    ...aliasesOf(path).map((alias): Spelling => [alias, ['GET', 'OPTIONS', 'DELETE']]),
    ...lookalikesOf(path).map(
      (lookalike, kind): Spelling => [lookalike, [methods[(index + kind) % methods.length] ?? 'GET']],
    ),
  ];
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

it('the public list is short', () => {
  const open = [...tables, ...outside].flatMap((table) => table.routes).filter((route) => route.role === ANYONE);

  expect(open.map((route) => `${route.method} ${route.path}`)).toEqual([
    'GET /security/signin',
    'POST /security/signin/:providerName',
    'GET /livez',
    'GET /readyz',
  ]);
});

describe('access to every address', () => {
  const server = useTestServer({ compat: 'geoserver' });
  const ask = (method: string, path: string, as: string | null) =>
    server.request(method, `/${server.server.restRoot}${path}`, { as });

  it('requires credentials from anonymous clients in every spelling and with every method', {
    timeout: WALK_TIMEOUT_MS,
  }, async () => {
    for (const [index, path] of paths.entries()) {
      const answers = new Map<string, number>();
      for (const [spelling, tested] of listSpellings(path, index)) {
        for (const method of tested) {
          const { status, headers } = await ask(method, spelling, null);
          answers.set(`${method} ${spelling}`, headers['www-authenticate'] === undefined ? 0 : status);
        }
      }

      expect([...answers].filter(([, status]) => status !== 401)).toEqual([]);
    }
  });

  it('denies access to a user without a role in every spelling and with every method', {
    timeout: WALK_TIMEOUT_MS,
  }, async () => {
    const ann = await addUser(server, 'ann');

    for (const [index, path] of paths.filter((each) => !each.startsWith(forEverybodyLoggedIn)).entries()) {
      const answers = new Map<string, number>();
      const aliases = [path, ...aliasesOf(path)];
      for (const [spelling, tested] of listSpellings(path, index)) {
        const expected = aliases.includes(spelling) ? [403] : [400, 403, 404];
        for (const method of tested) {
          const { status } = await ask(method, spelling, ann);
          answers.set(`${method} ${spelling}`, expected.includes(status) ? 0 : status);
        }
      }

      expect([...answers].filter(([, status]) => status !== 0)).toEqual([]);
    }
  });
});

describe('wrong passwords', () => {
  // Moves the clock by a minute per guess; otherwise the throttle answers 429 after a few guesses.
  let nowMs = Date.now();
  const server = useTestServer({ clock: () => nowMs });

  it.each([
    ['the wrong password of an existing user', 'Basic YWRtaW46d3Jvbmc='],
    ['an empty password', 'Basic YWRtaW46'],
    ['an unknown user', 'Basic bm9ib2R5Ong='],
    ['an empty user', 'Basic Og=='],
    ['credentials without a colon', 'Basic YWRtaW4='],
    ['invalid base64', 'Basic !!!'],
    ['a scheme without credentials', 'Basic'],
    ['an empty header', ''],
    ['another scheme', 'Bearer YWRtaW46d3Jvbmc='],
    ['a password without a scheme', 'a password for tests'],
  ])('rejects credentials at every address like missing ones: %s', async (_case, authorization) => {
    for (const path of ['', '.html', '/workspaces', '/workspaces/made-up.json', '/openapi.json', '/nowhere', '/%zz']) {
      nowMs += 61_000;
      const reply = await server.get(path, { as: null, headers: { authorization } });

      expect([path, reply.status]).toEqual([path, 401]);
      expect(reply.text).not.toMatch(/made-up|No resource exists|workspaces\./);
    }
  });
});

describe('paths that only a raw socket can send', () => {
  const client = useSocketClient();
  const get = (target: string) => client.exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

  it.each([
    '/geoserver/rest.html',
    '/geoserver/rest.json/',
    '/geoserver/rest/.html',
    '/geoserver/rest/../rest/workspaces',
    '/geoserver/rest/..;/rest/workspaces',
    '/geoserver/rest%2Fworkspaces',
    '/geoserver/%72est/workspaces',
    '//geoserver//rest//workspaces',
    '/geoserver/rest/workspaces%00.html',
    '/geoserver/rest/workspaces#.html',
    'http://x/geoserver/rest/workspaces',
    'HTTP://x:80//geoserver/rest/workspaces?livez',
    '/metrics',
  ])('returns 401 for %s', async (target) => {
    expect(await get(target)).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  });

  it.each([
    '/geoserver/./rest/workspaces',
    '/livez/../geoserver/rest/workspaces',
    '/livez/..%2fgeoserver/rest/workspaces',
    '/livez;/../geoserver/rest',
    '/geoserver%2frest/workspaces',
    '/GEOSERVER/REST/workspaces',
    '/geoserver\\rest\\workspaces',
    '/rest',
    '/geoserver/x',
    '/geoserver/web/x',
    '/favicon.ico/x',
    '/favicon.ico.html',
    '/geoserver/favicon.ico',
    '/livez.json',
    '/livez/x',
    '/LIVEZ',
  ])('returns 404 for %s, which is no spelling of a REST path', async (target) => {
    expect(await get(target)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  });

  it.each(['/livez', '/readyz', '/livez/', '//readyz', '/livez?a=b', 'http://x/livez'])(
    'returns 200 for %s',
    async (target) => {
      const said = await get(target);

      expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(said).toMatch(/\r\n\r\nok\n$/);
    },
  );
});
