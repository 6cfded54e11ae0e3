import { beforeAll, describe, expect, it } from 'vitest';
import {
  createStylePackage,
  lineSld,
  pictureSld,
  SLD_TYPE,
  send,
  styleNames,
  tinyPng,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { polygonShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

describe('styles of a workspace', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2) });
  beforeAll(async () => {
    for (const name of ['acme', 'other']) {
      await server.post('/workspaces', `<workspace><name>${name}</name></workspace>`);
    }
  });

  it('are created, listed and read in the workspace', async () => {
    const created = await server.post('/workspaces/acme/styles', '{"style":{"name":"local","filename":"local.sld"}}', {
      headers: { host: 'h' },
    });
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe('http://h/geoserver/rest/workspaces/acme/styles/local');
    expect((await send(server, 'PUT', '/workspaces/acme/styles/local', SLD_TYPE, lineSld('local'))).status).toBe(200);

    expect((await server.get('/workspaces/acme/styles.xml', { headers: { host: 'h' } })).text).toBe(`<styles>
  <style>
    <name>local</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/styles/local.xml" type="application/xml"/>
  </style>
</styles>
`);
    expect((await server.get('/workspaces/acme/styles/local.json', { headers: { host: 'h' } })).json()).toEqual({
      style: {
        name: 'local',
        workspace: { name: 'acme', href: 'http://h/geoserver/rest/workspaces/acme.json' },
        format: 'sld',
        languageVersion: { version: '1.0.0' },
        filename: 'local.sld',
        dateCreated: '2026-01-02 00:00:00.000 UTC',
      },
    });
    expect((await server.get('/workspaces/acme/styles/local.sld')).text).toBe(lineSld('local'));
  });

  it('are invisible outside the workspace', async () => {
    await send(server, 'POST', '/workspaces/acme/styles?name=inside', SLD_TYPE, lineSld('inside'));

    expect((await server.get('/styles/inside')).status).toBe(404);
    expect((await server.get('/workspaces/other/styles/inside')).status).toBe(404);
    expect(await styleNames(server)).not.toContain('inside');
  });

  it('may have the name and the file of a global style', async () => {
    await send(server, 'POST', '/workspaces/acme/styles?name=point', SLD_TYPE, lineSld('my point'));

    expect((await server.get('/workspaces/acme/styles/point.sld')).text).toBe(lineSld('my point'));
    expect((await server.get('/styles/point.sld')).text).toContain('Orange dot');
    expect((await server.delete('/workspaces/acme/styles/point?purge=true')).status).toBe(200);
    expect((await server.get('/styles/point.sld')).status).toBe(200);
  });

  it('have their own images', async () => {
    const body = createStylePackage({ 'a.sld': pictureSld('a', 'i.png'), 'i.png': tinyPng() });
    await send(server, 'POST', '/workspaces/acme/styles?name=drawn', ZIP_TYPE, body);

    const reply = await send(server, 'POST', '/workspaces/other/styles?name=x', SLD_TYPE, pictureSld('x', 'i.png'));

    expect(reply.headers['warning']).toContain("'i.png' does not exist");
  });

  it.each([
    ['GET', '/workspaces/nowhere/styles'],
    ['GET', '/workspaces/nowhere/styles/x'],
    ['DELETE', '/workspaces/nowhere/styles/x'],
  ])('return 404 for an unknown workspace: %s %s', async (method, path) => {
    const reply = await server.request(method, path);

    expect(reply.status).toBe(404);
    expect(reply.text).toContain("No such workspace: 'nowhere'");
    expect((await send(server, 'POST', '/workspaces/nowhere/styles', SLD_TYPE, lineSld('x'))).status).toBe(404);
    expect((await send(server, 'PUT', '/workspaces/nowhere/styles/x', SLD_TYPE, lineSld('x'))).status).toBe(404);
  });

  it('are deleted with the workspace, which counts as not empty with them', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"doomed"}}');
    const body = createStylePackage({ 'a.sld': pictureSld('a', 'i.png'), 'i.png': tinyPng() });
    await send(server, 'POST', '/workspaces/doomed/styles?name=s', ZIP_TYPE, body);

    const refused = await server.delete('/workspaces/doomed');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("style 's'");

    expect((await server.delete('/workspaces/doomed?recurse=true')).status).toBe(200);
    await server.post('/workspaces', '{"workspace":{"name":"doomed"}}');
    await server.post('/workspaces/doomed/styles', '{"style":{"name":"s","filename":"s.sld"}}');
    expect((await server.get('/workspaces/doomed/styles/s.sld')).status).toBe(404);
  });

  it('do not block the deletion of a workspace with leftover files', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"orphans"}}');
    await send(server, 'POST', '/workspaces/orphans/styles?name=s', SLD_TYPE, lineSld('s'));
    await server.delete('/workspaces/orphans/styles/s');

    expect((await server.delete('/workspaces/orphans')).status).toBe(200);
  });

  it('follow a renamed workspace', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"before"}}');
    await send(server, 'POST', '/workspaces/before/styles?name=s', SLD_TYPE, lineSld('s'));

    await server.put('/workspaces/before', '{"workspace":{"name":"after"}}');

    expect((await server.get('/workspaces/after/styles/s.sld')).text).toBe(lineSld('s'));
  });

  it('are moved with their files by naming another workspace, or none', async () => {
    const body = createStylePackage({ 'a.sld': pictureSld('a', 'moved.png'), 'moved.png': tinyPng() });
    await send(server, 'POST', '/workspaces/acme/styles?name=nomad', ZIP_TYPE, body);

    expect(
      (await server.put('/workspaces/acme/styles/nomad', '<style><workspace>other</workspace></style>')).status,
    ).toBe(200);
    expect((await server.get('/workspaces/acme/styles/nomad')).status).toBe(404);
    expect((await server.get('/workspaces/other/styles/nomad.zip')).bytes.includes('moved.png')).toBe(true);

    expect((await server.put('/workspaces/other/styles/nomad', '<style><workspace></workspace></style>')).status).toBe(
      200,
    );
    expect((await server.get('/styles/nomad.sld')).text).toContain('moved.png');
    expect((await server.get('/styles/nomad.xml')).text).not.toContain('workspace');
    expect((await server.put('/styles/nomad', '<style><workspace>nowhere</workspace></style>')).status).toBe(404);
    expect((await server.put('/styles/line', '<style><workspace>acme</workspace></style>')).status).toBe(403);
  });

  it('are not moved onto the file of another style', async () => {
    await server.post('/styles', '{"style":{"name":"holder","filename":"held.sld"}}');
    await send(server, 'PUT', '/styles/holder', SLD_TYPE, lineSld('holder'));
    await send(server, 'POST', '/workspaces/acme/styles?name=held', SLD_TYPE, lineSld('held'));

    const refused = await server.put('/workspaces/acme/styles/held', '{"style":{"workspace":null}}');

    expect(refused.status).toBe(403);
    expect(refused.text).toContain("it is the content of the style 'holder'");
    expect((await server.get('/workspaces/acme/styles/held.sld')).text).toBe(lineSld('held'));
    const renamed = '{"style":{"workspace":null,"filename":"held-too.sld"}}';
    expect((await server.put('/workspaces/acme/styles/held', renamed)).status).toBe(200);
    expect((await server.get('/styles/held.sld')).text).toBe(lineSld('held'));
    expect((await server.get('/styles/holder.sld')).text).toBe(lineSld('holder'));
  });

  it('keep their content when they are moved to a folder with a leftover file', async () => {
    const left = createStylePackage({ 'a.sld': pictureSld('left', 'heir.png'), 'heir.png': tinyPng(1) });
    await send(server, 'POST', '/styles?name=heir', ZIP_TYPE, left);
    await server.delete('/styles/heir');
    const own = createStylePackage({ 'a.sld': pictureSld('own', 'heir.png'), 'heir.png': tinyPng(2) });
    await send(server, 'POST', '/workspaces/acme/styles?name=heir', ZIP_TYPE, own);

    const moved = await server.put('/workspaces/acme/styles/heir', '{"style":{"workspace":null}}');

    expect([moved.status, moved.headers['warning']]).toEqual([200, undefined]);
    expect((await server.get('/styles/heir.sld')).text).toBe(pictureSld('own', 'heir.png'));
    const packed = createStylePackage({ 'a.sld': pictureSld('own', 'heir.png'), 'heir.png': tinyPng(2) });
    await send(server, 'POST', '/workspaces/other/styles?name=heir', ZIP_TYPE, packed);
    expect((await server.get('/styles/heir.png')).bytes).toEqual(
      (await server.get('/workspaces/other/styles/heir.png')).bytes,
    );
  });

  it('produce a warning if the target folder has other images', async () => {
    const pack = (grey: number) =>
      createStylePackage({ 'a.sld': pictureSld('a', 'flag.png'), 'flag.png': tinyPng(grey) });
    await send(server, 'POST', '/styles?name=flag', ZIP_TYPE, pack(1));
    await send(server, 'POST', '/workspaces/acme/styles?name=banner', ZIP_TYPE, pack(2));

    const moved = await server.put('/workspaces/acme/styles/banner', '{"style":{"workspace":null}}');

    expect(moved.status).toBe(200);
    expect(moved.headers['warning']).toContain("The image 'flag.png' already exists in the new location");
  });

  it('must name the workspace of the path', async () => {
    const body = '{"style":{"name":"lost","filename":"lost.sld","workspace":"other"}}';

    expect((await server.post('/workspaces/acme/styles', body)).status).toBe(403);
    expect((await server.post('/styles', body)).status).toBe(403);
    expect((await server.post('/workspaces/other/styles', body)).status).toBe(201);
  });

  it('are found under the default workspace', async () => {
    await send(server, 'POST', '/workspaces/default/styles?name=by-default', SLD_TYPE, lineSld('d'));

    expect((await server.get('/workspaces/acme/styles/by-default.sld')).text).toBe(lineSld('d'));
  });
});

describe('styles of a workspace with layers', () => {
  const server = useTestServer();
  beforeAll(async () => {
    for (const name of ['acme', 'other']) {
      await server.post('/workspaces', `<workspace><name>${name}</name></workspace>`);
    }
    await putZip(server, '/workspaces/acme/datastores/s/file.shp', zipOf({ states: polygonShapefile() }));
    await send(server, 'POST', '/workspaces/acme/styles?name=mine', SLD_TYPE, lineSld('mine'));
    await server.put('/layers/acme:states', '{"layer":{"defaultStyle":{"name":"mine"}}}');
  });

  it('cannot move out of reach of their layers', async () => {
    const reply = await server.put('/workspaces/acme/styles/mine', '{"style":{"workspace":"other"}}');

    expect(reply.status).toBe(403);
    expect(reply.text).toContain("layer 'acme:states'");
  });

  it('stay when the layers are deleted', async () => {
    await server.put('/workspaces/acme/datastores/s', '{"dataStore":{"workspace":"other"}}');

    expect(await readResource(server, '/layers/other:states')).toMatchObject({ defaultStyle: { name: 'polygon' } });
    expect((await server.delete('/workspaces/acme/styles/mine')).status).toBe(200);
  });
});
