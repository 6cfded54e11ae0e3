/** A mosaic of two hundred GeoTIFF files whose names contain time and elevation, some in a projected CRS. */
import { beforeAll, describe, expect, it } from 'vitest';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

const store = '/workspaces/acme/coveragestores/water';

const definition = {
  'indexer.properties': [
    'Schema=*the_geom:Polygon,location:String,time:java.util.Date,elevation:Double',
    'PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time),DoubleFileNameExtractorSPI[elevationregex](elevation)',
    'TimeAttribute=time',
    'ElevationAttribute=elevation',
    'MosaicCRS=EPSG:4326',
  ].join('\n'),
  'timeregex.properties': 'regex=[0-9]{8}',
  'elevationregex.properties': 'regex=(?<=_z)[0-9]+',
};

/** Twenty days on ten levels; every tenth image is in UTM. */
function pictures(): Record<string, Buffer> {
  const files = Array.from({ length: 200 }, (_, index) => {
    const day = String((index % 20) + 1).padStart(2, '0');
    const name = `water_200810${day}_z${String(Math.floor(index / 20) * 10).padStart(4, '0')}.tif`;
    const isProjected = index % 10 === 9;
    const place = isProjected
      ? { left: 500_000, top: 5_000_000, pixel: 1_000, epsg: 32_633 }
      : { left: 10 + (index % 5), top: 45, pixel: 0.25, epsg: 4326 };
    return [name, granuleBytes(place)] as const;
  });
  return Object.fromEntries(files);
}

describe('a mosaic of images', () => {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const count = async (filter: string) => {
    const path = `${store}/coverages/water/index/granules.json?filter=${encodeURIComponent(filter)}`;
    const reply = await server.get(path);
    expect(reply.status, reply.text).toBe(200);
    return (reply.json() as { features: readonly unknown[] }).features.length;
  };
  const texts = Object.fromEntries(Object.entries(definition).map(([name, text]) => [name, Buffer.from(text)]));
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const check = { regexUrlCheck: { name: 'data', enabled: true, regex: '^http://data\\.example\\.com:\\d+/.*$' } };
    await server.post('/urlchecks', JSON.stringify(check));
    const made = await server.request('PUT', `${store}/file.imagemosaic`, {
      type: 'application/zip',
      body: zipOfFiles({ ...texts, ...pictures() }),
    });
    expect(made.text).toBe('Published acme:water (EPSG:4326).\n');
  });

  it('finds its granules by time, elevation and location', async () => {
    expect(await count('INCLUDE')).toBe(200);
    expect(await count('elevation = 20')).toBe(20);
    expect(await count('time DURING 2008-10-01T00:00:00Z/2008-10-02T12:00:00Z')).toBeGreaterThan(0);
    expect(await count("time = '2008-10-03T00:00:00Z' AND elevation >= 50")).toBe(5);
    expect(await count('BBOX(the_geom, 15.01, 45.12, 15.02, 45.14)')).toBe(20);
    expect(await count("location = 'water_20081001_z0000.tif'")).toBe(1);
  });

  it('covers all granules and is drawn by a layer', async () => {
    const { coverage } = (await server.get(`${store}/coverages/water.json`)).json() as {
      coverage: { nativeBoundingBox: { minx: number; maxy: number } };
    };

    expect(coverage.nativeBoundingBox).toMatchObject({ minx: 10, maxy: expect.any(Number) });
    expect(coverage.nativeBoundingBox.maxy).toBeGreaterThan(45.1);
    expect((await server.get('/layers/acme:water.json')).json()).toMatchObject({
      layer: { type: 'RASTER', defaultStyle: { name: 'raster' } },
    });
  });

  it.each(['url', 'remote'])('harvests the source of the method %s if a URL check allows it', async (method) => {
    const name = `water_20081101_z0000.tif`;
    const remote = await startRemoteServer((_request, response) =>
      response.end(zipOfFiles({ [name]: granuleBytes({ left: 30, top: 45, pixel: 0.25, epsg: 4326 }) })),
    );
    const harvest = (host: string) =>
      server.request('POST', `${store}/${method}.imagemosaic`, {
        type: 'text/plain',
        body: `http://${host}:${remote.port}/new.zip`,
      });

    const refused = await harvest('other.example.com');
    const allowed = await harvest('data.example.com');

    expect(refused.status).toBe(403);
    expect([allowed.status, allowed.text]).toEqual([201, 'Harvested 1 granule from 1 file into acme:water.\n']);
    expect(await count(`location = '${name}'`)).toBe(1);
  });

  it('can be created from a URL', async () => {
    const remote = await startRemoteServer((_request, response) =>
      response.end(zipOfFiles({ 'a.tif': granuleBytes({ left: 30, top: 45, pixel: 0.25, epsg: 4326 }) })),
    );

    const reply = await server.request('PUT', '/workspaces/acme/coveragestores/fetched/url.imagemosaic', {
      type: 'text/plain',
      body: `http://data.example.com:${remote.port}/mosaic.zip`,
    });

    expect([reply.status, reply.text]).toEqual([200, 'Published acme:fetched (EPSG:4326).\n']);
  });

  it('skips files whose names lack values that the definition requires', async () => {
    const reply = await server.request('POST', `${store}/file.imagemosaic`, {
      type: 'application/zip',
      body: zipOfFiles({ 'nameless.tif': granuleBytes({ left: 10, top: 45, pixel: 0.25, epsg: 4326 }) }),
    });

    expect(reply.status).toBe(201);
    expect(reply.text).toMatch(/^Harvested 0 granules from 1 file into acme:water\.\nSkipped nameless\.tif: [^\n]+\n$/);
  });
});
