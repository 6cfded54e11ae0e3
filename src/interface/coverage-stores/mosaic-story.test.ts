/**
 * The life cycle of an empty mosaic, from its definition to a second harvest, with the embedded index and with
 * PostGIS.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { postgisParameters } from '../../../test/support/postgis-sources.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const store = '/workspaces/acme/coveragestores/ocean';
const file = join('test', 'fixtures', 'rasters', 'ocean-4.nc');

const schema = 'the_geom:Polygon,location:String,imageindex:Integer,time:java.util.Date,elevation:Double';
const indexer = `<Indexer>
  <domains>
    <domain name="time"><attributes><attribute>time</attribute></attributes></domain>
    <domain name="elevation"><attributes><attribute>elevation</attribute></attributes></domain>
  </domains>
  <coverages>
    ${['temperature', 'salinity']
      .map(
        (name) =>
          `<coverage><schema name="${name}"><attributes>${schema}</attributes></schema><name>${name}</name><domains><domain ref="time"/><domain ref="elevation"/></domains></coverage>`,
      )
      .join('\n    ')}
  </coverages>
  <parameters>
    <parameter name="CanBeEmpty" value="true"/>
  </parameters>
</Indexer>`;

interface GranuleList {
  readonly features: readonly { readonly id: string; readonly properties: Readonly<Record<string, unknown>> }[];
}

/** The steps of a client in sequence: each test continues from the state of the previous one. */
function tellStory(definition: () => Readonly<Record<string, Buffer>>): void {
  const server = useTestServer();
  const granules = async (query = '') => {
    const reply = await server.get(`${store}/coverages/temperature/index/granules.json${query}`);
    expect(reply.status, reply.text).toBe(200);
    return (reply.json() as GranuleList).features;
  };
  const harvest = () =>
    server.request('POST', `${store}/external.imagemosaic`, { type: 'text/plain', body: 'file:data/ocean.nc' });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await copyFile(file, join(server.dataDir, 'data', 'ocean.nc'));
  });

  it('is defined, harvested, published, read, trimmed and harvested again', async () => {
    const made = await server.request('PUT', `${store}/file.imagemosaic?configure=none`, {
      type: 'application/zip',
      body: zipOfFiles({ 'indexer.xml': Buffer.from(indexer), ...definition() }),
    });
    expect([made.status, made.text]).toEqual([200, 'Nothing was published from the store ocean.\n']);

    const first = await harvest();
    expect(first.status, first.text).toBe(201);
    const [, count = '0'] = /^Harvested (\d+) granules from 1 file/.exec(first.text) ?? [];
    expect((await server.get(`${store}/coverages.json?list=all`)).json()).toEqual({
      list: { string: ['temperature', 'salinity'] },
    });

    for (const name of ['temperature', 'salinity']) {
      const body = `<coverage><nativeCoverageName>${name}</nativeCoverageName><name>${name}</name></coverage>`;
      const published = await server.post(`${store}/coverages`, body);
      expect(published.status, published.text).toBe(201);
    }

    const index = await server.get(`${store}/coverages/temperature/index.xml`);
    expect([...index.text.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name)).toEqual([
      'the_geom',
      'location',
      'imageindex',
      'time',
      'elevation',
    ]);
    const all = await granules();
    expect(all).toHaveLength(Number(count) / 2);
    expect(all[0]?.properties).toMatchObject({ location: join(server.dataDir, 'data', 'ocean.nc'), imageindex: 0 });
    expect(await granules('?limit=2')).toHaveLength(2);

    const filter = encodeURIComponent(`location='${String(all[0]?.properties['location'])}'`);
    expect(await granules(`?filter=${filter}`)).toHaveLength(all.length);
    const removed = await server.delete(`${store}/coverages/temperature/index/granules.xml?filter=${filter}`);
    expect(removed.status, removed.text).toBe(200);
    expect(await granules()).toHaveLength(0);

    expect((await harvest()).status).toBe(201);
    expect((await harvest()).status).toBe(201);
    expect((await granules()).map(({ properties }) => properties)).toEqual(all.map(({ properties }) => properties));
    expect(await readFile(join(server.dataDir, 'data', 'ocean.nc'))).toEqual(await readFile(file));
  });

  it('drops the granules of a variable that its file no longer has after another harvest', async () => {
    const salinity = async () => {
      const reply = await server.get(`${store}/coverages/salinity/index/granules.json`);
      return (reply.json() as GranuleList).features;
    };
    const before = [await granules(), await salinity()].map(({ length }) => length);
    const classic = await readFile(join('test', 'fixtures', 'rasters', 'ocean-3.nc'), 'latin1');
    const renamed = Buffer.from(classic.replaceAll('salinity', 'humidity'), 'latin1');
    await writeFile(join(server.dataDir, 'data', 'ocean.nc'), renamed);

    const again = await harvest();

    expect(again.status, again.text).toBe(201);
    expect(before).toEqual([6, 6]);
    expect(await granules()).toHaveLength(6);
    expect(await salinity()).toHaveLength(0);
  });

  it('is deleted with the store, including its index', async () => {
    expect((await server.delete(`${store}?recurse=true&purge=metadata`)).status).toBe(200);
    expect((await server.get(`${store}.xml`)).status).toBe(404);

    const again = await server.request('PUT', `${store}/file.imagemosaic?configure=none`, {
      type: 'application/zip',
      body: zipOfFiles({ 'indexer.xml': Buffer.from(indexer), ...definition() }),
    });
    expect([again.status, (await server.get(`${store}/coverages.json?list=all`)).json()]).toEqual([
      200,
      { list: { string: [] } },
    ]);
  });
}

describe('an empty mosaic with the embedded index', () => tellStory(() => ({})));

describeWithPostgis('an empty mosaic with its index in PostGIS', (postgis) => {
  const tables = async () =>
    (await postgis.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
      .map(({ tablename }) => String(tablename))
      .filter((name) => ['temperature', 'salinity'].includes(name));
  const definition = () => {
    const { dbtype: _dbtype, ...parameters } = postgisParameters(postgis.connection);
    const lines = Object.entries(parameters).map(([key, value]) => `${key.replaceAll(' ', '\\ ')}=${value}`);
    const properties = ['SPI=org.geotools.data.postgis.PostgisNGDataStoreFactory', ...lines].join('\n');
    return { 'datastore.properties': Buffer.from(properties) };
  };
  tellStory(definition);

  describe('an empty mosaic whose workspace is deleted', () => {
    const server = useTestServer();

    it('is deleted with its tables', async () => {
      await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
      const body = zipOfFiles({ ...definition(), 'ocean.nc': await readFile(file) });
      const made = await server.request('PUT', `${store}/file.imagemosaic`, { type: 'application/zip', body });
      expect(made.status, made.text).toBe(200);
      expect(await tables()).toEqual(['salinity', 'temperature']);

      await server.delete('/workspaces/acme?recurse=true&dryRun=true');
      expect(await tables()).toEqual(['salinity', 'temperature']);
      expect((await server.delete('/workspaces/acme?recurse=true')).status).toBe(200);

      expect(await tables()).toEqual([]);
    });
  });
});
