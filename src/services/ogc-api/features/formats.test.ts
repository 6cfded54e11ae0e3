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
