/** Cascaded stores and their published layers behave the same for WMS and WMTS. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wmsCapabilities, wmtsCapabilities } from '../../../test/support/capabilities.ts';
import { type RemoteServer, startRemoteServer } from '../../../test/support/remote-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const services = [
  {
    service: 'WMS',
    stores: 'wmsstores',
    store: 'wmsStore',
    inStore: 'wmslayers',
    inWorkspace: 'wmslayers',
    layer: 'wmsLayer',
    capabilities: wmsCapabilities,
  },
  {
    service: 'WMTS',
    stores: 'wmtsstores',
    store: 'wmtsStore',
    inStore: 'layers',
    inWorkspace: 'wmtslayers',
    layer: 'wmtsLayer',
    capabilities: wmtsCapabilities,
  },
] as const;

describe.each(services)(
  'a cascaded $service store',
  ({ service, stores, store, inStore, inWorkspace, layer, capabilities }) => {
    const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
    const collection = `/workspaces/acme/${stores}`;
    const layers = `${collection}/neighbour/${inStore}`;
    let remote: RemoteServer;
    let url: string;

    beforeAll(async () => {
      const check = { regexUrlCheck: { name: 'maps', enabled: true, regex: '^http://maps\\.example\\.com:\\d+/.*$' } };
      await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
      await server.post('/urlchecks', JSON.stringify(check));
    });

    beforeEach(async () => {
      remote = await startRemoteServer((_request, response) => response.end(capabilities));
      url = `http://maps.example.com:${remote.port}/ows?map=town`;
      await server.delete(`${collection}/neighbour?recurse=true`);
      const document = { [store]: { name: 'neighbour', capabilitiesURL: url, user: 'me', password: 'open sesame' } };
      const created = await server.post(collection, JSON.stringify(document));
      expect(created.status, created.text).toBe(201);
      expect(created.headers['warning']).toBeUndefined();
    });

    it('sends the password when it requests the capabilities and never returns it', async () => {
      const [question] = remote.asked;
      const read = await server.get(`${collection}/neighbour.json`);

      expect(question).toMatch(new RegExp(`/ows\\?map=town&SERVICE=${service}&REQUEST=GetCapabilities$`));
      expect(remote.headers[0]?.authorization).toBe(`Basic ${Buffer.from('me:open sesame').toString('base64')}`);
      expect(read.json()).toEqual({
        [store]: expect.objectContaining({
          name: 'neighbour',
          type: service,
          enabled: true,
          capabilitiesURL: url,
          user: 'me',
          maxConnections: 6,
          readTimeout: 60,
          connectTimeout: 30,
          [inStore]: expect.stringMatching(new RegExp(`/${stores}/neighbour/${inStore}\\.json$`)),
        }),
      });
      expect(read.text).not.toContain('sesame');
      expect((await server.get(`${collection}.json`)).json()).toMatchObject({
        [`${store}s`]: { [store]: [{ name: 'neighbour' }] },
      });
      expect((await server.get(`${collection}.xml`)).text).toContain(`<${store}>`);
    });

    it('keeps its password across changes and sends it to the same server only', async () => {
      const changed = await server.put(
        `${collection}/neighbour`,
        `<${store}><description>Next door</description><readTimeout>5</readTimeout></${store}>`,
      );

      await server.get(`${layers}.json?list=available`);

      expect(changed.status).toBe(200);
      expect(remote.headers.at(-1)?.authorization).toMatch(/^Basic /);
      expect((await server.get(`${collection}/neighbour.json`)).json()).toMatchObject({
        [store]: { description: 'Next door', readTimeout: 5, user: 'me' },
      });
    });

    it('lists its layers and those that are not yet published', async () => {
      const all = await server.get(`${layers}.json?list=available`);
      await server.post(layers, JSON.stringify({ [layer]: { name: 'roads' } }));
      const left = await server.get(`${layers}.xml?list=available`);

      expect(all.json()).toEqual({ list: { string: ['roads', 'rivers'] } });
      expect(left.text).toContain(`<${layer}Name>rivers</${layer}Name>`);
      expect(left.text).not.toContain('roads');
    });

    it('publishes layers with the metadata of the remote server', async () => {
      const created = await server.post(
        layers,
        `<${layer}><name>streets</name><nativeName>roads</nativeName></${layer}>`,
      );

      const read = await server.get(`${layers}/streets.json`);

      expect(created.status, created.text).toBe(201);
      expect(created.headers['location']).toMatch(new RegExp(`/${stores}/neighbour/${inStore}/streets$`));
      expect(read.json()).toEqual({
        [layer]: expect.objectContaining({
          name: 'streets',
          nativeName: 'roads',
          title: 'Roads',
          abstract: 'Where one drives',
          keywords: { string: ['traffic'] },
          srs: 'EPSG:4326',
          nativeBoundingBox: { minx: 5, maxx: 15, miny: 47, maxy: 55, crs: 'EPSG:4326' },
          latLonBoundingBox: { minx: 5, maxx: 15, miny: 47, maxy: 55, crs: 'EPSG:4326' },
        }),
      });
      expect((await server.get('/layers/acme:streets.json')).json()).toMatchObject({
        layer: { type: service, defaultStyle: { name: 'raster' }, resource: { '@class': layer, name: 'acme:streets' } },
      });
      expect((await server.get(`/workspaces/acme/${inWorkspace}.json`)).json()).toMatchObject({
        [`${layer}s`]: { [layer]: [{ name: 'streets' }] },
      });
      expect((await server.get(`/workspaces/acme/${inWorkspace}/streets.xml`)).status).toBe(200);
    });

    it('supports changing, renaming and deleting its layers', async () => {
      await server.post(layers, JSON.stringify({ [layer]: { name: 'roads' } }));

      const changed = await server.put(
        `${layers}/roads`,
        JSON.stringify({ [layer]: { name: 'ways', title: 'Ways', forcedRemoteStyle: 'thick', nativeName: 'rivers' } }),
      );

      expect(changed.status, changed.text).toBe(200);
      expect((await server.get(`${layers}/ways.json`)).json()).toMatchObject({
        [layer]: { title: 'Ways', forcedRemoteStyle: 'thick', nativeName: 'rivers' },
      });
      expect((await server.get('/layers/acme:ways.json')).status).toBe(200);
      expect((await server.delete(`${layers}/ways`)).status).toBe(403);
      expect((await server.delete(`${layers}/ways?recurse=true`)).status).toBe(200);
      expect((await server.get('/layers/acme:ways.json')).status).toBe(404);
    });

    it('is deleted only without published layers or with recurse', async () => {
      await server.post(layers, JSON.stringify({ [layer]: { name: 'roads' } }));

      const refused = await server.delete(`${collection}/neighbour`);

      expect(refused.status).toBe(403);
      expect(refused.text).toContain(`${layer} 'roads'`);
      expect((await server.delete(`${collection}/neighbour?recurse=true`)).status).toBe(200);
      expect((await server.get('/layers/acme:roads.json')).status).toBe(404);
    });

    it('can be moved and renamed with its layers', async () => {
      await server.post('/workspaces', '{"workspace":{"name":"other"}}');
      await server.post(layers, JSON.stringify({ [layer]: { name: 'roads' } }));

      const moved = await server.put(
        `${collection}/neighbour`,
        JSON.stringify({ [store]: { name: 'far', workspace: 'other' } }),
      );

      expect(moved.status, moved.text).toBe(200);
      expect((await server.get('/layers/other:roads.json')).status).toBe(200);
      expect((await server.delete(`/workspaces/other/${stores}/far?recurse=true`)).status).toBe(200);
    });

    it.each([
      ['a name in use', { name: 'neighbour' }, 409, 'already'],
      ['no URL', { name: 'n', capabilitiesURL: '' }, 400, 'capabilitiesURL'],
      [
        'a URL with another scheme',
        { name: 'n', capabilitiesURL: 'file:///etc/passwd' },
        403,
        'is not allowed: it is not a complete http or https URL',
      ],
      ['a number over the limit', { name: 'n', readTimeout: 1_000_000 }, 400, 'readTimeout'],
      ['a password of two lines', { name: 'n', password: 'a\r\nhost: evil' }, 400, 'password'],
      ['an invalid name', { name: 'a:b' }, 400, "'a:b'"],
    ])('is rejected with %s', async (_, wrong, status, said) => {
      const reply = await server.post(collection, JSON.stringify({ [store]: { capabilitiesURL: url, ...wrong } }));

      expect(reply.status).toBe(status);
      expect(reply.text).toContain(said);
      expect((await server.get(`${collection}/n.json`)).status).toBe(404);
    });

    it('is saved with a warning when no URL check allows its URL, which is then not opened', async () => {
      const document = { [store]: { name: 'unchecked', capabilitiesURL: 'http://inner.example/wms' } };

      const created = await server.post(collection, JSON.stringify(document));
      const asked = await server.get(`${collection}/unchecked/${inStore}.json?list=available`);

      expect(created.status, created.text).toBe(201);
      expect(created.headers['warning']).toContain(
        "The URL 'http://inner.example/wms' is not allowed: no enabled URL check matches it",
      );
      expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('no enabled URL check matches it')]);
      await server.delete(`${collection}/unchecked`);
    });

    it('is saved with a warning when the remote server returns an unexpected document', async () => {
      const broken = await startRemoteServer((_request, response) => response.end('<html/>'));
      const document = { [store]: { name: 'broken', capabilitiesURL: `http://maps.example.com:${broken.port}/` } };

      const created = await server.post(collection, JSON.stringify(document));
      const asked = await server.get(`${collection}/broken/${inStore}.json?list=available`);

      expect(created.status).toBe(201);
      expect(created.headers['warning']).toContain("the response is a 'html' document");
      expect(asked.status).toBe(502);
      expect(asked.text).toContain("the response is a 'html' document");
      await server.delete(`${collection}/broken`);
    });

    it.each([
      ['an unknown layer', { name: 'lakes' }, 400, "'roads'"],
      ['an unknown CRS', { name: 'roads', srs: 'EPSG:999999' }, 400, 'EPSG:999999'],
      ['another store', { name: 'roads', store: 'acme:elsewhere' }, 403, 'elsewhere'],
    ])('rejects the publication of %s', async (_, wrong, status, said) => {
      const reply = await server.post(layers, JSON.stringify({ [layer]: wrong }));

      expect(reply.status).toBe(status);
      expect(reply.text).toContain(said);
      expect((await server.get(`${layers}.json`)).json()).toEqual({ [`${layer}s`]: { [layer]: [] } });
    });

    it('hides the password and the token in quoted remote responses', async () => {
      const chatty = await startRemoteServer((request, response) => {
        const said = request.headers.authorization ?? request.url?.replaceAll('&', '&amp;');
        response.end(
          `<ServiceExceptionReport><ServiceException>no: ${said}</ServiceException></ServiceExceptionReport>`,
        );
      });
      const address = `http://maps.example.com:${chatty.port}/ows`;
      const listedWith = async (fields: object) => {
        const document = { [store]: { enabled: true, capabilitiesURL: address, ...fields } };
        await server.put(`${collection}/neighbour`, JSON.stringify(document));
        return server.get(`${layers}.json?list=available`);
      };

      const withPassword = await listedWith({});
      const withToken = await listedWith({
        user: null,
        password: null,
        capabilitiesURL: `${address}?token=open-sesame`,
      });
      const withNeither = await listedWith({ capabilitiesURL: `${address}?map=town` });

      expect(chatty.headers[0]?.authorization).toMatch(/^Basic /);
      for (const { status, text } of [withPassword, withToken]) {
        expect(status).toBe(502);
        expect(text).toContain('the response is not shown because it may contain a password or a token');
        expect(text).not.toMatch(/sesame|Basic/);
      }
      expect(withNeither.text).toContain('no: /ows?map=town');
    });

    it('does not send its password to the target of a redirect', async () => {
      const inner = await startRemoteServer((_request, response) => response.end(capabilities));
      const outer = await startRemoteServer((_request, response) => {
        response.writeHead(302, { location: `http://maps.example.com:${inner.port}/` }).end();
      });
      const address = `http://maps.example.com:${outer.port}/`;

      await server.put(`${collection}/neighbour`, JSON.stringify({ [store]: { capabilitiesURL: address } }));
      const listed = await server.get(`${layers}.json?list=available`);

      expect(listed.status).toBe(200);
      expect(outer.headers.at(-1)?.authorization).toMatch(/^Basic /);
      expect(inner.headers.at(-1)?.authorization).toBeUndefined();
    });
  },
);
