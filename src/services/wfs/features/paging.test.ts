import { beforeAll, expect, it } from 'vitest';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../../test/support/with-postgis.ts';

interface Page {
  readonly features: readonly { readonly id: string }[];
  readonly numberMatched: number;
  readonly numberReturned: number;
}

describeWithPostgis('pages of a large table', (postgis) => {
  const startedAt = Date.now();
  // The end of a page is remembered for a minute, and a busy machine may stop for longer.
  const server = useTestServer({ clock: () => startedAt });

  beforeAll(async () => {
    await postgis.query(`
      CREATE TABLE wells (id int PRIMARY KEY, depth int, geom geometry(Point, 4326));
      INSERT INTO wells SELECT n, n % 7, ST_SetSRID(ST_MakePoint(n % 360 - 180, n / 360 - 80), 4326)
        FROM generate_series(1, 20000) n;
      CREATE INDEX ON wells USING gist (geom);
      ANALYZE wells`);
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const dataStore = { name: 'large', connectionParameters };
    await server.post('/workspaces/acme/datastores', JSON.stringify({ dataStore }));
    await server.post('/workspaces/acme/datastores/large/featuretypes', '{"featureType":{"name":"wells"}}');
  });

  async function page(query: string): Promise<Page> {
    const address = '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:wells';
    return (await server.get(`${address}&outputFormat=application/json&${query}`, { as: null })).json() as Page;
  }

  const idsOf = ({ features }: Page): readonly string[] => features.map(({ id }) => id);

  it('are counted while they are read, and contain the same features as a single response', async () => {
    const box = 'bbox=-60,-100,-50,-90,urn:ogc:def:crs:EPSG::4326';
    const all = await page(box);

    const pages = [await page(`${box}&count=50`), await page(`${box}&count=50&startIndex=50`)];

    expect(pages.map(({ numberMatched, numberReturned }) => [numberMatched, numberReturned])).toEqual([
      [all.features.length, 50],
      [all.features.length, 50],
    ]);
    expect(pages.flatMap(idsOf)).toEqual(idsOf(all).slice(0, 100));
  });

  it('report that no feature matches, or that the end is reached', async () => {
    const nowhere = await page('bbox=85,170,86,171,urn:ogc:def:crs:EPSG::4326&count=5');
    const behind = await page('bbox=-60,-100,-50,-90,urn:ogc:def:crs:EPSG::4326&count=5&startIndex=10000');

    expect([nowhere.numberMatched, nowhere.numberReturned]).toEqual([0, 0]);
    expect([behind.numberMatched, behind.numberReturned]).toEqual([121, 0]);
  });

  it('continue after the last feature of the previous page, even if its features have changed', async () => {
    const query = 'cql_filter=depth=3&count=2';
    const first = idsOf(await page(query));
    await postgis.query('DELETE FROM wells WHERE id = 3');

    const second = idsOf(await page(`${query}&startIndex=2`));

    expect([...first, ...second]).toEqual(['wells.3', 'wells.10', 'wells.17', 'wells.24']);
  });
});
