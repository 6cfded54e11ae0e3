/** The page of a workspace shows the first of its layers, styles and stores. */
import { beforeAll, describe, expect, it } from 'vitest';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

const MANY = 60;
const REST = 'http://localhost:80/geoserver/rest';

describe('workspace page', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.post('/workspaces', '{"workspace":{"name":"empty"}}');
    const names = Array.from({ length: MANY }, (_, index) => `layer${String(index).padStart(2, '0')}`);
    await server.request('PUT', '/workspaces/acme/datastores/shapes/file.shp?configure=all', {
      type: 'application/zip',
      body: zipOf(Object.fromEntries(names.map((name) => [name, pointShapefile(1)]))),
    });
    const css = { type: 'application/vnd.graticule.geocss+css', body: '* { stroke: navy; }' };
    await server.request('POST', '/workspaces/acme/styles?name=lines', css);
  });

  it('links to the contents of the workspace', async () => {
    const { text } = await server.get('/workspaces/acme.html');

    for (const [path, name] of [
      ['layers/layer00', 'layer00'],
      ['styles/lines', 'lines'],
      ['datastores/shapes', 'shapes'],
    ]) {
      expect(text).toContain(`<li><a href="${REST}/workspaces/acme/${path}.html">${name}</a></li>`);
    }
  });

  it('lists the kinds of stores separately', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"mixed"}}');
    await putTiff(server, '/workspaces/mixed/coveragestores/relief/file.geotiff');
    await server.post(
      '/workspaces/mixed/wmsstores',
      '{"wmsStore":{"name":"far","capabilitiesURL":"http://far.example/wms"}}',
    );

    const { text } = await server.get('/workspaces/mixed.html');
    const sections = Object.fromEntries(
      text.split('<h2>').map((section) => [section.slice(0, section.indexOf('<')), section] as const),
    );

    expect(Object.keys(sections).filter((title) => title.endsWith('stores'))).toEqual([
      'Data stores',
      'Coverage stores',
      'WMS stores',
    ]);
    expect(sections['Data stores']).toContain('No data stores yet.');
    expect(sections['Coverage stores']).toContain(`${REST}/workspaces/mixed/coveragestores/relief.html`);
    expect(sections['Coverage stores']).toContain(`${REST}/workspaces/mixed/coveragestores.html`);
    expect(sections['WMS stores']).toContain(`${REST}/workspaces/mixed/wmsstores/far.html`);
  });

  it('shows the first items of a long list, and a link to all', async () => {
    const { text } = await server.get('/workspaces/acme.html');

    expect(text.match(/\/layers\/layer\d+\.html/g)).toHaveLength(50);
    expect(text).toContain(`<a href="${REST}/workspaces/acme/layers.html">First 50 shown. Show all</a>`);
    expect(text).toContain(`<a href="${REST}/workspaces/acme/styles.html">Show all</a>`);
  });

  it('shows, like the page of a store, the first published resources', async () => {
    const { text } = await server.get('/workspaces/acme/datastores/shapes.html');

    expect(text.match(/\/featuretypes\/layer\d+\.html/g)).toHaveLength(50);
    expect(text).toContain('First 50 shown. Show all');
  });

  it('suggests the next step for empty lists', async () => {
    const { text } = await server.get('/workspaces/empty.html');

    expect(text).toContain('Upload a shapefile or a GeoPackage');
  });

  it('has no ETag because its contents have their own versions', async () => {
    expect((await server.get('/workspaces/acme.html')).headers['etag']).toBeUndefined();
    expect((await server.get('/workspaces/default.html')).headers['etag']).toBeUndefined();
    expect((await server.get('/workspaces/acme.xml')).headers['etag']).toBeDefined();
  });
});
