import { beforeAll, describe, expect, it } from 'vitest';
import { ask, places, publishShapefiles, towns } from '../../../../test/support/features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

describe('formats of OGC API Features', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { places, towns }));

  it.each([
    ['csv', 'text/csv;charset=utf-8', '東京'],
    ['gml', 'application/gml+xml; version=3.2', '<acme:name>東京</acme:name>'],
    ['kml', 'application/vnd.google-earth.kml+xml', '139.7,35.7'],
    ['shapefile', 'application/zip', 'towns.shp'],
    ['gpkg', 'application/geopackage+sqlite3', 'SQLite format 3'],
    ['fgb', 'application/flatgeobuf', 'fgb'],
    ['parquet', 'application/vnd.apache.parquet', 'PAR1'],
    ['dxf', 'application/dxf', 'AC1014'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xl/worksheets/sheet1.xml'],
  ])('include %s', async (f, type, content) => {
    const reply = await ask(server, `/collections/acme:towns/items?f=${f}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, type]);
    expect(reply.text).toContain(content);
  });

  it('contain counts and the next link in GML', async () => {
    const { text } = await ask(server, '/collections/acme:places/items?f=gml&limit=2');

    expect(text).toContain('numberReturned="2"');
    expect(text).toContain('numberMatched="25"');
    expect(text).toMatch(/next="[^"]*after=/);
  });

  it('for download are saved under the name of the layer', async () => {
    const reply = await ask(server, '/collections/acme:towns/items?f=csv');

    expect(reply.headers['content-disposition']).toBe('attachment; filename=towns.csv');
  });

  it.each(['csv', 'kml'])('contain all features in a file by default: %s', async (f) => {
    const whole = await ask(server, `/collections/acme:places/items?f=${f}`);
    const found = await ask(server, `/collections/acme:places/items?f=${f}&filter=${encodeURIComponent('rank > 0')}`);

    expect(new Set(whole.text.match(/places\.\d+/g)).size).toBe(25);
    expect([whole.headers['warning'], found.headers['warning']]).toEqual([undefined, undefined]);
  });

  it.each([
    ['limit=7', 7, 'The file contains at most 7 of 25 matching features. Omit limit'],
    ['limit=3&offset=24', 1, 'The file contains at most 3 of 25 matching features. Omit limit'],
  ])('are marked as a part if they do not contain all features: %s', async (query, count, warning) => {
    const reply = await ask(server, `/collections/acme:places/items?f=csv&${query}`);

    expect(reply.text.match(/places\.\d+/g)).toHaveLength(count);
    expect(reply.headers['warning']).toContain(warning);
    expect(reply.headers['content-disposition']).toBe('attachment; filename=places-part.csv');
  });

  it('are limited by the layer, which the warning tells', async () => {
    const path = '/workspaces/acme/datastores/places/featuretypes/places';
    await server.put(path, '{"featureType":{"maxFeatures":4}}');
    const reply = await ask(server, '/collections/acme:places/items?f=csv');
    await server.put(path, '{"featureType":{"maxFeatures":0}}');

    expect(reply.text.match(/places\.\d+/g)).toHaveLength(4);
    expect(reply.headers['warning']).toContain('at most 4 of 25 matching features. Use limit and offset');
  });

  it('are linked from a page as all features that its filters select', async () => {
    const page = await ask(server, '/collections/acme:places/items?limit=5&offset=5&name=x');
    const { links } = page.json() as { links: { type: string; href: string; title: string }[] };

    expect(links.find(({ type }) => type.startsWith('text/csv'))).toMatchObject({
      title: 'All features as CSV',
      href: expect.stringMatching(/items\?name=x&f=csv$/),
    });
  });

  it('return 304 until the data or the layer changes', async () => {
    const path = '/collections/acme:places/items?limit=3';
    const etag = (await ask(server, path)).headers['etag'] ?? '';
    const again = () => ask(server, path, { headers: { 'if-none-match': etag } });

    expect(etag).toMatch(/^W\/"/);
    expect((await again()).status).toBe(304);
    expect((await ask(server, `${path}1`, { headers: { 'if-none-match': etag } })).status).toBe(200);
    await server.put('/workspaces/acme/datastores/places/featuretypes/places', '{"featureType":{"title":"Other"}}');
    expect((await again()).status).toBe(200);
  });

  it('use their own CRS if they support a single one', async () => {
    const crs = 'crs=http://www.opengis.net/def/crs/EPSG/0/3857';

    expect((await ask(server, `/collections/acme:towns/items?f=kml&${crs}`)).status).toBe(400);
    expect((await ask(server, `/collections/acme:towns/items?f=csv&${crs}`)).status).toBe(200);
  });
});
