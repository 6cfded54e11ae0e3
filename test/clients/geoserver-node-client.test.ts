/** Runs every method of the npm package `geoserver-node-client` against a server in the geoserver dialect. */
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GeoServerRestClient } from 'geoserver-node-client';
import { afterAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, type StartedServer, startServer } from '../e2e/started-server.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { withMapServer } from '../support/capabilities.ts';
import { makeRoads } from '../support/geopackages.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

interface Connected {
  readonly client: GeoServerRestClient;
  readonly server: StartedServer;
}

const parts = [
  'about',
  'datastores',
  'imagemosaics',
  'layers',
  'layergroups',
  'namespaces',
  'resetReload',
  'security',
  'settings',
  'styles',
  'workspaces',
] as const;

const called = new Set<string>();

/** A client of a new server; its calls are recorded. */
async function connect(flags: readonly string[] = [], expectedLog: readonly RegExp[] = []): Promise<Connected> {
  const server = await startServer({ flags: ['--compat', 'geoserver', ...flags], expectedLog });
  const client = new GeoServerRestClient(server.url, 'admin', ADMIN_PASSWORD);
  const watched = parts.map((part) => {
    const handler: ProxyHandler<object> = {
      get(target, name, receiver) {
        called.add(`${part}.${String(name)}`);
        return Reflect.get(target, name, receiver);
      },
    };
    return [part, new Proxy(client[part], handler)] as const;
  });
  return { client: { ...client, ...Object.fromEntries(watched) }, server };
}

const sld =
  '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>r</Name><UserStyle><FeatureTypeStyle><Rule><PointSymbolizer/></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>';

/** A workspace with a point layer from a GeoPackage. */
async function withRoads(connected: Connected): Promise<void> {
  const { client, server } = connected;
  const { path, source } = await makeRoads(await temporaryFolder());
  await source.close();
  await mkdir(join(server.dataDir, 'data'), { recursive: true });
  await copyFile(path, join(server.dataDir, 'data/roads.gpkg'));
  await client.workspaces.create('acme');
  await client.datastores.createGpkgStore('acme', 'roads', 'data/roads.gpkg');
  await client.layers.publishFeatureType(
    'acme',
    'roads',
    'roads',
    'streets',
    'Streets',
    'EPSG:2154',
    true,
    'All of them',
  );
}

describe('geoserver-node-client', () => {
  it('detects the server and its version', async () => {
    const { client } = await connect();

    expect(await client.about.exists()).toBe(true);
    expect(await client.about.getVersion()).toMatchObject({
      about: { resource: expect.arrayContaining([expect.objectContaining({ '@name': 'GeoServer' })]) },
    });
  });

  it('creates, reads and deletes workspaces and namespaces', async () => {
    const { client } = await connect();

    expect(await client.workspaces.create('acme')).toBe('acme');
    await expect(client.workspaces.create('acme')).rejects.toThrow('Unable to add workspace as it already exists');
    expect(await client.workspaces.getAll()).toMatchObject({ workspaces: { workspace: [{ name: 'acme' }] } });
    expect(await client.workspaces.get('acme')).toMatchObject({ workspace: { name: 'acme' } });
    expect(await client.workspaces.get('missing')).toBeUndefined();
    expect(await client.namespaces.create('maps', 'http://maps.example/')).toBe('maps');
    expect(await client.namespaces.get('maps')).toMatchObject({ namespace: { uri: 'http://maps.example/' } });
    expect(await client.namespaces.getAll()).toMatchObject({ namespaces: { namespace: expect.any(Array) } });
    await client.namespaces.delete('maps');
    expect(await client.namespaces.get('maps')).toBeUndefined();
    await client.workspaces.delete('acme', false);
    await expect(client.workspaces.delete('acme', false)).rejects.toThrow("Workspace doesn't exist");
  });

  it('publishes, changes and deletes a GeoPackage', async () => {
    const connected = await connect();
    const { client } = connected;
    await withRoads(connected);

    expect(await client.datastores.getDataStores('acme')).toMatchObject({
      dataStores: { dataStore: [{ name: 'roads' }] },
    });
    expect(await client.datastores.getDataStore('acme', 'roads')).toMatchObject({
      dataStore: { name: 'roads', type: 'GeoPackage' },
    });
    expect(await client.datastores.getStore('acme', 'nothing', 'datastores')).toBeUndefined();
    expect(await client.layers.getFeatureType('acme', 'roads', 'streets')).toMatchObject({
      featureType: { name: 'streets', nativeName: 'roads', title: 'Streets' },
    });
    expect(await client.layers.getAll()).toMatchObject({ layers: { layer: [{ name: 'acme:streets' }] } });
    expect(await client.layers.getLayers('acme')).toMatchObject({ layers: { layer: [{ name: 'streets' }] } });
    await client.layers.modifyAttribution('acme', 'streets', 'The town', 'https://town.example/');
    await client.layers.modifyAttribution(undefined, 'streets', 'Our town', undefined);
    expect(await client.layers.get(undefined, 'streets')).toMatchObject({
      layer: { path: '/', attribution: { title: 'Our town', href: 'https://town.example/' } },
    });
    expect(await client.layers.get(undefined, 'nothing')).toBeUndefined();
    await client.layers.publishFeatureTypeDefaultDataStore('acme', 'roads', 'lanes', 'Lanes', 'EPSG:2154', true, '');
    expect(await client.layers.get('acme', 'lanes')).toMatchObject({ layer: { name: 'lanes' } });
    await client.layers.enableTimeFeatureType(
      'acme',
      'roads',
      'lanes',
      'name',
      'LIST',
      3_600_000,
      'MAXIMUM',
      true,
      false,
    );
    expect(await client.layers.getFeatureType('acme', 'roads', 'lanes')).toMatchObject({
      featureType: { metadata: { entry: { '@key': 'time', dimensionInfo: { attribute: 'name' } } } },
    });
    await client.layers.deleteFeatureType('acme', 'roads', 'lanes', true);
    expect(await client.layers.get('acme', 'lanes')).toBeUndefined();
    await client.datastores.deleteDataStore('acme', 'roads', true);
    expect(await client.datastores.getStores('acme', 'datastores')).toEqual({ dataStores: '' });
  });

  it('publishes, changes and deletes a GeoTIFF', async () => {
    const { client } = await connect();
    const file = join(await temporaryFolder(), 'height.tif');
    await writeFile(file, geotiffBytes(30, 20));
    await client.workspaces.create('acme');

    await client.datastores.createGeotiffFromFile('acme', 'height', 'height', 'Height', file);
    const stream = createReadStream(file);
    await client.datastores.createGeotiffFromStream(
      'acme',
      'again',
      'again',
      'Again',
      stream,
      geotiffBytes(30, 20).length,
    );

    expect(await client.datastores.getCoverageStores('acme')).toMatchObject({
      coverageStores: { coverageStore: [{ name: 'again' }, { name: 'height' }] },
    });
    expect(await client.datastores.getCoverageStore('acme', 'height')).toMatchObject({
      coverageStore: { type: 'GeoTIFF' },
    });
    await client.layers.renameCoverageBands('acme', 'height', 'height', ['metres']);
    expect(await client.layers.getCoverage('acme', 'height', 'height')).toMatchObject({
      coverage: { dimensions: { coverageDimension: { name: 'metres' } } },
    });
    await client.layers.publishDbRaster('acme', 'again', 'Again', 'more', 'More', 'EPSG:32633', true, '');
    expect(await client.layers.getCoverage('acme', 'again', 'more')).toMatchObject({ coverage: { title: 'More' } });
    await expect(client.datastores.deleteCoverageStore('acme', 'height', false)).rejects.toThrow();
    await client.datastores.deleteCoverageStore('acme', 'height', true);
    expect(await client.datastores.getCoverageStore('acme', 'height')).toBeUndefined();
  });

  it('creates a mosaic, harvests into it and deletes granules', async () => {
    const folder = await temporaryFolder();
    const { client } = await connect(['--external-root', folder]);
    await mkdir(join(folder, 'more'));
    for (const name of ['t_20260101', 'more/t_20260102'])
      await writeFile(join(folder, `${name}.tif`), geotiffBytes(4, 3));
    const definition = {
      'indexer.properties': Buffer.from(
        'TimeAttribute=time\nSchema=*the_geom:Polygon,location:String,time:java.util.Date\nPropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time)\nAbsolutePath=true\n',
      ),
      'timeregex.properties': Buffer.from('regex=[0-9]{8}\n'),
      't_20251231.tif': geotiffBytes(4, 3),
    };
    const archive = join(folder, 'mosaic.zip');
    await writeFile(archive, zipOfFiles(definition));
    await client.workspaces.create('acme');

    await client.datastores.createImageMosaicStore('acme', 'temperature', archive);
    await client.imagemosaics.addGranuleByServerFile('acme', 'temperature', join(folder, 't_20260101.tif'));
    // The response to a harvest has no body, which this method of the client cannot parse.
    await expect(client.imagemosaics.harvestGranules('acme', 'temperature', join(folder, 'more'))).rejects.toThrow(
      'JSON',
    );

    expect(await client.imagemosaics.getGranules('acme', 'temperature', 'temperature')).toMatchObject({
      features: { length: 3 },
    });
    await client.imagemosaics.deleteSingleGranule('acme', 'temperature', 'temperature', join(folder, 't_20260101.tif'));
    expect(await client.imagemosaics.getGranules('acme', 'temperature', 'temperature')).toMatchObject({
      features: { length: 2 },
    });
    await client.layers.enableTimeCoverage('acme', 'temperature', 'temperature', 'LIST', undefined, 'MAXIMUM');
    expect(JSON.stringify(await client.layers.getCoverage('acme', 'temperature', 'temperature'))).toContain('MAXIMUM');
  });

  it('creates styles and assigns them to layers', async () => {
    const connected = await connect();
    const { client } = connected;
    await withRoads(connected);

    await client.styles.publish('acme', 'dots', sld);

    expect(await client.styles.getInWorkspace('acme')).toMatchObject({ styles: { style: [{ name: 'dots' }] } });
    expect(await client.styles.getDefaults()).toMatchObject({ styles: { style: expect.any(Array) } });
    expect(await client.styles.getAllWorkspaceStyles()).toMatchObject([{ name: 'dots' }]);
    expect(await client.styles.getAll()).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'dots' })]));
    expect(await client.styles.getStyleInformation('acme', 'dots')).toMatchObject({ style: { name: 'dots' } });
    await client.styles.assignStyleToLayer('acme', 'streets', 'acme', 'dots');
    expect(await client.layers.get('acme', 'streets')).toMatchObject({
      layer: { defaultStyle: { name: 'acme:dots' } },
    });
    await expect(client.styles.delete('acme', 'dots', false, false)).rejects.toThrow('dependant layers');
    await client.styles.delete('acme', 'dots', true, true);
    expect(await client.styles.getStyleInformation('acme', 'dots')).toBeUndefined();
    expect(await client.layers.get('acme', 'streets')).toMatchObject({ layer: { defaultStyle: { name: 'point' } } });
  });

  it('publishes layers of remote servers and connects to a remote WFS', async () => {
    // The map server has no WFS, which the server reports; the store is saved anyway.
    const { client, server } = await connect([], [/the data of a store is unreachable/]);
    const check = { regexUrlCheck: { name: 'here', enabled: true, regex: '^http://127\\.0\\.0\\.1:\\d+/.*$' } };
    await server.request('POST', '/urlchecks', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(check),
    });
    await client.workspaces.create('acme');

    await withMapServer(async (url) => {
      await client.datastores.createWmsStore('acme', 'maps', `${url}wms?service=WMS`);
      await client.datastores.createWmtsStore('acme', 'tiles', `${url}wmts?service=WMTS`);
      await client.datastores.createWfsStore('acme', 'data', `${url}wfs?service=WFS`, 'http://acme', true);
      await client.layers.publishWmsLayer('acme', 'maps', 'roads', 'streets', 'Streets', 'EPSG:4326', true, '');
    });

    expect(await client.datastores.getWmsStores('acme')).toMatchObject({ wmsStores: { wmsStore: [{ name: 'maps' }] } });
    expect(await client.datastores.getWmtsStores('acme')).toMatchObject({
      wmtsStores: { wmtsStore: [{ name: 'tiles' }] },
    });
    expect(await client.datastores.getWmsStore('acme', 'maps')).toMatchObject({ wmsStore: { type: 'WMS' } });
    expect(await client.datastores.getWmtsStore('acme', 'tiles')).toMatchObject({ wmtsStore: { type: 'WMTS' } });
    expect(await client.datastores.getDataStore('acme', 'data')).toMatchObject({
      dataStore: { type: 'Web Feature Server (NG)' },
    });
    expect(await client.layers.getWmsLayer('acme', 'maps', 'streets')).toMatchObject({
      wmsLayer: { title: 'Streets', nativeName: 'roads' },
    });
    expect(await client.layers.getWmsLayer('acme', 'maps', 'rivers')).toBeUndefined();
    expect(await client.layers.getWmtsLayer('acme', 'tiles', 'streets')).toBeUndefined();
  });

  it('creates layer groups', async () => {
    const connected = await connect();
    const { client } = connected;
    await withRoads(connected);

    const location = await client.layergroups.create('acme', 'town', ['streets'], { layerGroupTitle: 'Town' });

    expect(location).toMatch(/\/layergroups\/town$/);
    expect(await client.layergroups.get('acme', 'town')).toMatchObject({
      layerGroup: { name: 'town', mode: 'SINGLE', publishables: { published: { name: 'acme:streets' } } },
    });
    // The default box of the client has swapped sides, and the layer is in EPSG:2154.
    expect(await client.layergroups.get('acme', 'town')).toMatchObject({
      layerGroup: { bounds: { crs: 'EPSG:4326' } },
    });
    const bounds = { minx: 100_000, miny: 6_000_000, maxx: 300_000, maxy: 6_200_000, crs: 'EPSG:3857' };
    await client.layergroups.create('acme', 'region', ['streets'], { bounds });
    expect(await client.layergroups.get('acme', 'region')).toMatchObject({
      layerGroup: { bounds: { ...bounds, crs: { $: 'EPSG:3857' } } },
    });
    await client.layergroups.update('acme', 'town', { layerGroup: { title: 'The town' } });
    expect(await client.layergroups.get('acme', 'town')).toMatchObject({ layerGroup: { title: 'The town' } });
    expect(await client.layergroups.get('acme', 'village')).toBeUndefined();
  });

  it('creates users and assigns roles to them', async () => {
    const { client, server } = await connect();

    await client.security.createUser('anna', 'a good long password');
    await client.security.associateUserRole('anna', 'ADMIN');
    await client.security.updateUser('anna', 'another long password', true);

    expect(await client.security.getAllUsers()).toMatchObject({
      users: expect.arrayContaining([expect.objectContaining({ userName: 'anna', enabled: true })]),
    });
    const anna = new GeoServerRestClient(server.url, 'anna', 'another long password');
    expect(await anna.workspaces.getAll()).toEqual({ workspaces: '' });
  });

  it('changes the server settings and resets the caches', async () => {
    const { client } = await connect();

    await client.settings.updateProxyBaseUrl('https://maps.example/geoserver');
    await client.settings.updateContactInformation(
      'Street 1',
      'Bonn',
      'DE',
      '53111',
      'NRW',
      'a@b.example',
      'We',
      'Me',
      '1',
    );

    const settings = await client.settings.getSettings();
    expect(settings).toMatchObject({ global: { settings: { proxyBaseUrl: 'https://maps.example/geoserver' } } });
    await client.settings.updateSettings(settings);
    expect(await client.settings.getContactInformation()).toMatchObject({
      contact: { addressCity: 'Bonn', contactPerson: 'Me' },
    });
    await client.resetReload.reset();
    await client.resetReload.reload();
    expect(await client.about.exists()).toBe(true);
  });
});

describeWithPostgis('geoserver-node-client with a database', (postgis) => {
  it('publishes a database table', async () => {
    const { client } = await connect();
    const { host, port, database, user, password } = postgis.connection;
    await postgis.query('CREATE TABLE wells (id serial PRIMARY KEY, geom geometry(Point, 4326), depth integer)');
    await client.workspaces.create('acme');

    const uri = 'http://acme';
    await client.datastores.createPostgisStore('acme', uri, 'db', host, port, user, password, 'public', database, true);
    await client.layers.publishFeatureType('acme', 'db', 'wells', 'wells', 'Wells', 'EPSG:4326', true, '', {
      minx: 5,
      maxx: 15,
      miny: 47,
      maxy: 55,
    });

    expect(await client.layers.getFeatureType('acme', 'db', 'wells')).toMatchObject({
      featureType: { nativeBoundingBox: { minx: 5, maxx: 15 } },
    });
  });
});

afterAll(() => {
  const client = new GeoServerRestClient('http://nowhere.example', 'missing', '');
  const methods = parts.flatMap((part) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(client[part]))
      .filter((name) => name !== 'constructor')
      .map((name) => `${part}.${name}`),
  );

  expect(methods.filter((method) => !called.has(method))).toEqual([]);
});
