import { describe, expect, it } from 'vitest';
import { createRouteBuilders } from '../route-table/route-table.ts';
import { buildRouter } from './router.ts';

const { getContent, family } = createRouteBuilders<null>();

const rows = [
  '/stores/:store',
  '/stores/:store/types',
  '/stores/:store/:method.:format',
  '/stores/:store/types/:type',
].map((path) => getContent(path, 'Read', { mediaType: 'text/plain' }, async () => ''));
const options = { description: '', formats: ['xml', 'json', 'html'], formatGroup: 'catalog' } as const;
const router = buildRouter(family('Test', options, rows).routes);

describe('two variables with a dot between them', () => {
  it.each([
    ['/stores/roads/file.shp', { store: 'roads', method: 'file', format: 'shp' }],
    ['/stores/file/file.shp', { store: 'file', method: 'file', format: 'shp' }],
    ['/stores/roads.xml/file.gpkg/', { store: 'roads.xml', method: 'file', format: 'gpkg' }],
    ['/stores/roads/file.xml', { store: 'roads', method: 'file', format: 'xml' }],
    ['/stores/roads/file.tar.gz', { store: 'roads', method: 'file', format: 'tar.gz' }],
    ['/stores/roads/f%69le.s%68p', { store: 'roads', method: 'file', format: 'shp' }],
  ])('both match in %s', (path, params) => {
    const match = router.match(path);

    expect(match?.resource.pattern).toBe('/stores/:store/:method.:format');
    expect(match?.params).toEqual(params);
    expect(match?.extension).toBeUndefined();
  });

  it.each([
    ['/stores/roads/types', '/stores/:store/types', undefined],
    ['/stores/roads/types.xml', '/stores/:store/types', 'xml'],
    ['/stores/roads/types/file.shp', '/stores/:store/types/:type', undefined],
    ['/stores/file.shp', '/stores/:store', undefined],
  ])('do not match %s, which has another route', (path, pattern, extension) => {
    const match = router.match(path);

    expect(match?.resource.pattern).toBe(pattern);
    expect(match?.extension).toBe(extension);
  });

  it.each(['/stores/roads/file', '/stores/roads/file.', '/stores/roads/file%2Eshp', '/stores/roads/file.shp/more'])(
    'do not match %s, which has no route',
    (path) => {
      expect(router.match(path)).toBeUndefined();
    },
  );
});
