/** Files of styles by path: icons and contents, written, moved, copied and deleted. */
import { beforeAll, describe, expect, it } from 'vitest';
import { itInDirectory } from '../../../test/support/shared-storage.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';
import { noiseSvg, shadowSvg } from '../../../test/support/svg-graphics.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const REST = 'http://localhost:80/geoserver/rest';
const icon = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

describe('a style file', () => {
  const server = useTestServer();

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.request('POST', '/styles?name=roads', { type: SLD_TYPE, body: lineSld('roads') });
  });

  it('can be an icon for the styles of the folder', async () => {
    const created = await server.request('PUT', '/resource/styles/icons/tree.svg', {
      type: 'image/svg+xml',
      body: icon,
    });
    const again = await server.request('PUT', '/resource/styles/icons/tree.svg', { type: 'image/svg+xml', body: icon });
    const read = await server.get('/resource/styles/icons/tree.svg');

    expect([created.status, created.headers['location']]).toEqual([201, `${REST}/resource/styles/icons/tree.svg`]);
    expect(again.status).toBe(200);
    expect([read.text, read.headers['content-type']]).toEqual([icon, 'image/svg+xml']);
    expect((await server.get('/resource/styles/icons?format=json')).json()).toMatchObject({
      ResourceDirectory: { name: 'icons', children: { child: [{ name: 'tree.svg' }] } },
    });
  });

  it('is stored with a warning if it is an icon that cannot be drawn', async () => {
    const put = (name: string, body: string) => server.request('PUT', `/resource/styles/${name}`, { body });

    const [noise, shadow] = [await put('noise.svg', noiseSvg), await put('shadow.svg', shadowSvg)];

    expect([noise.status, noise.headers['warning']]).toEqual([
      201,
      expect.stringContaining(
        "The graphic 'noise.svg' is not drawn: the filter primitive 'feTurbulence' is not supported",
      ),
    ]);
    expect([shadow.status, shadow.headers['warning']]).toEqual([201, undefined]);
  });

  it('can be the content of a style, which changes with it', async () => {
    const changed = lineSld('roads', '#00ff00');

    const reply = await server.request('PUT', '/resource/styles/roads.sld', {
      type: 'application/octet-stream',
      body: changed,
    });

    expect(reply.status).toBe(200);
    expect((await server.get('/styles/roads.sld')).text).toBe(changed);
  });

  it('is validated like a style or an image', async () => {
    const put = (path: string, body: string) => server.request('PUT', `/resource/${path}`, { body });

    expect(await put('styles/bad.sld', '<html/>')).toMatchObject({ status: 400 });
    expect(await put('styles/bad.css', '{ no css')).toMatchObject({ status: 400 });
    expect(await put('styles/bad.png', 'no picture')).toMatchObject({
      status: 400,
      text: "'styles/bad.png' cannot be stored with the styles: its extension is .png, but it is not a complete image of a known format.\n",
    });
    expect(await put('styles/bad.svg', `${icon.slice(0, -6)}<script>alert(1)</script></svg>`)).toMatchObject({
      status: 400,
    });
    expect(await put('styles/notes.txt', 'notes')).toMatchObject({ status: 400 });
    expect(await put('styles/deep/roads.sld', lineSld('roads'))).toMatchObject({ status: 400 });
    expect(await put('styles/.hidden.sld', lineSld('roads'))).toMatchObject({ status: 400 });
    expect(await put('workspaces/none/styles/a.svg', icon)).toMatchObject({ status: 404 });
  });

  it('cannot be deleted while its path matches an address with an expression', async () => {
    const body = lineSld('ranks').replace(
      /<LineSymbolizer>.*<\/LineSymbolizer>/s,
      `<PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="k\${rank}.svg"/><Format>image/svg+xml</Format></ExternalGraphic></Graphic></PointSymbolizer>`,
    );
    const put = (name: string) => server.request('PUT', `/resource/styles/${name}`, { body: icon });
    await server.request('POST', '/styles?name=ranks', { type: SLD_TYPE, body });
    for (const name of ['k1.svg', 'other.svg']) expect((await put(name)).status).toBe(201);

    expect(await server.delete('/resource/styles/k1.svg')).toMatchObject({
      status: 403,
      text: "'styles/k1.svg' is used by 'ranks'. Change or delete this style first.\n",
    });
    expect((await server.delete('/resource/styles/other.svg')).status).toBe(200);

    await server.delete('/styles/ranks?purge=true');
    expect((await server.delete('/resource/styles/k1.svg')).status).toBe(200);
  });

  it('cannot be deleted while a style uses it, and the error names the style', async () => {
    const drawing = lineSld('trees').replace(
      '<LineSymbolizer>',
      '<PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="leaf.svg"/><Format>image/svg+xml</Format></ExternalGraphic></Graphic></PointSymbolizer><LineSymbolizer>',
    );
    await server.request('PUT', '/resource/styles/leaf.svg', { body: icon });
    expect((await server.request('POST', '/styles?name=trees', { type: SLD_TYPE, body: drawing })).status).toBe(201);

    expect(await server.delete('/resource/styles/leaf.svg')).toMatchObject({
      status: 403,
      text: "'styles/leaf.svg' is used by 'trees'. Change or delete this style first.\n",
    });
    expect(await server.delete('/resource/styles/roads.sld')).toMatchObject({
      status: 403,
      text: "'styles/roads.sld' is used by 'roads'. Change or delete this style first.\n",
    });
    expect((await server.delete('/resource/styles/icons/tree.svg')).status).toBe(200);
    expect((await server.get('/resource/styles/icons')).status).toBe(404);
  });

  it('is moved and copied with the path of the source as the body', async () => {
    const put = (path: string, operation: string, body: string) =>
      server.request('PUT', `/resource/${path}?operation=${operation}`, { type: 'text/plain', body });
    await server.request('PUT', '/resource/styles/a.svg', { body: icon });

    const copied = await put('workspaces/acme/styles/b.svg', 'copy', 'styles/a.svg');
    const moved = await put('styles/c.svg', 'move', '/styles/a.svg');

    expect([copied.status, moved.status]).toEqual([201, 201]);
    expect((await server.get('/resource/workspaces/acme/styles/b.svg')).text).toBe(icon);
    expect((await server.get('/resource/styles/c.svg')).text).toBe(icon);
    expect((await server.get('/resource/styles/a.svg')).status).toBe(404);
    expect((await put('styles/d.sld', 'move', 'styles/roads.sld')).status).toBe(403);
    expect((await put('styles/d.sld', 'copy', 'styles/roads.sld')).status).toBe(201);
    expect((await put('styles/d.png', 'copy', 'styles/c.svg')).status).toBe(400);
    expect((await put('styles/e.svg', 'move', 'styles/none.svg')).status).toBe(404);
    expect((await put('styles/e.svg', 'move', '')).status).toBe(400);
    expect((await put('styles/e.svg', 'copy', 'styles')).status).toBe(405);
  });

  itInDirectory('is copied into the data folder, but not moved there', async () => {
    const put = (operation: string) =>
      server.request('PUT', `/resource/data/c.svg?operation=${operation}`, {
        type: 'text/plain',
        body: 'styles/f.svg',
      });
    await server.request('PUT', '/resource/styles/f.svg', { body: icon });

    expect((await put('move')).status).toBe(400);
    expect((await put('copy')).status).toBe(201);
    expect((await server.get('/resource/data/c.svg')).text).toBe(icon);
  });

  it('is written subject to conditional headers', async () => {
    const put = (headers: Record<string, string>) =>
      server.request('PUT', '/resource/styles/known.svg', { body: icon, headers });
    await put({});
    const { headers } = await server.get('/resource/styles/known.svg');

    expect((await put({ 'if-none-match': '*' })).status).toBe(412);
    expect((await put({ 'if-match': '"1.file"' })).status).toBe(412);
    expect((await put({ 'if-match': headers['etag'] ?? '' })).status).toBe(200);
  });
});
