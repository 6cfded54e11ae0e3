/** Grid sets over REST, and at the path of GeoWebCache. */
import { describe, expect, it } from 'vitest';
import { type Reply, type RequestOptions, useTestServer } from '../../../test/support/test-server.ts';

const XML = { type: 'text/xml' };
const problems = { accept: 'application/problem+json' };
const codeOf = (reply: Reply) => [reply.status, (reply.json() as { code: string }).code];

const swiss = `<gridSet><name>swiss</name><description>Old national grid</description><srs><number>21781</number></srs>
<extent><coords><double>420000</double><double>30000</double><double>900000</double><double>350000</double></coords></extent>
<alignTopLeft>true</alignTopLeft><resolutions><double>1000.0</double><double>250</double></resolutions>
<tileHeight>256</tileHeight><tileWidth>256</tileWidth><yCoordinateFirst>false</yCoordinateFirst></gridSet>`;

const shown = {
  name: 'swiss',
  description: 'Old national grid',
  srs: { number: 21_781 },
  extent: { coords: [420_000, 30_000, 900_000, 350_000] },
  alignTopLeft: true,
  resolutions: [1000, 250],
  metersPerUnit: 1,
  pixelSize: 0.000_28,
  scaleNames: ['swiss:0', 'swiss:1'],
  tileHeight: 256,
  tileWidth: 256,
  yCoordinateFirst: false,
};

describe('grid sets', () => {
  const server = useTestServer();
  const tiles = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: RequestOptions = {}) =>
    server.request(method, `//geoserver/gwc/rest/gridsets${path}`, options);

  it('are created, replaced and deleted with the statuses of GeoWebCache', async () => {
    const rehearsed = await tiles('PUT', '/swiss?dryRun=true', { body: swiss, ...XML });
    const made = await tiles('PUT', '/swiss', { body: swiss, ...XML });
    const replaced = await tiles('PUT', '/swiss.json', {
      body: JSON.stringify({ gridSet: { ...shown, description: 'Changed' } }),
      type: 'application/json',
    });

    expect([rehearsed.status, made.status, replaced.status]).toEqual([201, 201, 200]);
    expect((await tiles('GET', '/swiss.json')).json()).toEqual({ gridSet: { ...shown, description: 'Changed' } });
    expect((await tiles('GET', '/swiss.xml')).text).toContain(
      '<extent>\n    <coords>\n      <double>420000</double>\n      <double>30000</double>',
    );
    expect((await server.get('/gridsets/swiss.html')).text).toContain('Changed');
    expect((await tiles('DELETE', '/swiss')).status).toBe(200);
    expect(codeOf(await tiles('GET', '/swiss', problems))).toEqual([404, 'grid-set-unknown']);
  });

  it('are listed as an array of names in JSON and with links in XML', async () => {
    expect((await tiles('POST', '', { body: swiss, ...XML })).status).toBe(405);
    expect((await server.post('/gridsets', swiss, XML)).status).toBe(201);
    const names = (await tiles('GET', '.json')).json() as readonly string[];

    for (const name of ['swiss', 'EPSG:4326', 'EPSG:900913', 'WebMercatorQuadx2', 'UTM60WGS84Quad', 'EPSG:2056'])
      expect(names).toContain(name);
    expect((await tiles('GET', '', { accept: 'application/json' })).json()).toEqual(names);
    expect((await tiles('GET', '')).text).toContain(
      '<gridSet><name>swiss</name><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://localhost:80/geoserver/gwc/rest/gridsets/swiss.xml" type="text/xml"/></gridSet>',
    );
    expect((await server.get('/gridsets.json?limit=1000')).text).toContain('/geoserver/rest/gridsets/swiss.json');
    await server.delete('/gridsets/swiss');
  });

  it('show the numbers of built-in ones, which cannot be changed or deleted', async () => {
    expect((await tiles('GET', '/EPSG:4326.json')).json()).toMatchObject({
      gridSet: {
        name: 'EPSG:4326',
        srs: { number: 4326 },
        yCoordinateFirst: true,
        extent: { coords: [-180, -90, 180, 90] },
      },
    });
    expect((await tiles('GET', '/EPSG:28992.json')).json()).toMatchObject({
      gridSet: { srs: { number: 28_992 }, scaleNames: expect.arrayContaining(['0', '16']) },
    });
    for (const name of ['EPSG:900913', 'EuropeanETRS89_LAEAQuad']) {
      expect(codeOf(await tiles('PUT', `/${name}`, { body: '<gridSet/>', ...XML, ...problems }))).toEqual([
        409,
        'grid-set-built-in',
      ]);
      expect(codeOf(await tiles('DELETE', `/${name}`, problems))).toEqual([409, 'grid-set-built-in']);
      const body = swiss.replace('<name>swiss', `<name>${name}`);
      expect(codeOf(await server.post('/gridsets', body, { ...XML, ...problems }))).toEqual([409, 'grid-set-exists']);
    }
  });

  it('can replace a national grid, which returns after their deletion', async () => {
    const body = swiss.replace('<name>swiss', '<name>EPSG:2056').replace('21781', '2056');

    expect((await tiles('PUT', '/EPSG:2056', { body, ...XML })).status).toBe(201);
    expect((await tiles('GET', '/EPSG:2056.json')).json()).toMatchObject({ gridSet: { resolutions: [1000, 250] } });
    expect((await tiles('DELETE', '/EPSG:2056')).status).toBe(200);
    expect((await tiles('GET', '/EPSG:2056.json')).json()).toMatchObject({
      gridSet: { alignTopLeft: true, resolutions: expect.arrayContaining([650]) },
    });
  });

  it('take the unit and the axis order of the CRS by default', async () => {
    const gridSet = {
      srs: { number: 31_467 },
      extent: { coords: [3_280_000, 5_237_500, 3_934_000, 6_104_500] },
      scaleDenominators: [1e6],
    };
    await server.put('/gridsets/gk3', JSON.stringify({ gridSet }));

    expect((await server.get('/gridsets/gk3.json')).json()).toMatchObject({
      gridSet: { ...gridSet, metersPerUnit: 1, yCoordinateFirst: true, alignTopLeft: false },
    });

    const feet = { srs: { number: 2263 }, extent: { coords: [900_000, 120_000, 1_070_000, 275_000] }, levels: 3 };
    await server.put('/gridsets/gk3', JSON.stringify({ gridSet: feet }));
    expect((await server.get('/gridsets/gk3.json')).json()).toMatchObject({
      gridSet: {
        levels: 3,
        metersPerUnit: expect.closeTo(0.3048, 4),
        yCoordinateFirst: false,
        scaleNames: ['gk3:0', 'gk3:1', 'gk3:2'],
      },
    });
    await server.delete('/gridsets/gk3');
  });

  it('are replaced by PUT, so that absent fields get their default', async () => {
    await tiles('PUT', '/swiss', { body: swiss, ...XML });
    const { srs, extent } = shown;
    const minimal = { srs, extent, levels: 2 };
    const json = { type: 'application/json' };

    const incomplete = await tiles('PUT', '/swiss', {
      body: JSON.stringify({ gridSet: { srs } }),
      ...json,
      ...problems,
    });
    expect(codeOf(incomplete)).toEqual([400, 'document-invalid']);
    expect((await tiles('GET', '/swiss.json')).json()).toEqual({ gridSet: shown });

    expect((await tiles('PUT', '/swiss', { body: JSON.stringify({ gridSet: minimal }), ...json })).status).toBe(200);
    const { gridSet } = (await tiles('GET', '/swiss.json')).json() as { readonly gridSet: Record<string, unknown> };
    expect(gridSet).toMatchObject({ ...minimal, alignTopLeft: false, scaleNames: ['swiss:0', 'swiss:1'] });
    expect(Object.keys(gridSet)).not.toContain('resolutions');
    await tiles('DELETE', '/swiss');
  });

  it.each([
    [{}, /gridSet.srs: is required.*gridSet.extent: is required.*gridSet.resolutions: expected one of/],
    [{ ...shown, srs: { number: 1 } }, /gridSet.srs: unknown CRS EPSG:1/],
    [{ ...shown, levels: 3 }, /found resolutions and levels/],
    [{ ...shown, extent: { coords: [1, 2, 3] } }, /gridSet.extent: expected coords with four numbers/],
    [{ ...shown, resolutions: [1, 'a'] }, /gridSet.resolutions: expected a list of numbers, found 'a'/],
    [{ ...shown, tileWidth: 4096 }, /gridSet.tileWidth: expected an integer from 1 to 2048/],
    [{ ...shown, resolutions: [1e-9, 1e-10] }, /gridSet.resolutions: level 0 needs 1 to 2147483647 columns/],
    [{ ...shown, name: 'other' }, /Grid sets cannot be renamed/],
  ])('are rejected with all faults named: %#', async (gridSet, message) => {
    const reply = await tiles('PUT', '/bad', {
      body: JSON.stringify({
        gridSet: 'name' in gridSet && gridSet.name === 'swiss' ? { ...gridSet, name: 'bad' } : gridSet,
      }),
      type: 'application/json',
    });

    expect([reply.status, reply.text]).toEqual([400, expect.stringMatching(message)]);
  });

  it('are created from TileMatrixSet documents of OGC', async () => {
    const level = (id: string, scale: number, size: number) => ({
      scaleDenominator: scale,
      tileWidth: 256,
      tileHeight: 256,
      matrixWidth: size,
      matrixHeight: size,
      id,
    });
    // The coarse level exceeds the fine one.
    const two = {
      id: 'two',
      title: 'Version 2',
      crs: 'http://www.opengis.net/def/crs/EPSG/0/31467',
      tileMatrices: [level('a', 10_000_000, 1), level('b', 1_000_000, 5)].map((each) => ({
        ...each,
        cellSize: each.scaleDenominator * 0.000_28,
        matrixWidth: 6,
        pointOfOrigin: [6_000_000, 3_300_000],
      })),
    };
    const one = {
      type: 'TileMatrixSetType',
      identifier: 'one',
      supportedCRS: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
      tileMatrix: [level('0', 279_541_132.014_358_76, 1)].map(({ id, ...each }) => ({
        ...each,
        identifier: id,
        topLeftCorner: [-180, 90],
      })),
    };
    const wmts = `<TileMatrixSet xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"><ows:Title>WMTS</ows:Title><ows:Identifier>wmts</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3035</ows:SupportedCRS>
<TileMatrix><ows:Identifier>00</ows:Identifier><ScaleDenominator>62779017.857142866</ScaleDenominator><TopLeftCorner>5500000 2000000</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth><MatrixHeight>1</MatrixHeight></TileMatrix></TileMatrixSet>`;
    const json = { type: 'application/json' };

    expect((await server.post('/gridsets', JSON.stringify(two), json)).status).toBe(201);
    expect((await tiles('PUT', '/one', { body: JSON.stringify(one), ...json })).status).toBe(201);
    expect((await tiles('PUT', '/wmts', { body: wmts, ...XML })).status).toBe(201);
    expect((await tiles('GET', '/two.json')).json()).toMatchObject({
      gridSet: {
        description: 'Version 2',
        resolutions: [expect.closeTo(2800, 6), expect.closeTo(280, 6)],
        scaleNames: ['a', 'b'],
        yCoordinateFirst: true,
        tileMatrices: [
          { originX: 3_300_000, originY: 6_000_000, columns: 6, rows: 1 },
          { originX: 3_300_000, originY: 6_000_000, columns: 6, rows: 5 },
        ],
      },
    });
    expect((await tiles('GET', '/one.json')).json()).toMatchObject({
      gridSet: {
        srs: { number: 4326 },
        yCoordinateFirst: false,
        extent: { coords: [-180, expect.closeTo(-90, 6), expect.closeTo(0, 6), 90] },
      },
    });
    const { gridSet } = (await tiles('GET', '/wmts.json')).json() as { gridSet: object };
    expect(gridSet).toMatchObject({
      extent: { coords: [2_000_000, 1_000_000, 6_500_000, 5_500_000] },
      scaleNames: ['00'],
      scaleDenominators: [62_779_017.857_142_866],
    });
    expect(gridSet).not.toHaveProperty('tileMatrices');
    const broken = wmts.replace('<MatrixWidth>1', '<MatrixWidth>none').replace('3035', '0');
    expect((await tiles('PUT', '/wmts', { body: broken, ...XML })).text).toContain(
      'TileMatrixSet.tileMatrices[0]: expected a scale',
    );
    for (const name of ['one', 'two', 'wmts']) await tiles('DELETE', `/${name}`);
  });

  it('are offered by a setting of WMTS and cannot be deleted meanwhile', async () => {
    const offer = (...names: readonly string[]) =>
      server.put('/services/wmts/settings', JSON.stringify({ wmts: { gridSets: { string: names } } }));
    await tiles('PUT', '/swiss', { body: swiss, ...XML });

    expect((await offer('swiss', 'EPSG:2056')).status).toBe(200);
    expect((await offer('swiss', 'nothing')).text).toContain("wmts.gridSets: unknown grid set 'nothing'");
    const refused = await tiles('DELETE', '/swiss');
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("the setting 'gridSets' of the service wmts"),
    ]);
    await offer();
    expect((await tiles('DELETE', '/swiss')).status).toBe(200);
  });

  it('are not removed by an undo while a setting of WMTS offers them', async () => {
    const offer = (...names: readonly string[]) =>
      server.put('/services/wmts/settings', JSON.stringify({ wmts: { gridSets: { string: names } } }));
    const undo = (reply: Reply) => server.post(`/history/${reply.headers['graticule-change']}/undo`, '', problems);
    const made = await tiles('PUT', '/swiss', { body: swiss, ...XML });
    await offer('swiss');

    const refused = await undo(made);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('/services/wmts/settings')]);
    expect((await tiles('GET', '/swiss.json')).status).toBe(200);

    const emptied = await offer();
    await tiles('DELETE', '/swiss');
    expect((await undo(emptied)).status).toBe(409);
  });

  it('that a setting offers and that are missing are reported by the doctor', async () => {
    await tiles('PUT', '/swiss', { body: swiss, ...XML });
    await server.put('/services/wmts/settings', '{"wmts":{"gridSets":{"string":["swiss"]}}}');
    const { storage } = server.server;
    const [stored] = (await storage.listOfKind('gridSet', undefined, 10)).filter(({ name }) => name === 'swiss');
    await storage.write({ who: 'tester', what: 'damage' }, async (transaction) => transaction.remove(stored?.id ?? ''));

    const { problems: found } = (await server.get('/doctor.json')).json() as { problems: readonly object[] };

    expect(found).toContainEqual(
      expect.objectContaining({
        code: 'reference-dangling',
        message: expect.stringContaining("the unknown grid set 'swiss'"),
      }),
    );
    await server.put('/services/wmts/settings', '{"wmts":{"gridSets":{"string":[]}}}');
  });

  it('are visible in the history and restored by an undo', async () => {
    const made = await tiles('PUT', '/swiss', { body: swiss, ...XML });
    const deleted = await tiles('DELETE', '/swiss');
    await server.post(`/history/${deleted.headers['graticule-change']}/undo`, '');

    expect(Number(deleted.headers['graticule-change'])).toBe(Number(made.headers['graticule-change']) + 1);
    expect((await tiles('GET', '/swiss.json')).json()).toEqual({ gridSet: shown });
    expect((await server.get('/history.json?limit=1&order=desc')).text).toContain('/gridsets/swiss');
    await tiles('DELETE', '/swiss');
  });

  it('are for administrators only', async () => {
    expect((await tiles('GET', '', { as: null })).status).toBe(401);
    expect((await tiles('PUT', '/swiss', { as: null, body: swiss, ...XML })).status).toBe(401);
  });
});
