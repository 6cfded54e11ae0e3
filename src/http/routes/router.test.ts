import { describe, expect, it } from 'vitest';
import { createRouteBuilders } from '../route-table/route-table.ts';
import { buildRouter, decodeSegment } from './router.ts';

const { getContent, family } = createRouteBuilders<null>();

function routerOf(...paths: readonly string[]) {
  const rows = paths.map((path) => getContent(path, 'Read', { mediaType: 'text/plain' }, async () => ''));
  const options = { description: '', formats: ['xml', 'json', 'html'], formatGroup: 'catalog' } as const;
  return buildRouter(family('Test', options, rows).routes);
}

const router = routerOf(
  '/rest',
  '/rest/workspaces',
  '/rest/workspaces/default',
  '/rest/workspaces/:workspace',
  '/rest/workspaces/:workspace/stores',
  '/rest/workspaces/:workspace/stores/:store',
  '/rest/openapi.json',
);

/** Returns the pattern, the names and the extension of a path. */
function where(rawPath: string): unknown {
  const match = router.match(rawPath);
  return match && [match.resource.pattern.slice('/rest'.length), ...Object.values(match.params), match.extension];
}

/** Returns the string that Node passes on for a path of raw UTF-8 bytes. */
function asRawBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}

describe('path matching', () => {
  it.each([
    ['the root', '/rest', ['', undefined]],
    ['the root, in a format', '/rest.html', ['', 'html']],
    ['a collection', '/rest/workspaces', ['/workspaces', undefined]],
    ['a collection, in a format', '/rest/workspaces.json', ['/workspaces', 'json']],
    ['a capital extension', '/rest/workspaces.XML', ['/workspaces', 'xml']],
    ['a name', '/rest/workspaces/acme', ['/workspaces/:workspace', 'acme', undefined]],
    ['a name, in a format', '/rest/workspaces/acme.xml', ['/workspaces/:workspace', 'acme', 'xml']],
    ['a name with a dot', '/rest/workspaces/my.ws', ['/workspaces/:workspace', 'my.ws', undefined]],
    ['a name with a dot, in a format', '/rest/workspaces/my.ws.json', ['/workspaces/:workspace', 'my.ws', 'json']],
    ['a name with many dots', '/rest/workspaces/a..b...c', ['/workspaces/:workspace', 'a..b...c', undefined]],
    ['an unknown extension', '/rest/workspaces/a.tif', ['/workspaces/:workspace', 'a.tif', undefined]],
    [
      'an extension that is a member of Object.prototype',
      '/rest/workspaces/a.constructor',
      ['/workspaces/:workspace', 'a.constructor', undefined],
    ],
    ['a format within a path', '/rest/workspaces/a.xml/stores', ['/workspaces/:workspace/stores', 'a.xml', undefined]],
    ['two names', '/rest/workspaces/a/stores/b.c.json', ['/workspaces/:workspace/stores/:store', 'a', 'b.c', 'json']],
    ['a literal before a name', '/rest/workspaces/default', ['/workspaces/default', undefined]],
    ['a literal with an extension before a name', '/rest/workspaces/default.xml', ['/workspaces/default', 'xml']],
    [
      'a literal only in its own position',
      '/rest/workspaces/default/stores',
      ['/workspaces/:workspace/stores', 'default', undefined],
    ],
    ['a literal that contains a dot', '/rest/openapi.json', ['/openapi.json', undefined]],
    ['a trailing slash', '/rest/workspaces/', ['/workspaces', undefined]],
    ['a trailing slash after a format', '/rest/workspaces/acme.xml/', ['/workspaces/:workspace', 'acme', 'xml']],
    ['doubled slashes', '//rest///workspaces//acme//', ['/workspaces/:workspace', 'acme', undefined]],
    ['a slash before the extension', '/rest/workspaces/acme/.json', ['/workspaces/:workspace', 'acme', 'json']],
    [
      'a slash before the extension of a name',
      '/rest/workspaces/a.xml/.json',
      ['/workspaces/:workspace', 'a.xml', 'json'],
    ],
    ['a slash before the extension of a collection', '/rest/workspaces/.xml', ['/workspaces', 'xml']],
    ['%20', '/rest/workspaces/a%20b', ['/workspaces/:workspace', 'a b', undefined]],
    ['a plus sign', '/rest/workspaces/a+b.xml', ['/workspaces/:workspace', 'a b', 'xml']],
    ['%2B', '/rest/workspaces/a%2Bb', ['/workspaces/:workspace', 'a+b', undefined]],
    ['%2F inside a name', '/rest/workspaces/a%2Fb', ['/workspaces/:workspace', 'a/b', undefined]],
    [
      '%2E, which never starts an extension',
      '/rest/workspaces/a%2Exml',
      ['/workspaces/:workspace', 'a.xml', undefined],
    ],
    ['double encoding, decoded once', '/rest/workspaces/a%252Fb', ['/workspaces/:workspace', 'a%2Fb', undefined]],
    ['encoded literals', '/rest/work%73paces/%64efault.xml', ['/workspaces/default', 'xml']],
    ['%2A, %40 and %2C', '/rest/workspaces/%2A%40%2C.xml', ['/workspaces/:workspace', '*@,', 'xml']],
    [
      'characters that need no encoding',
      "/rest/workspaces/~!$&'()*,;=:@-_",
      ['/workspaces/:workspace', "~!$&'()*,;=:@-_", undefined],
    ],
    ['encoded UTF-8', '/rest/workspaces/m%C3%BCnchen', ['/workspaces/:workspace', 'münchen', undefined]],
    ['unencoded UTF-8', asRawBytes('/rest/workspaces/münchen.xml'), ['/workspaces/:workspace', 'münchen', 'xml']],
    ['an unencoded emoji', asRawBytes('/rest/workspaces/🗺'), ['/workspaces/:workspace', '🗺', undefined]],
    ['both in one name', asRawBytes('/rest/workspaces/ü%C3%BC+ü'), ['/workspaces/:workspace', 'üü ü', undefined]],
    ['dots only', '/rest/workspaces/..', ['/workspaces/:workspace', '..', undefined]],
    [
      'encoded traversal, as an unknown name',
      '/rest/workspaces/%2e%2e%2f',
      ['/workspaces/:workspace', '../', undefined],
    ],
  ])('%s: %s', (_case, path, expected) => {
    expect(where(path)).toEqual(expected);
  });

  it.each([
    ['an unknown path', '/rest/nowhere'],
    ['a path with additional segments', '/rest/workspaces/a/stores/b/c'],
    ['a literal in different case', '/rest/Workspaces'],
    ['the host itself', '/'],
    ['a path parameter after a literal', '/rest/workspaces;v=1'],
    ['an unknown extension on a literal', '/rest/workspaces.tif'],
    ['an extension without a name', '/.xml'],
    ['dot segments, which are never resolved', '/rest/workspaces/x/../../workspaces'],
  ])('has no route for %s', (_case, path) => {
    expect(where(path)).toBeUndefined();
  });

  it.each([
    ['a percent sign alone', '/rest/workspaces/100%'],
    ['invalid hexadecimal digits', '/rest/workspaces/%zz'],
    ['half a character', '/rest/workspaces/%C3'],
    ['a surrogate', '/rest/workspaces/%ED%A0%80'],
    ['bytes that are not UTF-8', '/rest/workspaces/m\u00fcnchen'],
    ['malformed before the end', '/rest/workspaces/%/stores'],
  ])('returns 400 for %s: %s', (_case, path) => {
    expect(() => where(path)).toThrow(expect.objectContaining({ code: 'url-malformed', status: 400 }));
  });

  it('also returns the whole name, for a resource whose name contains the extension', () => {
    expect(router.match('/rest/workspaces/a.b.xml')).toMatchObject({
      params: { workspace: 'a.b' },
      extension: 'xml',
      wholeName: { workspace: 'a.b.xml' },
    });
    expect(router.match('/rest/workspaces/a.b')?.wholeName).toBeUndefined();
    expect(router.match('/rest/workspaces/a.b/.xml')?.wholeName).toBeUndefined();
  });

  it('backtracks from a literal without a match', () => {
    const forked = routerOf('/a/b/c', '/a/:x/d');

    expect(forked.match('/a/b/d')?.params).toEqual({ x: 'b' });
    expect(forked.match('/a/b/c')?.params).toEqual({});
  });

  it('removes only extensions of formats that the resource supports', () => {
    const rows = [getContent('/livez', 'Read', { mediaType: 'text/plain' }, async () => '')];
    const health = family('Health', { description: '', formats: [], formatGroup: 'contents' }, rows);

    expect(buildRouter(health.routes).match('/livez.xml')).toBeUndefined();
    expect(buildRouter(health.routes).match('/livez/.xml')).toBeUndefined();
  });
});

describe('repeated paths', () => {
  it('match the same route after many other paths', () => {
    const first = where('/rest/workspaces/acme.json');
    for (let count = 0; count < 2_000; count += 1) {
      expect(where(`/rest/workspaces/other-${count}`)).toEqual(['/workspaces/:workspace', `other-${count}`, undefined]);
    }

    expect(where('/rest/workspaces/acme.json')).toEqual(first);
  });

  it('share frozen results', () => {
    const match = router.match('/rest/workspaces/acme');

    expect(match).toBe(router.match('/rest/workspaces/acme'));
    expect(Object.isFrozen(match?.params)).toBe(true);
  });
});

describe('methods of a path', () => {
  it('follow from its rows', () => {
    expect(router.resources.map((resource) => resource.allowed)).toContainEqual(['GET', 'HEAD', 'OPTIONS']);
  });

  it('cannot be declared twice', () => {
    expect(() => routerOf('/a', '/a')).toThrow('Duplicate route GET /a');
  });

  it('cannot name one variable differently', () => {
    expect(() => routerOf('/a/:x', '/a/:y/z')).toThrow("must name the variable ':x'");
  });
});

it('decodes a segment once', () => {
  expect(decodeSegment('a%2520b+c')).toBe('a%20b c');
});
