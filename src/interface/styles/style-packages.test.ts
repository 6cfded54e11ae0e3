import { describe, expect, it } from 'vitest';
import {
  createStylePackage,
  lineSe,
  lineSld,
  pictureSld,
  SLD_TYPE,
  send,
  tinyPng,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { noiseSvg, shadowSvg } from '../../../test/support/svg-graphics.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { snapshot } from '../../../test/support/vector-samples.ts';

const tree = pictureSld('tree', 'icons/tree.png');

describe('a style package', () => {
  const server = useTestServer();

  it('creates a style and stores its images', async () => {
    const body = createStylePackage({ 'tree.sld': tree, 'icons/tree.png': tinyPng() });

    const created = await send(server, 'POST', '/styles', ZIP_TYPE, body, { headers: { host: 'h' } });

    expect([created.status, created.text]).toEqual([201, 'tree']);
    expect(created.headers['location']).toBe('http://h/geoserver/rest/styles/tree');
    expect(created.headers['warning']).toBeUndefined();
    expect((await server.get('/styles/tree.sld')).text).toBe(tree);
  });

  it('is stored with a warning about a graphic that cannot be drawn', async () => {
    const svg = pictureSld('noise', 'noise.svg');
    const body = createStylePackage({ 'noise.sld': svg, 'noise.svg': noiseSvg, 'shadow.svg': shadowSvg });

    const created = await send(server, 'POST', '/styles', ZIP_TYPE, body);

    expect(created.status).toBe(201);
    expect(created.headers['warning']).toMatch(
      /^199 - "The graphic 'noise\.svg' is not drawn: the filter primitive 'feTurbulence' is not supported; supported are [^"]+"$/,
    );
  });

  it('reports the files that are not stored', async () => {
    const body = createStylePackage({
      'a/tree.sld': tree,
      'a/icons/tree.png': tinyPng(),
      'a/notes.txt': 'thrown away',
      'outside.png': tinyPng(),
      'a/Thumbs.db': 'an index of thumbnails',
    });

    const created = await send(server, 'POST', '/styles?name=notes', ZIP_TYPE, body);

    expect(created.headers['warning']).toBe(
      "199 - \"A package may contain a style and images beside or below it. These files are ignored: 'a/notes.txt', 'outside.png'.\"",
    );
  });

  it('is returned as a package that can be sent again', async () => {
    await send(
      server,
      'POST',
      '/styles?name=out',
      ZIP_TYPE,
      createStylePackage({ 'a.sld': tree, 'icons/tree.png': tinyPng() }),
    );

    const out = await server.get('/styles/out.zip');

    expect(out.status).toBe(200);
    expect(out.headers['content-type']).toBe('application/zip');
    expect(out.headers['content-disposition']).toContain('attachment; filename="out.zip"');
    expect((await send(server, 'POST', '/styles?name=again', ZIP_TYPE, out.bytes)).status).toBe(201);
    expect((await server.get('/styles/again.sld')).text).toBe(tree);
    const accepted = await server.get('/styles/out', { accept: ZIP_TYPE });
    expect(accepted.bytes.equals(out.bytes)).toBe(true);
  });

  it.each(['/styles/changed.zip', '/styles/changed'])('replaces a style at %s', async (path) => {
    await server.post('/styles', '{"style":{"name":"changed","filename":"changed.sld"}}');

    const reply = await send(server, 'PUT', path, ZIP_TYPE, createStylePackage({ 'x.sld': lineSe(path) }));

    expect([reply.status, reply.text]).toEqual([200, '']);
    expect((await server.get('/styles/changed.sld')).text).toBe(lineSe(path));
    expect((await server.get('/styles/changed.xml')).text).toContain('<version>1.1.0</version>');
  });

  it('is named after its file unless the client names it', async () => {
    const body = createStylePackage({ 'folder/after me.sld': lineSld('not me') });

    expect((await send(server, 'POST', '/styles', ZIP_TYPE, body)).text).toBe('after me');
    expect((await send(server, 'POST', '/styles?name=given', ZIP_TYPE, body)).text).toBe('given');
    expect((await send(server, 'POST', '/styles?name=given', ZIP_TYPE, body)).status).toBe(403);
  });

  it.each([
    ['no SLD', createStylePackage({ 'a.txt': 'x' }), "it contains 'a.txt'"],
    ['two SLDs', createStylePackage({ 'a.sld': lineSld('a'), 'b.sld': lineSld('b') }), "'a.sld', 'b.sld'"],
    ['an invalid image', createStylePackage({ 'a.sld': lineSld('a'), 'b.png': '<script>' }), 'b.png'],
    ['a broken SLD', createStylePackage({ 'a.sld': '<StyledLayerDescriptor>' }), 'line 1'],
    ['a DOCTYPE', createStylePackage({ 'a.sld': `<!DOCTYPE a SYSTEM "a.dtd">${lineSld('a')}` }), 'DOCTYPE'],
    ['a path outside the folder', createStylePackage({ 'a.sld': lineSld('a'), '../b.png': tinyPng() }), 'archive'],
    ['a body that is not an archive', Buffer.from('PK is what it begins with'), 'archive'],
    ['nothing', Buffer.alloc(0), 'no body'],
  ])('is rejected with %s, and leaves nothing behind', async (_, body, reason) => {
    const before = await snapshot(server.dataDir);
    for (const [method, path] of [
      ['POST', '/styles?name=refused'],
      ['PUT', '/styles/point'],
    ] as const) {
      const reply = await send(server, method, path, ZIP_TYPE, body);
      expect(reply.status).toBe(400);
      expect(reply.text).toContain(reason);
    }
    expect(await snapshot(server.dataDir)).toEqual(before);
  });

  it('shares its folder: other styles use its images, and a warning names them when images change', async () => {
    await send(
      server,
      'POST',
      '/styles?name=a1',
      ZIP_TYPE,
      createStylePackage({ 'a.sld': pictureSld('a', 'shared.png'), 'shared.png': tinyPng(1) }),
    );
    const user = await send(server, 'POST', '/styles?name=a2', SLD_TYPE, pictureSld('b', 'shared.png'));
    expect(user.headers['warning']).toBeUndefined();
    const before = (await server.get('/styles/a2.zip')).headers['etag'];

    const replaced = await send(
      server,
      'PUT',
      '/styles/a1',
      ZIP_TYPE,
      createStylePackage({ 'a.sld': pictureSld('a', 'shared.png'), 'shared.png': tinyPng(2) }),
    );

    expect(replaced.headers['warning']).toBe(
      '199 - "The image \'shared.png\' replaces an image that is also used by a2.sld."',
    );
    expect((await server.get('/styles/a2.zip')).headers['etag']).not.toBe(before);
  });

  it('limits the number of warning headers when it replaces many images of other styles', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `many-${index}.png`);
    const pack = (grey: number) =>
      createStylePackage({ 'a.sld': lineSld('a'), ...Object.fromEntries(names.map((name) => [name, tinyPng(grey)])) });
    const graphics = names.map((name) => pictureSld('b', name).match(/<PointSymbolizer>.*<\/PointSymbolizer>/s)?.[0]);
    await send(server, 'POST', '/styles?name=many', ZIP_TYPE, pack(1));
    const user = pictureSld('b', 'x.png').replace(/<PointSymbolizer>.*<\/PointSymbolizer>/s, graphics.join(''));
    expect((await send(server, 'POST', '/styles?name=user', SLD_TYPE, user)).status).toBe(201);

    const replaced = await send(server, 'PUT', '/styles/many', ZIP_TYPE, pack(2));

    const warnings = replaced.headers['warning']?.split(',199 - ') ?? [];
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toContain('30 more images replace images');
  });

  it('cannot contain another style, even with an image extension', async () => {
    await send(server, 'POST', '/styles?name=other-one', SLD_TYPE, lineSld('other-one'));

    for (const [name, href] of [
      ['thief', 'other-one.sld'],
      ['selfish', 'selfish.sld'],
    ] as const) {
      const sent = await send(server, 'POST', `/styles?name=${name}`, SLD_TYPE, pictureSld(name, href));
      expect(sent.headers['warning']).toContain(`The graphic '${href}' does not exist.`);
      const out = await server.get(`/styles/${name}.zip`);
      expect((await send(server, 'POST', `/styles?name=${name}-again`, ZIP_TYPE, out.bytes)).status).toBe(201);
    }
  });

  it('keeps its images when only its text is sent again', async () => {
    await send(
      server,
      'POST',
      '/styles?name=text',
      ZIP_TYPE,
      createStylePackage({ 'a.sld': pictureSld('a', 'own.png'), 'own.png': tinyPng() }),
    );
    await send(server, 'PUT', '/styles/text', SLD_TYPE, pictureSld('a', 'mistyped.png'));

    const back = await send(server, 'PUT', '/styles/text', SLD_TYPE, pictureSld('a', 'own.png'));

    expect(back.headers['warning']).toBeUndefined();
  });

  it('deletes the images of the previous package that no style uses', async () => {
    const first = createStylePackage({ 'a.sld': pictureSld('a', 'first.png'), 'first.png': tinyPng() });
    const second = createStylePackage({ 'a.sld': pictureSld('a', 'second.png'), 'second.png': tinyPng() });
    await send(server, 'POST', '/styles?name=turns', ZIP_TYPE, first);
    await send(server, 'PUT', '/styles/turns', ZIP_TYPE, second);

    const reply = await send(server, 'POST', '/styles?name=looks', SLD_TYPE, pictureSld('a', 'first.png'));

    expect(reply.headers['warning']).toContain("'first.png' does not exist");
  });
});
