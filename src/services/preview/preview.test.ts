import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { groupOf } from '../../../test/support/layer-groups.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const server = useTestServer();

const table = (name: string) => ({
  name,
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [[wkt('POINT (7.5 47)'), 'Bern'] as const],
});

beforeAll(async () => {
  await publishTables(
    server,
    'topo',
    Array.from({ length: 30 }, (_, index) => table(`town${index + 10}`)),
  );
  await putTiff(server, '/workspaces/topo/coveragestores/relief/file.geotiff');
});

const see = (query = ''): Promise<Reply> => server.get(`//geoserver/preview${query}`, { as: null });

const namesIn = ({ text }: Reply) => [...text.matchAll(/<small>(topo:\w+)<\/small>/g)].map(([, name]) => name);

describe('pages of the configuration', () => {
  const imagesIn = ({ text }: Reply) =>
    [...text.matchAll(/<img class="extent" src="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'));

  it.each([
    '/layers/topo:town11',
    '/workspaces/topo/layers/town11',
    '/workspaces/topo/featuretypes/town11',
    '/workspaces/topo/coveragestores/relief/coverages/relief',
    '/layers/topo:relief',
    '/layergroups/all',
  ])('show an existing map under a strict policy and link to its preview: %s', async (path) => {
    if (path === '/layergroups/all') await server.post('/layergroups', groupOf('all', ['topo:relief', 'topo:town11']));

    const page = await server.get(`${path}.html`);
    const [address = ''] = imagesIn(page);
    const { pathname, search } = new URL(address);
    const map = await server.get(`/${pathname}${search}`, { as: null });
    if (path === '/layergroups/all') await server.delete('/layergroups/all');

    expect(map.headers['content-type']).toBe('image/png');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'.*img-src 'self'/);
    expect(page.text).toMatch(/href="[^"]*\/geoserver\/preview\?layer=[^"]*">Open the map/);
  });

  it('show the map only to principals who can view it', async () => {
    const keeper = await addUser(server, 'keeper', 'KEEPER');
    await server.post('/security/acl/layers', '{"topo.*.a":"KEEPER","topo.town12.r":"ADMIN","topo.relief.r":"ADMIN"}');

    const pages = [
      await server.get('/workspaces/topo/layers/town12.html', { as: keeper }),
      await server.get('/workspaces/topo/featuretypes/town12.html', { as: keeper }),
      await server.get('/workspaces/topo/coveragestores/relief/coverages/relief.html', { as: keeper }),
    ];
    for (const rule of ['topo.*.a', 'topo.town12.r', 'topo.relief.r'])
      await server.delete(`/security/acl/layers/${rule}`);

    expect(pages.flatMap(imagesIn)).toEqual([]);
    expect(pages[1]?.status).toBe(200);
  });
});

describe('preview', () => {
  it('lists the layers page by page with thumbnails', async () => {
    const [first, second] = [await see(), await see('?page=2')];

    expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
    expect([namesIn(first).length, namesIn(second).length]).toEqual([24, 7]);
    expect(new Set([...namesIn(first), ...namesIn(second)]).size).toBe(31);
    expect(first.text).toContain('wms/reflect?layers=topo%3Atown10&amp;width=240');
    expect(first.text).toContain('Next page');
    expect(second.text).not.toContain('Next page');
  });

  it('searches by a part of the name', async () => {
    expect(namesIn(await see('?search=N12'))).toEqual(['topo:town12']);
    expect((await see('?search=nowhere')).text).toContain('No layers match your search.');
  });

  it('has a page for each layer with its addresses', async () => {
    const [features, coverage] = [await see('?layer=topo:town10'), await see('?layer=topo:relief')];

    expect(features.text).toContain('data-layer="topo:town10"');
    expect(features.text).toContain('/geoserver/topo/wfs?service=WFS&amp;request=GetCapabilities');
    expect(features.text).toContain('/geoserver/gwc/service/wmts?SERVICE=WMTS&amp;REQUEST=GetCapabilities');
    expect(coverage.text).toContain('coverageId=topo__relief');
    expect(coverage.text).not.toContain('WFS');
  });

  it('links to the start page', async () => {
    for (const query of ['', '?layer=topo:town10', '?layer=topo:nowhere']) {
      expect((await see(query)).text).toMatch(/<nav[^>]*><ol><li><a href="http:[^"]*\/geoserver\/">Graticule<\/a>/);
    }
  });

  it('draws thumbnails with a margin, so that points are complete', async () => {
    const expected = encodeURIComponent('6.8,46.3,8.2,47.7');

    expect((await see()).text).toContain(
      `layers=topo%3Atown10&amp;width=240&amp;format=image%2Fpng&amp;bbox=${expected}`,
    );
    expect((await server.get('/layers/topo:town11.html')).text).toContain(`&amp;bbox=${expected}`);
  });

  it('links to existing images', async () => {
    const pages = [await see(), await see('?layer=topo:town10'), await see('?layer=topo:relief')];
    const addresses = pages.flatMap(({ text }) => [...text.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, url]) => url));

    for (const address of [addresses[0], ...addresses.slice(24)]) {
      const { pathname, search } = new URL((address ?? '').replaceAll('&amp;', '&'));
      const reply = await server.get(`/${pathname}${search}`, { as: null });
      expect([address, reply.headers['content-type']]).toEqual([address, 'image/png']);
    }
  });

  it('runs no foreign scripts, and escapes names', async () => {
    const reply = await see('?layer=%3Cscript%3E');

    expect(reply.status).toBe(404);
    expect(reply.text).not.toContain('<script>');
    expect(reply.headers['content-security-policy']).toMatch(
      /default-src 'none'.*script-src 'self'; connect-src 'self'$/,
    );
  });

  it('hides layers that the principal cannot view', async () => {
    await server.post('/security/acl/layers.json', '{"topo.town10.r":"ADMIN"}', { type: 'json' });

    const [list, one, unknown] = [await see(), await see('?layer=topo:town10'), await see('?layer=topo:none')];
    const own = await server.get('//geoserver/preview?layer=topo:town10');
    await server.delete('/security/acl/layers/topo.town10.r');

    expect(namesIn(list)).not.toContain('topo:town10');
    expect(one.status).toBe(404);
    expect(one.text.replaceAll('town10', 'none')).toBe(unknown.text);
    expect(own.status).toBe(200);
  });
});
