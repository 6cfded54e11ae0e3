/** WMS maps that are answered from the tile cache, with tiled=true. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const tables = ['fields', 'lakes'].map((name) => ({
  name,
  attributes: [geometryColumn('Polygon'), column('name', 'string')],
  rows: [
    [wkt('POLYGON ((0 0, 90 0, 90 66, 0 66, 0 0))'), 'east'],
    [wkt('POLYGON ((-90 0, 0 0, 0 66, -90 66, -90 0))'), 'west'],
  ],
}));

const EDGE = 20_037_508.342789244;
const base = {
  service: 'WMS',
  version: '1.1.1',
  request: 'GetMap',
  layers: 'acme:fields',
  styles: '',
  format: 'image/png',
  transparent: 'true',
  srs: 'EPSG:900913',
  bbox: `0,0,${EDGE / 2},${EDGE / 2}`,
  width: '256',
  height: '256',
  tiled: 'true',
};
/** The tile of the box, by WMTS. */
const WMTS = '/gwc/service/wmts/rest/acme:fields/EPSG:900913/2/1/2?format=image/png';

describe('WMS maps from the tile cache', () => {
  let now = Date.parse('2026-11-18T10:00:00Z');
  const server = useTestServer({ clock: () => now });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    server.request('GET', `//geoserver${path}`, { as: null, headers });
  const map = (more: Readonly<Record<string, string>> = {}, path = '/wms', headers = {}) =>
    get(`${path}?${new URLSearchParams({ ...base, ...more })}`, headers);
  const cacheHeaders = ({ headers }: { readonly headers: object }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('geowebcache-')));
  const integrate = (directWMSIntegrationEnabled: boolean) =>
    server.put('/services/wmts/settings', JSON.stringify({ wmts: { directWMSIntegrationEnabled } }));
  beforeAll(() => publishTables(server, 'acme', tables));

  it('are drawn unless the setting of WMTS is on and tiled=true is sent', async () => {
    expect(cacheHeaders(await map())).toEqual({});
    await integrate(true);
    expect(cacheHeaders(await map({ tiled: 'false' }))).toEqual({});
    expect(cacheHeaders(await map())['geowebcache-cache-result']).toBe('MISS');
  });

  it('are the tiles of WMTS, with their headers', async () => {
    await integrate(true);
    const byWmts = await get(WMTS);
    const byWms = await map();

    expect([byWms.status, byWms.headers['content-type'], cacheHeaders(byWms)]).toEqual([
      200,
      'image/png',
      {
        'geowebcache-cache-result': 'HIT',
        'geowebcache-tile-index': '[2, 2, 2]',
        'geowebcache-tile-bounds': `0,0,${EDGE / 2},${EDGE / 2}`,
        'geowebcache-gridset': 'EPSG:900913',
        'geowebcache-crs': 'EPSG:900913',
        'geowebcache-layer': 'acme:fields',
      },
    ]);
    expect([byWms.headers['etag'], byWms.bytes]).toEqual([byWmts.headers['etag'], byWmts.bytes]);
  });

  it('have tags and times for revalidation', async () => {
    await map();
    expect((await map()).headers).not.toHaveProperty('last-modified');
    now += 5_000;
    const { headers } = await map({ TILED: 'TRUE', tiled: '' });
    expect(headers['last-modified']).toMatch(/^Wed, 18 Nov 2026 10:00:0\d GMT$/);
    expect(headers['cache-control']).toBe('public, no-cache');
    const statuses = await Promise.all(
      [
        { 'if-none-match': String(headers['etag']) },
        { 'if-modified-since': String(headers['last-modified']) },
        { 'if-none-match': '"other"', 'if-modified-since': String(headers['last-modified']) },
        { 'if-modified-since': 'Wed, 18 Nov 2026 10:00:59 GMT' },
      ].map(async (sent) => (await map({}, '/wms', sent)).status),
    );
    expect(statuses).toEqual([304, 304, 200, 200]);
  });

  it.each([
    ['version 1.3.0', { version: '1.3.0', srs: 'EPSG:3857' }, '/wms'],
    ['the service of a workspace', { layers: 'fields' }, '/acme/wms'],
    ['the service of a layer', { layers: 'fields' }, '/acme/fields/wms'],
    ['the shared address', {}, '/ows'],
    ['parameters that tiles ignore', { tilesorigin: '0,0', exceptions: 'application/json', _: '1' }, '/wms'],
    ['a box that the client rounded', { bbox: `0.0001,0,${(EDGE / 2).toFixed(3)},${(EDGE / 2).toFixed(3)}` }, '/wms'],
  ])('are hits with %s', async (_name, more, path) => {
    await get(WMTS);
    expect(cacheHeaders(await map(more, path))).toMatchObject({ 'geowebcache-cache-result': 'HIT' });
    expect(cacheHeaders(await map(more, path))).toMatchObject({ 'geowebcache-cache-result': 'HIT' });
  });

  it('have the axis order of version 1.3.0', async () => {
    const more = { version: '1.3.0', srs: 'EPSG:4326', bbox: '0,0,90,90' };
    expect(cacheHeaders(await map(more))['geowebcache-tile-bounds']).toBe('0,0,90,90');
    expect(cacheHeaders(await map({ ...more, version: '1.1.1', bbox: '90,0,180,90' }))).toMatchObject({
      'geowebcache-tile-bounds': '90,0,180,90',
    });
  });

  it('are opaque unless transparent=true is sent, as other maps', async () => {
    const opaque = await map({ transparent: 'false', bbox: `${-EDGE},${-EDGE},0,0` });
    const { data, info } = await sharp(opaque.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(cacheHeaders(opaque)['geowebcache-cache-result']).toBe('MISS');
    expect([...data.subarray(0, info.channels)].every((each) => each === 255)).toBe(true);
    const again = await map({ transparent: 'FALSE', bbox: `${-EDGE},${-EDGE},0,0` });
    expect(cacheHeaders(again)['geowebcache-cache-result']).toBe('HIT');
  });

  it('have larger tiles for screens of high resolution', async () => {
    const large = { width: '512', height: '512' };
    const tile = await map({ ...large, format_options: 'dpi:180' });
    expect(cacheHeaders(tile)).toMatchObject({ 'geowebcache-tile-index': '[2, 2, 2]' });
    expect((await sharp(tile.bytes).metadata()).width).toBe(512);
    expect(cacheHeaders(await map(large))['geowebcache-miss-reason']).toContain('does not align');
  });

  it.each([
    ['more than one layer requested', { layers: 'acme:fields,acme:lakes' }],
    ['no tile cache for requested format', { format: 'image/vnd.jpeg-png' }],
    ["request does not align to grid(s) 'EPSG:900913'", { bbox: '1,1,1000000,1000000' }],
    ["request does not align to grid(s) 'EPSG:900913'", { width: '300', height: '300' }],
    ['no grid set of the layer has the CRS EPSG:2056', { srs: 'EPSG:2056', bbox: '2420000,1030000,2900000,1350000' }],
    ['no parameter filter exists for ANGLE', { angle: '45' }],
    ['no parameter filter exists for BUFFER', { buffer: '5' }],
    ['no parameter filter exists for FORMAT_OPTIONS', { format_options: 'quantizer:octree' }],
    ['no parameter filter exists for SLD', { sld_body: '<StyledLayerDescriptor version="1.0.0"/>' }],
  ])('are drawn with the reason: %s', async (reason, more) => {
    const reply = await map(more);

    expect([reply.status, cacheHeaders(reply)]).toEqual([
      200,
      { 'geowebcache-cache-result': 'MISS', 'geowebcache-miss-reason': reason },
    ]);
  });

  it('are drawn if the tile settings of the layer exclude them', async () => {
    const set = (GeoServerLayer: object) => server.put('/tilelayers/acme:lakes', JSON.stringify({ GeoServerLayer }));
    const reason = async (more: Readonly<Record<string, string>> = {}) =>
      cacheHeaders(await map({ layers: 'acme:lakes', ...more }))['geowebcache-miss-reason'];

    await set({ mimeFormats: ['image/jpeg'] });
    expect(await reason()).toBe('no tile cache for requested format');
    await set({ gridSubsets: [{ gridSetName: 'EPSG:900913', zoomStart: 3 }] });
    expect(await reason()).toBe('the tile settings of the layer do not offer the tile');
    const filter = { key: 'CQL_FILTER', defaultValue: '', values: ["name='east'"] };
    await set({ parameterFilters: { stringParameterFilter: filter } });
    expect(await reason({ cql_filter: "name='west'" })).toBe(
      'CQL_FILTER does not apply to parameter filter of the same name',
    );
    expect(await reason({ cql_filter: "name='east'" })).toBeUndefined();
    await set({ enabled: false });
    expect(await reason()).toBe('no tile cache for requested format');
  });

  it('are not returned to principals without access to the layer', async () => {
    await map();
    expect(cacheHeaders(await map())['geowebcache-cache-result']).toBe('HIT');
    await server.post('/security/acl/layers', '{"acme.fields.r":"ROLE_NOBODY"}');
    const refused = await map();
    await server.delete('/security/acl/layers/acme.fields.r');

    expect([refused.status === 200 && refused.headers['content-type'] === 'image/png', cacheHeaders(refused)]).toEqual([
      false,
      {},
    ]);
  });

  it('report errors as other maps', async () => {
    const reply = await map({ layers: 'acme:ponds' });
    expect(reply.text).toContain('LayerNotDefined');
    expect((await map({ styles: 'nosuch' })).text).toContain('StyleNotDefined');
  });

  it('are listed as tile sets in capabilities 1.1.1 with tiled=true', async () => {
    const read = async (path: string, more: string) =>
      (await get(`${path}?service=WMS&request=GetCapabilities&${more}`)).text;
    const text = await read('/wms', 'version=1.1.1&tiled=true');

    expect(text).toContain('<!ELEMENT VendorSpecificCapabilities (TileSet*)>');
    expect(text).toContain(
      `<TileSet><SRS>EPSG:900913</SRS><BoundingBox SRS="EPSG:900913" minx="${-EDGE}" miny="${-EDGE}" maxx="${EDGE}" maxy="${EDGE}"/><Resolutions>`,
    );
    expect(text).toMatch(/<Format>image\/png<\/Format><Layers>acme:fields<\/Layers><Styles><\/Styles><\/TileSet>/);
    expect(text.indexOf('<VendorSpecific')).toBeLessThan(text.indexOf('<UserDefinedSymbolization'));
    expect(await read('/acme/wms', 'version=1.1.1&tiled=true')).toContain('<Layers>fields</Layers>');
    expect(await read('/wms', 'version=1.1.1')).not.toContain('TileSet');
    expect(await read('/wms', 'version=1.3.0&tiled=true')).not.toContain('TileSet');
    await integrate(false);
    expect(await read('/wms', 'version=1.1.1&tiled=true')).not.toContain('TileSet');
  });
});
