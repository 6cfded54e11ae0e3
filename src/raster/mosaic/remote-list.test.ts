import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type RemoteListRequest, readRemoteList } from './remote-list.ts';

const folder = useTemporaryFolder('remote-lists');
const path = join(folder, 'list');

async function read(content: unknown, options: Partial<RemoteListRequest> = {}) {
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readRemoteList({ path, base: undefined, asset: undefined, ...options });
}

const asset = (href: string, more = {}) => ({ href, type: 'image/tiff; application=geotiff', ...more });
const item = (assets: unknown, properties: unknown = {}) => ({ type: 'Feature', id: 'one', assets, properties });

describe('list of remote files', () => {
  it('contains URLs once, without empty lines and comments', async () => {
    const { granules } = await read(
      '\ufeffhttps://a.example/b%20c.tif?x=1\r\n\n # note\nhttps://a.example/b%20c.tif?x=1\n',
    );

    expect(granules).toEqual([{ url: 'https://a.example/b%20c.tif?x=1', name: 'b c.tif', values: {} }]);
  });

  it('contains the GeoTIFF asset of an item with its properties', async () => {
    const assets = { thumbnail: { href: 'https://a.example/t.png', type: 'image/png' }, visual: asset('../b.tif') };
    const properties = { datetime: '2026-01-01T01:00:00+01:00', cloud: 3, place: 'Oslo', bands: [1], gone: null };

    const { granules } = await read(item(assets, properties), { base: 'https://a.example/x/items/one' });

    expect(granules).toEqual([
      {
        url: 'https://a.example/x/b.tif',
        name: 'b.tif',
        time: ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
        values: { datetime: '2026-01-01T01:00:00+01:00', cloud: 3, place: 'Oslo' },
      },
    ]);
  });

  it.each([
    [{ a: asset('https://h/a.tif'), b: asset('https://h/b.tif', { roles: ['data'] }) }, undefined, 'https://h/b.tif'],
    [{ a: asset('https://h/a.tif'), b: asset('https://h/b.tif', { roles: ['data'] }) }, 'a', 'https://h/a.tif'],
    [{ a: { href: 'https://h/a.TIF?x' } }, undefined, 'https://h/a.TIF?x'],
    [{ a: { href: 'https://h/a' } }, 'a', 'https://h/a'],
  ])('selects an asset of %j', async (assets, wanted, url) => {
    expect((await read(item(assets), { asset: wanted })).granules.map((each) => each.url)).toEqual([url]);
  });

  it.each([
    [{ a: asset('https://h/a.tif') }, {}, 'b', "it has no asset 'b'; its GeoTIFF assets are 'a'"],
    [{ a: asset('a.tif') }, {}, undefined, 'the URL of its asset is relative, and the URL of the list is unknown'],
    [{ a: asset('ftp://bucket/a.tif') }, {}, undefined, "the URL of its asset has the scheme 'ftp'; use https or s3"],
    [{ a: asset('https://h/a.tif') }, { datetime: 'noon' }, undefined, 'its time is not in ISO 8601'],
    [{}, {}, undefined, 'it has no GeoTIFF asset'],
  ])('skips an item with the assets %j and the properties %j', async (assets, properties, wanted, reason) => {
    const { granules, skipped } = await read(item(assets, properties), { asset: wanted });

    expect([granules, skipped]).toEqual([[], [{ name: 'one', reason }]]);
  });

  it('has the range of an item without a moment', async () => {
    const range = { datetime: null, start_datetime: '2026-01-01T00:00:00Z', end_datetime: '2026-01-31T00:00:00Z' };

    const { granules } = await read(item({ a: asset('https://h/a.tif') }, range));

    expect(granules[0]?.time).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-31T00:00:00.000Z']);
  });

  it('is rejected with more entries than the limit', async () => {
    const urls = Array.from({ length: 20_001 }, (_, number) => `https://h/${number}.tif`);

    expect((await read(urls.join('\n'))).fault).toBe('it has more than 20000 entries');
  });

  it('never fails for any JSON', async () => {
    const anything = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, 1, 'https://h/a.tif', 'image/tiff', '2026-01-01T00:00:00Z', 'Feature', 'data'),
        fc.array(tie('value')),
        fc.dictionary(
          fc.constantFrom('type', 'features', 'assets', 'href', 'properties', 'datetime', 'links', 'id', 'roles', 'a'),
          tie('value'),
        ),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(anything, async (document) => {
        const { granules, skipped, fault } = await read(JSON.stringify(document));
        expect(granules.filter(({ url }) => !/^https?:\/\/./.test(url))).toEqual([]);
        expect(fault === undefined || granules.length + skipped.length === 0).toBe(true);
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 200) },
    );
  });
});
