/** Definitions of mosaics as other servers accept them. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeRoads } from '../../../test/support/geopackages.ts';
import { pngBytes } from '../../../test/support/png-bytes.ts';
import { putRasterZip, zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { geotiffBytes } from '../../../test/support/tiff-bytes.ts';

const stores = '/workspaces/acme/coveragestores';

describe('a mosaic with a definition of another server', () => {
  const folder = useTemporaryFolder('real-mosaics');
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  const put = (name: string, definition: Readonly<Record<string, string>>, images: Readonly<Record<string, Buffer>>) =>
    putRasterZip(
      server,
      `${stores}/${name}/file.imagemosaic`,
      zipOfFiles({
        ...Object.fromEntries(Object.entries(definition).map(([file, text]) => [file, Buffer.from(text)])),
        ...images,
      }),
      'application/json',
    );
  const granules = async (store: string, coverage = store): Promise<readonly Record<string, unknown>[]> => {
    const reply = await server.get(`${stores}/${store}/coverages/${coverage}/index/granules.json`);
    const { features } = reply.json() as { readonly features: readonly { readonly properties: never }[] };
    return features.map(({ properties }) => properties);
  };

  it('extracts values with look-behind and look-ahead', async () => {
    const definition = {
      'indexer.properties':
        'TimeAttribute=time\nElevationAttribute=z\nSchema=*the_geom:Polygon_,location:String,time:java.util.Date,z:Integer\nPropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time),IntegerFileNameExtractorSPI[zregex](z)\n',
      'timeregex.properties': 'regex=(?<=_)[0-9]{8}\n',
      'zregex.properties': 'regex=(?<=z|Z)(?!00)\\\\d+(?=_)\n',
    };

    const reply = await put('sea', definition, {
      'sea_z0010_20240102.tif': geotiffBytes(30, 20),
      'sea_z20_20240103.tif': geotiffBytes(30, 20),
    });

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('sea')]);
    expect(await granules('sea')).toEqual([
      { location: 'sea_z20_20240103.tif', time: '2024-01-03T00:00:00.000Z', z: 20 },
    ]);
    expect(reply.headers['warning']).toContain("the type of 'the_geom' is read as Polygon");
    expect(reply.text).toContain('sea_z0010_20240102.tif');
  });

  it('skips files if an expression with look-around takes too long', async () => {
    const definition = {
      'indexer.properties':
        'CanBeEmpty=true\nSchema=*the_geom:Polygon,location:String,label:String\nPropertyCollectors=StringFileNameExtractorSPI[slow](label)\n',
      'slow.properties': 'regex=(?=a)(a+)+$\n',
    };
    const image = `${'a'.repeat(60)}b.tif`;

    const reply = await put('slow', definition, { [image]: geotiffBytes(30, 20) });

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('takes too long')]);
  });

  it('can have an auxiliary file named aux.xml with a collector of coverage names', async () => {
    const auxiliary = `<Indexer>
  <coverages><coverage><nameCollector>names</nameCollector><schema><attributes>the_geom:Polygon,location:String</attributes></schema></coverage></coverages>
  <collectors><collector name="names"><spi>StringFileNameExtractorSPI</spi><value>regex=^[a-z]+</value></collector></collectors>
</Indexer>`;
    const definition = { 'indexer.properties': 'AuxiliaryFile=aux.xml\n', 'aux.xml': auxiliary };

    const reply = await put('named', definition, { 'snow_1.tif': geotiffBytes(30, 20) });

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('snow')]);
    expect(await granules('named', 'snow')).toEqual([{ location: 'snow_1.tif' }]);
  });

  it('reads the corners of an image from a .meta file', async () => {
    const meta = 'Image\nOrigin Longitude = 10\nOrigin Latitude = 45\nCorner Longitude = 20\nCorner Latitude = 50\n';

    const reply = await put('photos', {}, { 'one.png': pngBytes(20, 10, 3), 'one.meta': Buffer.from(meta) });

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('photos')]);
    expect(await granules('photos')).toEqual([{ location: 'one.png' }]);
    const { text } = await server.get(`${stores}/photos/coverages/photos.xml`);
    expect(text).toContain('<srs>EPSG:4326</srs>');
    expect(text).toMatch(
      /<nativeBoundingBox>\s*<minx>10<\/minx>\s*<maxx>20<\/maxx>\s*<miny>45<\/miny>\s*<maxy>50<\/maxy>/,
    );
  });

  it('has an embedded index if its definition names a GeoPackage store', async () => {
    const { path, source } = await makeRoads(folder);
    await source.close();
    await server.request('PUT', '/workspaces/acme/datastores/index/file.gpkg?configure=none', {
      type: 'application/geopackage+sqlite3',
      body: await readFile(path),
    });

    const definition = { 'datastore.properties': 'StoreName=acme:index\n' };
    const reply = await put('listed', definition, { 'one.tif': geotiffBytes(30, 20) });

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toContain("The store 'acme:index' is a GeoPackage.");
    expect(await granules('listed')).toEqual([{ location: 'one.tif' }]);
  });
});
