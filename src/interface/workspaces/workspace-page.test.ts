/** The page of a workspace shows the first of its layers, styles and stores. */
import { beforeAll, describe, expect, it } from 'vitest';
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
