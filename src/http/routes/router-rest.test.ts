import { describe, expect, it } from 'vitest';
import { createRouteBuilders } from '../route-table/route-table.ts';
import { buildRouter } from './router.ts';

const { getContent, family } = createRouteBuilders<null>();

const router = buildRouter(
  family(
    'Test',
    { description: '', formats: ['xml', 'json'], formatGroup: 'catalog' },
    ['/files', '/files/list', '/files/:name/size', '/files/*path'].map((path) =>
      getContent(path, 'Read', { mediaType: 'text/plain' }, async () => ''),
    ),
  ).routes,
);

function where(rawPath: string): unknown {
  const match = router.match(rawPath);
  return match && [match.resource.pattern, match.params, match.extension, match.wholeName];
}

describe('variable for the rest of a path', () => {
  it.each([
    ['one segment', '/files/a', ['/files/*path', { path: 'a' }, undefined, undefined]],
    ['several segments', '/files/a/b/c', ['/files/*path', { path: 'a/b/c' }, undefined, undefined]],
    ['an encoded slash', '/files/a%2Fb/c', ['/files/*path', { path: 'a/b/c' }, undefined, undefined]],
    ['doubled slashes', '/files//a//b/', ['/files/*path', { path: 'a/b' }, undefined, undefined]],
    ['a format', '/files/a/b.xml', ['/files/*path', { path: 'a/b' }, 'xml', { path: 'a/b.xml' }]],
    ['a format in the middle', '/files/a.xml/b', ['/files/*path', { path: 'a.xml/b' }, undefined, undefined]],
    ['an unknown extension', '/files/a.tif', ['/files/*path', { path: 'a.tif' }, undefined, undefined]],
    ['stars and colons', '/files/**:GET,HEAD', ['/files/*path', { path: '**:GET,HEAD' }, undefined, undefined]],
  ])('matches %s', (_what, path, expected) => {
    expect(where(path)).toEqual(expected);
  });

  it('does not match paths of literals and names', () => {
    expect(where('/files')).toEqual(['/files', {}, undefined, undefined]);
    expect(where('/files/list')).toEqual(['/files/list', {}, undefined, undefined]);
    expect(where('/files/list.xml')).toEqual(['/files/list', {}, 'xml', undefined]);
    expect(where('/files/a/size')).toEqual(['/files/:name/size', { name: 'a' }, undefined, undefined]);
    expect(where('/files/a/size/b')).toEqual(['/files/*path', { path: 'a/size/b' }, undefined, undefined]);
    expect(where('/other')).toBeUndefined();
  });
});
