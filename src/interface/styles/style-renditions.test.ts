import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import {
  CSS_TYPE,
  createStylePackage,
  lineSe,
  lineSld,
  pictureSld,
  SE_TYPE,
  SLD_TYPE,
  send,
  tinyPng,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { limits } from '../../server/settings/limits.ts';

const css = '* { stroke: red; }';
const isPng = (bytes: Buffer) => bytes.toString('latin1', 1, 4) === 'PNG';
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('style retrieval', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await send(server, 'POST', '/styles?name=old', SLD_TYPE, lineSld('old'));
    await send(server, 'POST', '/styles?name=new', SE_TYPE, lineSe('new'));
    await send(server, 'POST', '/styles?name=named', SE_TYPE, lineSe('named', 'a name'));
    await send(server, 'POST', '/styles?name=css', CSS_TYPE, css);
  });

  it.each([
    ['old', SLD_TYPE],
    ['new', SE_TYPE],
  ])('returns .sld in its own version: %s', async (name, type) => {
    const reply = await server.get(`/styles/${name}.sld`);

    expect(reply.headers['content-type']).toBe(type);
    expect(reply.text).toBe(name === 'old' ? lineSld('old') : lineSe('new'));
    expect((await server.get(`/styles/${name}`, { accept: type })).text).toBe(reply.text);
  });

  it('converts to the other SLD version for clients that accept only that', async () => {
    const newer = await server.get('/styles/old', { accept: SE_TYPE });
    const older = await server.get('/styles/new', { accept: SLD_TYPE });

    expect([newer.status, newer.headers['content-type']]).toEqual([200, SE_TYPE]);
    expect(newer.text).toContain('version="1.1.0"');
    expect([older.status, older.headers['content-type']]).toEqual([200, SLD_TYPE]);
    expect(older.text).toContain('<CssParameter name="stroke">#0000ff</CssParameter>');
  });

  it.each([
    ['old', `${SLD_TYPE};version=1.1.0`, 200, SE_TYPE],
    ['old', `${SLD_TYPE}; version="1.1"`, 200, SE_TYPE],
    ['old', 'Application/vnd.OGC.sld+xml;Version=1.1.0', 200, SE_TYPE],
    ['old', `${SE_TYPE};version=1.1.0`, 200, SE_TYPE],
    ['new', `${SLD_TYPE};version=1.1.0`, 200, SE_TYPE],
    ['new', `${SLD_TYPE};version=1.0.0`, 200, SLD_TYPE],
    ['old', `${SLD_TYPE};version=1.1.0;q=0.2, ${SLD_TYPE};version=1.0.0;q=0.8`, 200, SLD_TYPE],
    ['css', `${SLD_TYPE};version=1.1.0`, 200, SE_TYPE],
    ['css', `${SLD_TYPE};version=1.0.0`, 200, SLD_TYPE],
    ['old', `${SLD_TYPE};version=1.2.0`, 406, undefined],
    ['old', `${SE_TYPE};version=1.0.0`, 406, undefined],
  ])('returns the version that Accept names: %s with %s', async (name, accept, status, type) => {
    const reply = await server.get(`/styles/${name}`, { accept });

    expect(reply.status).toBe(status);
    if (status === 200) {
      expect(reply.headers['content-type']).toBe(type);
      expect(reply.text).toContain(`version="${type === SE_TYPE ? '1.1.0' : '1.0.0'}"`);
    } else {
      expect(reply.text).toContain(`${SLD_TYPE};version=1.1.0`);
    }
  });

  it('converts without loss or answers 406', async () => {
    const reply = await server.get('/styles/named', { accept: SLD_TYPE });

    expect(reply.status).toBe(406);
    expect(reply.text).toContain('without loss');
    expect((await server.get('/styles/named.sld')).text).toBe(lineSe('named', 'a name'));
  });

  it('converts CSS to SLD, but never SLD to CSS', async () => {
    const sld = await server.get('/styles/css.sld');
    expect([sld.status, sld.headers['content-type']]).toEqual([200, SLD_TYPE]);
    expect(sld.text).toMatch(/<CssParameter name="stroke">#ff0000<\/CssParameter>/i);
    expect((await send(server, 'POST', '/styles?name=translated', SLD_TYPE, sld.text)).status).toBe(201);

    const types = 'roads { stroke: red } acme:rivers { stroke: blue }';
    await send(server, 'POST', '/styles?name=types', CSS_TYPE, types);
    const layers = [...(await server.get('/styles/types.sld')).text.matchAll(/<NamedLayer>\s*<Name>(.*?)<\/Name>/g)];
    expect(layers.map(([, name]) => name)).toEqual(['roads', 'acme:rivers']);

    const refused = await server.get('/styles/old.css');
    expect(refused.status).toBe(406);
    expect(refused.text).toContain('conversion to CSS is not supported');
  });

  it.each(['application/vnd.geoserver.geocss+css', 'application/vnd.example.geocss+css'])(
    'returns the style as %s',
    async (accept) => {
      const reply = await server.get('/styles/css', { accept });

      expect([reply.status, reply.text]).toEqual([200, css]);
      expect(reply.headers['content-type']).toBe('application/vnd.geoserver.geocss+css');
    },
  );

  it.each([
    [undefined, 'application/xml'],
    ['*/*', 'application/xml'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['image/avif,image/png,*/*;q=0.5', 'image/png'],
    [`${SLD_TYPE}, application/xml;q=0.5`, SLD_TYPE],
  ])('with Accept %s returns %s', async (accept, type) => {
    const reply = await server.get('/styles/old', accept === undefined ? {} : { accept });

    expect([reply.status, reply.headers['content-type']]).toEqual([200, type]);
  });

  it('returns CSS as the newer SLD, as a package with the translation, and as an image', async () => {
    const newer = await server.get('/styles/css', { accept: SE_TYPE });
    const pack = await server.get('/styles/css.zip');

    expect(newer.text).toContain('version="1.1.0"');
    expect((await send(server, 'POST', '/styles?name=unpacked', ZIP_TYPE, pack.bytes)).status).toBe(201);
    expect((await server.get('/styles/unpacked.sld')).text).toBe((await server.get('/styles/css.sld')).text);
    expect(isPng((await server.get('/styles/css.png')).bytes)).toBe(true);
    expect((await server.get('/styles/css.html')).text).toContain('* { stroke: red; }');
  });

  it('answers 406 for an unsupported format', async () => {
    expect((await server.get('/styles/old', { accept: 'application/pdf' })).status).toBe(406);
    expect((await server.get('/styles/old.pdf')).status).toBe(404);
  });

  it('accepts the extension in any case, and after a slash', async () => {
    expect((await server.get('/styles/old.SLD')).text).toBe(lineSld('old'));
    expect((await server.get('/styles/old/.sld')).text).toBe(lineSld('old'));
    expect((await server.request('HEAD', '/styles/old.sld')).status).toBe(200);
  });

  it('returns a page with a sample and the escaped source', async () => {
    const page = await server.get('/styles/old.html', { headers: { host: 'h' } });

    expect(page.text).toContain(
      '<img class="swatch" src="http://h/geoserver/rest/styles/old/.png?width=48&amp;height=32"',
    );
    expect(page.text).toContain('&lt;StyledLayerDescriptor');
    expect(page.text).not.toContain('<StyledLayerDescriptor');
    expect(page.headers['content-security-policy']).toContain("img-src 'self'");
  });

  it('sends the content as a download, so that no browser renders it as a page', async () => {
    for (const ending of ['sld', 'zip']) {
      const { headers } = await server.get(`/styles/old.${ending}`);
      expect(headers['content-disposition']).toContain('attachment');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });
});

describe('style sample image', () => {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });

  it('has the requested size', async () => {
    await send(server, 'POST', '/styles?name=drawn', SLD_TYPE, lineSld('drawn'));

    const usual = await server.get('/styles/drawn.png');
    const large = await server.get('/styles/drawn.png?width=100&height=50');

    expect([usual.status, usual.headers['content-type']]).toEqual([200, 'image/png']);
    expect(sizeOf(usual.bytes)).toEqual([20, 20]);
    expect(sizeOf(large.bytes)).toEqual([100, 50]);
    expect((await server.get('/styles/drawn', { accept: 'image/*' })).bytes.equals(usual.bytes)).toBe(true);
  });

  it.each(['width=0', 'width=1025', 'height=-1', 'height=x', 'width=1.5'])('with %s is rejected', async (query) => {
    expect((await server.get(`/styles/point.png?${query}`)).status).toBe(400);
  });

  it.each(['point', 'line', 'polygon', 'raster', 'generic'])('is available for the built-in %s', async (name) => {
    expect(isPng((await server.get(`/styles/${name}.png`)).bytes)).toBe(true);
  });

  it('shows the images of the package', async () => {
    const pack = (grey: number) => createStylePackage({ 'i.sld': pictureSld('i', 'i.png'), 'i.png': tinyPng(grey) });
    await send(server, 'POST', '/styles?name=i', ZIP_TYPE, pack(0));
    const dark = await server.get('/styles/i.png');

    await send(server, 'PUT', '/styles/i', ZIP_TYPE, pack(255));
    const light = await server.get('/styles/i.png', { headers: { 'if-none-match': dark.headers['etag'] ?? '' } });

    expect(light.status).toBe(200);
    expect(light.bytes.equals(dark.bytes)).toBe(false);
  });

  it('fetches nothing that no URL check allows, and is drawn without it', async () => {
    const remote = await startRemoteServer((_request, response) => response.end(tinyPng()));
    const href = `http://icons.example.com:${remote.port}/a.png`;
    await send(server, 'POST', '/styles?name=refused', SLD_TYPE, pictureSld('r', href));

    expect(isPng((await server.get('/styles/refused.png')).bytes)).toBe(true);
    expect(remote.asked).toEqual([]);
  });

  it('fetches images that a URL check allows', async () => {
    const check = { regexUrlCheck: { name: 'icons', enabled: true, regex: '^http://passed\\.example\\.com:\\d+/.*$' } };
    await server.post('/urlchecks', JSON.stringify(check));
    const remote = await startRemoteServer((_request, response) => response.end(tinyPng()));
    const href = `http://passed.example.com:${remote.port}/a.png`;

    const sent = await send(server, 'POST', '/styles?name=fetched', SLD_TYPE, pictureSld('r', href));

    expect(sent.headers['warning']).toBeUndefined();
    expect(isPng((await server.get('/styles/fetched.png')).bytes)).toBe(true);
    expect(remote.asked).toHaveLength(1);
  });

  it('is drawn with limited concurrency, however many are requested', async () => {
    const check = { regexUrlCheck: { name: 'slow', enabled: true, regex: '^http://slow\\.example\\.com:\\d+/.*$' } };
    await server.post('/urlchecks', JSON.stringify(check));
    const held = Promise.withResolvers<void>();
    const remote = await startRemoteServer((_request, response) => {
      void held.promise.then(() => response.end(tinyPng()));
    });
    const href = `http://slow.example.com:${remote.port}/a.png`;
    await send(server, 'POST', '/styles?name=slow', SLD_TYPE, pictureSld('r', href));

    const drawing = Array.from({ length: 20 }, () => server.get('/styles/slow.png'));
    // Worker threads may have to be started first.
    await vi.waitFor(() => expect(remote.asked).toHaveLength(limits.style.maxRenderings), { timeout: 120_000 });
    for (let others = 0; others < 20; others += 1) {
      expect((await server.get('/styles/slow.json')).status).toBe(200);
    }

    expect(remote.asked).toHaveLength(limits.style.maxRenderings);
    held.resolve();
    expect((await Promise.all(drawing)).every(({ status }) => status === 200)).toBe(true);
    // On a slow machine some are drawn without images, because the wait for images is short.
    expect(remote.asked.length).toBeGreaterThan(limits.style.maxRenderings);
  });
});
