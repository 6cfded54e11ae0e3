/** Paths of data as stores name them. */
import { expect, it } from 'vitest';
import { parseSourcePath } from './source-paths.ts';

it.each([
  ['file:data/x.shp', 'data/x.shp'],
  ['file:./data/../data/x.shp', 'data/x.shp'],
  ['data/x y.shp', 'data/x y.shp'],
  ['file:data/x%20y.shp', 'data/x y.shp'],
])('reads %s as a path inside of the source', (text, path) => {
  expect(parseSourcePath(text, [])).toEqual({ kind: 'inside', path });
});

it.each(['file:/srv/x.shp', 'file:///srv/x.shp', 'file:////srv/x.shp', '/srv/x.shp', '/srv/a/../x.shp'])(
  'reads %s as an absolute path',
  (text) => {
    expect(parseSourcePath(text, [])).toEqual({ kind: 'absolute', path: '/srv/x.shp' });
  },
);

it.each([
  ['file:../x.shp', 'path-outside-source'],
  ['a/../../x.shp', 'path-outside-source'],
  ['file://F:\\data\\x.shp', 'path-foreign'],
  ['file:F:/data/x.shp', 'path-foreign'],
  ['\\\\host\\share\\x.shp', 'path-foreign'],
  ['https://other.example/x.tif', 'path-foreign'],
  ['s3://bucket/x.tif', 'path-foreign'],
])('rejects %s', (text, code) => {
  expect(parseSourcePath(text, [])).toMatchObject({ kind: 'fault', code });
});

it('replaces the longest matching directory, whatever its slashes are', () => {
  const replacements = [
    { from: 'F:\\data', to: '/srv/data' },
    { from: 'file:F:/data/big/', to: '/mnt/big/' },
    { from: 'F:\\dat', to: '/wrong' },
  ];

  const read = (text: string) => parseSourcePath(text, replacements);
  expect(read('file://F:\\data\\x.shp')).toEqual({ kind: 'absolute', path: '/srv/data/x.shp' });
  expect(read('F:/data/big/x.shp')).toEqual({ kind: 'absolute', path: '/mnt/big/x.shp' });
  expect(read('F:/database/x.shp')).toMatchObject({ kind: 'fault' });
});
