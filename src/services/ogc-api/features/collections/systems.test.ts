import { beforeAll, describe, expect, it } from 'vitest';
import { ask, itemsAt, metres, places, publishShapefiles } from '../../../../../test/support/features.ts';
import { useTestServer } from '../../../../../test/support/test-server.ts';

const address = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`;
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

describe('coordinates in OGC API Features', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { places, metres }));

  const firstIn = async (collection: string, query: string) => {
    const { features } = await itemsAt(server, `/collections/acme:${collection}/items?limit=1&${query}`);
    return features[0]?.geometry?.coordinates.map((each) => Math.round(Number(each) * 1e4) / 1e4);
  };

  it('have longitude first in every stored CRS', async () => {
    expect(await firstIn('places', '')).toEqual([10, 50]);
    expect(await firstIn('metres', '')).toEqual([15, 45.1535]);
  });

  it.each([
    ['places', CRS84, [10, 50]],
    ['places', address(4326), [50, 10]],
    ['places', address(4258), [50, 10]],
    ['places', address(3857), [1_113_194.9079, 6_446_275.841]],
    ['metres', address(32_633), [500_000, 5_000_000]],
    ['metres', address(4326), [45.1535, 15]],
  ])('of %s are returned in %s, in the axis order of its authority', async (collection, crs, expected) => {
    const found = await firstIn(collection, `crs=${encodeURIComponent(crs)}`);

    expect(found?.map((each) => Math.round(each * 1e3) / 1e3)).toEqual(
      expected.map((each) => Math.round(each * 1e3) / 1e3),
    );
  });

  it('are described by the Content-Crs header, also for a single feature', async () => {
    const header = async (path: string) => (await ask(server, path)).headers['content-crs'];
    const crs = `crs=${encodeURIComponent(address(3857))}`;

    expect(await header('/collections/acme:places/items')).toBe(`<${CRS84}>`);
    expect(await header(`/collections/acme:places/items?${crs}`)).toBe(`<${address(3857)}>`);
    expect(await header(`/collections/acme:places/items/places.1?${crs}`)).toBe(`<${address(3857)}>`);
  });

  it.each([
    ['places', 'bbox=10,50,11,51', 2],
    ['places', `bbox=50,10,51,11&bbox-crs=${address(4326)}`, 2],
    ['places', `bbox=1100000,6400000,1200000,6500000&bbox-crs=${address(3857)}`, 1],
    ['metres', 'bbox=14.99,45.15,15.01,45.16', 5],
    ['metres', `bbox=499999,4999999,500000.5,5000000.5&bbox-crs=${address(32_633)}`, 1],
    ['metres', 'bbox=-170,-80,-160,-70', 0],
  ])('of %s are found with a box in %s', async (collection, query, count) => {
    const { numberMatched } = await itemsAt(server, `/collections/acme:${collection}/items?${query}`);

    expect(numberMatched).toBe(count);
  });

  it('are available only in the CRSs that the collection lists', async () => {
    const { crs } = (await ask(server, '/collections/acme:metres')).json() as { crs: readonly string[] };

    expect(crs).toEqual([CRS84, address(32_633), address(4326), address(3857), address(4258)]);
    expect((await ask(server, `/collections/acme:metres/items?crs=${address(2056)}`)).status).toBe(400);
  });
});
