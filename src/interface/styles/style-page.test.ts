/** The page of a style lists the layers that use it, as far as the user can see them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

const REST = 'http://localhost:80/geoserver/rest';

describe('style page', () => {
  const server = useTestServer();
  let keeper: string;
  beforeAll(async () => {
    const css = { type: 'application/vnd.graticule.geocss+css', body: '* { stroke: navy; }' };
    await server.request('POST', '/styles?name=lines', css);
    for (const workspace of ['acme', 'secret']) {
      await server.post('/workspaces', JSON.stringify({ workspace: { name: workspace } }));
      await server.request('PUT', `/workspaces/${workspace}/datastores/shapes/file.shp`, {
        type: 'application/zip',
        body: zipOf({ places: pointShapefile() }),
      });
      await server.put(`/layers/${workspace}:places`, '{"layer":{"defaultStyle":{"name":"lines"}}}');
    }
  });

  it('links to the layers that use the style', async () => {
    const { text } = await server.get('/styles/lines.html');

    expect(text).toContain(`<a href="${REST}/workspaces/acme/layers/places.html">acme:places</a>`);
    expect(text).toContain('secret:places');
  });

  it('omits layers that are hidden from the user', async () => {
    keeper = await addUser(server, 'keeper', 'KEEPER');
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    await server.post('/security/acl/layers', '{"acme.*.a":"KEEPER","*.*.r":"NOBODY"}');

    const { status, text } = await server.get('/styles/lines.html', { as: keeper });

    expect(status).toBe(200);
    expect(text).toContain('acme:places');
    expect(text).not.toContain('secret');
  });

  it('lists styles with format and the visible layers that use them', async () => {
    const read = async (options = {}) =>
      (await server.get('/styles.json?details=true&limit=10&q=line', options)).json() as {
        readonly styles: { readonly style: readonly Readonly<Record<string, unknown>>[] };
      };

    expect((await read()).styles.style).toMatchObject([
      { name: 'line', format: 'sld', builtIn: true, layers: [] },
      { name: 'lines', format: 'css', builtIn: false, layers: ['acme:places', 'secret:places'] },
    ]);
    expect((await read({ as: keeper })).styles.style).toMatchObject([
      { name: 'line' },
      { name: 'lines', layers: ['acme:places'] },
    ]);
    expect((await server.get('/styles.json?details=true')).status).toBe(400);
  });
});
