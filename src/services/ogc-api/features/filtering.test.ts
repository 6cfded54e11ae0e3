import { beforeAll, describe, expect, it } from 'vitest';
import { ask, itemsAt, metres, places, publishShapefiles, towns } from '../../../../test/support/features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

describe('filters of OGC API Features', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { places, towns, metres }));

  const found = async (collection: string, filter: string, more = '') => {
    const query = `filter=${encodeURIComponent(filter)}&limit=100${more}`;
    const { features, numberMatched } = await itemsAt(server, `/collections/acme:${collection}/items?${query}`);
    expect(numberMatched).toBe(features.length);
    return features.map(({ id }) => id);
  };

  it.each([
    ['basic-cql2', 'rank < 2 OR rank = 7', ['places.1', 'places.2', 'places.8']],
    ['basic-cql2', 'NOT (rank > 0)', ['places.1']],
    ['basic-cql2', "name = 'place 3'", ['places.4']],
    ['basic-cql2', "seen = DATE('2026-01-02') AND rank = 1", ['places.2']],
    [
      'advanced-comparison-operators',
      "name LIKE 'place 2_'",
      ['places.21', 'places.22', 'places.23', 'places.24', 'places.25'],
    ],
    ['advanced-comparison-operators', 'rank BETWEEN 3 AND 4', ['places.4', 'places.5']],
    ['advanced-comparison-operators', 'rank IN (1, 2)', ['places.2', 'places.3']],
    ['case-insensitive-comparison', "CASEI(name) = CASEI('PLACE 4')", ['places.5']],
    ['accent-insensitive-comparison', "ACCENTI(name) = ACCENTI('pläce 4')", ['places.5']],
    ['basic-spatial-functions', 'S_INTERSECTS(the_geom, BBOX(10, 50, 11, 51))', ['places.1', 'places.2']],
    ['basic-spatial-functions', 'S_INTERSECTS(the_geom, POINT(12 52))', ['places.3']],
    [
      'basic-spatial-functions-plus',
      'S_INTERSECTS(the_geom, POLYGON((9 49, 9 51.5, 11.5 51.5, 9 49)))',
      ['places.1', 'places.2'],
    ],
    ['spatial-functions', 'S_WITHIN(the_geom, POLYGON((9 49, 9 50.5, 10.5 50.5, 10.5 49, 9 49)))', ['places.1']],
    ['spatial-functions', 'S_DISJOINT(the_geom, BBOX(10.5, 0, 90, 90))', ['places.1']],
    ['temporal-functions', "T_AFTER(seen, DATE('2026-01-02'))", []],
    ['temporal-functions', "T_DURING(seen, INTERVAL('2026-01-01','2026-01-03')) AND rank = 1", ['places.2']],
    ['property-property', 'rank = rank AND rank = 2', ['places.3']],
    ['arithmetic', 'rank * 2 = 6', ['places.4']],
  ])('support CQL2 text (%s): %s', async (_class, filter, ids) => {
    expect(await found('places', filter)).toEqual(ids);
  });

  it.each([
    [{ op: '=', args: [{ property: 'rank' }, 3] }, ['places.4']],
    [
      {
        op: 'and',
        args: [
          { op: '>', args: [{ property: 'rank' }, 22] },
          { op: 'like', args: [{ property: 'name' }, '%3'] },
        ],
      },
      ['places.24'],
    ],
    [{ op: 's_intersects', args: [{ property: 'the_geom' }, { type: 'Point', coordinates: [10, 50] }] }, ['places.1']],
    [{ op: 'isNull', args: [{ property: 'name' }] }, []],
  ])('support CQL2 JSON: %j', async (filter, ids) => {
    expect(await found('places', JSON.stringify(filter), '&filter-lang=cql2-json')).toEqual(ids);
  });

  it('match null values and texts in every script', async () => {
    expect(await found('towns', 'people IS NULL')).toEqual(['towns.3']);
    expect(await found('towns', "name = '東京'")).toEqual(['towns.2']);
  });

  it('use longitude first, or the CRS that the client names', async () => {
    const crs = '&filter-crs=http://www.opengis.net/def/crs/EPSG/0/4326';

    expect(await found('places', 'S_INTERSECTS(the_geom, POINT(10 50))')).toEqual(['places.1']);
    expect(await found('places', 'S_INTERSECTS(the_geom, POINT(50 10))', crs)).toEqual(['places.1']);
    expect(await found('metres', 'S_INTERSECTS(the_geom, BBOX(14.9, 45.1, 15.1, 45.2))')).toHaveLength(5);
  });

  it('use the functions that are listed', async () => {
    const { functions } = (await ask(server, '/functions')).json() as { functions: readonly { name: string }[] };

    expect(functions).toContainEqual({
      name: 'area',
      description: 'The area in the square units of the data.',
      arguments: [{ title: 'geometry', type: ['geometry'] }],
      returns: ['number'],
    });
    expect(await found('places', 'getX(the_geom) = 10')).toEqual(['places.1']);
  });

  it('are combined with all other parameters', async () => {
    expect(await found('places', 'rank > 2', '&bbox=10,50,14,54&sortby=-rank')).toEqual(['places.5', 'places.4']);
  });

  it.each([
    ['nothing = 1', 'nothing'],
    ['rank = ', 'CQL2'],
    ["rank = 'seven'", 'seven'],
    ['S_INTERSECTS(the_geom, POINT(1))', 'CQL2'],
    ['unknown_function(rank) = 1', 'unknown_function'],
  ])('are rejected if they are invalid: %s', async (filter, said) => {
    const reply = await ask(server, `/collections/acme:places/items?filter=${encodeURIComponent(filter)}`);

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ detail: expect.stringContaining(said) as string });
  });

  it.each(['filter-lang=sql', 'filter-crs=nothing', 'filter={}&filter-lang=cql2-json'])(
    'reject the parameters %s',
    async (query) => {
      expect((await ask(server, `/collections/acme:places/items?${query}`)).status).toBe(400);
    },
  );
});
