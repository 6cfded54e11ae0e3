/** The page of a feature type: one table of attributes, and the first features for users who can read them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, writeShapefiles, zipOf } from '../../../test/support/vector-samples.ts';

describe('feature type page', () => {
  const server = useTestServer();
  const path = '/workspaces/acme/datastores/shapes/featuretypes/places';
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    for (const store of ['shapes', 'off']) {
      const name = store === 'shapes' ? 'places' : 'hidden';
      await server.request('PUT', `/workspaces/acme/datastores/${store}/file.shp`, {
        type: 'application/zip',
        body: zipOf({ [name]: pointShapefile(9) }),
      });
    }
  });

  it('has one table of attributes', async () => {
    const { text } = await server.get(`${path}.html`);
    const [, table = ''] = /<h2>Attributes<\/h2>\n(.*)/.exec(text) ?? [];

    expect(table.match(/<table>/g)).toHaveLength(1);
    expect(table).toContain('<tr><th scope="row">the_geom</th><td>Point</td><td>yes</td>');
    expect(table).toContain('<tr><th scope="row">name</th><td>string (20)</td>');
    expect(text).not.toContain('java.lang.String');
  });

  it('shows the first five features', async () => {
    const { text } = await server.get(`${path}.html`);

    expect(text).toContain('<td>Point 10 50</td><td>place 0</td><td>0</td><td>2026-01-02</td>');
    expect(text).toContain('place 4');
    expect(text).not.toContain('place 5');
  });

  it('has no ETag because the data has none', async () => {
    expect((await server.get(`${path}.html`)).headers['etag']).toBeUndefined();
    expect((await server.get(`${path}.json`)).headers['etag']).toBeDefined();
  });

  it('is available although the data is not', async () => {
    await server.put('/workspaces/acme/datastores/off', '{"dataStore":{"enabled":false}}');

    const { status, text } = await server.get('/workspaces/acme/featuretypes/hidden.html');

    expect(status).toBe(200);
    expect(text).toContain('Features are unavailable.');
    expect(text).toContain('<h2>Attributes</h2>');
  });

  it('reports a missing data file instead of an empty list of features', async () => {
    const folder = await writeShapefiles(join(server.dataDir, 'data/gone'), { gone: pointShapefile() });
    await server.request('PUT', '/workspaces/acme/datastores/gone/external.shp', { type: 'text/plain', body: folder });
    await rm(join(folder, 'gone.shp'));

    const { status, text } = await server.get('/workspaces/acme/featuretypes/gone.html');

    expect(status).toBe(200);
    expect(text).toContain('Features are unavailable.');
  });

  it('shows the data only to users who can read it', async () => {
    const keeper = await addUser(server, 'keeper', 'KEEPER');
    await server.post('/security/acl/layers', '{"acme.*.a":"KEEPER","acme.places.r":"READER"}');

    const { status, text } = await server.get(`${path}.html`, { as: keeper });

    expect(status).toBe(200);
    expect(text).toContain('You do not have permission to read the data.');
    expect(text).not.toContain('place 0');
    expect((await server.get(`${path}.html`)).text).toContain('place 0');
  });
});
