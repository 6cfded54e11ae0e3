import { beforeAll, describe, expect, it } from 'vitest';
import {
  CSS_TYPE,
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

describe('a deleted style', () => {
  const server = useTestServer();
  const exists = async (href: string) => {
    const reply = await send(server, 'POST', '/styles?name=probe', SLD_TYPE, pictureSld('probe', href));
    await server.delete('/styles/probe?purge=true');
    return reply.headers['warning'] === undefined;
  };

  it('leaves its content to a later entry with the same filename', async () => {
    await send(server, 'POST', '/styles?name=left', SLD_TYPE, lineSld('left'));

    const deleted = await server.delete('/styles/left');
    expect([deleted.status, deleted.text]).toEqual([200, '']);
    expect((await server.get('/styles/left')).status).toBe(404);

    await server.post('/styles', '{"style":{"name":"heir","filename":"left.sld"}}');
    expect((await server.get('/styles/heir.sld')).text).toBe(lineSld('left'));
  });

  it('leaves nothing under the file name that it had in another language', async () => {
    await send(server, 'POST', '/styles?name=turncoat', CSS_TYPE, '* { stroke: red; }');
    await server.delete('/styles/turncoat');
    await send(server, 'POST', '/styles?name=turncoat', SLD_TYPE, lineSld('turncoat'));
    await send(server, 'PUT', '/styles/turncoat', CSS_TYPE, '* { stroke: blue; }');
    expect((await server.get('/styles/turncoat.css')).text).toBe('* { stroke: blue; }');

    await server.delete('/styles/turncoat?purge=true');

    for (const filename of ['turncoat.sld', 'turncoat.css']) {
      await server.post('/styles', JSON.stringify({ style: { name: `heir of ${filename}`, filename } }));
      expect((await server.get(`/styles/heir%20of%20${filename}/.sld`)).status).toBe(404);
    }
  });

  it('does not block a new style of the same name', async () => {
    await send(server, 'POST', '/styles?name=phoenix', SLD_TYPE, lineSld('old'));
    await server.delete('/styles/phoenix');

    expect((await send(server, 'POST', '/styles?name=phoenix', SLD_TYPE, lineSld('new'))).status).toBe(201);
    expect((await server.get('/styles/phoenix.sld')).text).toBe(lineSld('new'));
  });

  it.each(['true', 'True'])('is deleted with its content by purge=%s', async (purge) => {
    await send(server, 'POST', '/styles?name=purged', SLD_TYPE, lineSld('purged'));

    expect((await server.delete(`/styles/purged?purge=${purge}`)).status).toBe(200);

    await server.post('/styles', '{"style":{"name":"purged","filename":"purged.sld"}}');
    expect((await server.get('/styles/purged.sld')).status).toBe(404);
    await server.delete('/styles/purged?purge=true');
  });

  it('keeps files that another style refers to', async () => {
    await send(server, 'POST', '/styles?name=one', SLD_TYPE, lineSld('shared'));
    await server.post('/styles', '{"style":{"name":"two","filename":"one.sld"}}');

    expect((await server.delete('/styles/one?purge=true')).status).toBe(200);
    expect((await server.get('/styles/two.sld')).text).toBe(lineSld('shared'));

    expect((await server.delete('/styles/two?purge=true')).status).toBe(200);
    await server.post('/styles', '{"style":{"name":"three","filename":"one.sld"}}');
    expect((await server.get('/styles/three.sld')).status).toBe(404);
  });

  it('is deleted with images that no other style uses', async () => {
    const images = { 'mine.png': tinyPng(1), 'ours.png': tinyPng(2), 'unused.png': tinyPng(3) };
    await send(
      server,
      'POST',
      '/styles?name=p1',
      ZIP_TYPE,
      createStylePackage({ 'a.sld': pictureSld('a', 'mine.png'), ...images }),
    );
    await send(server, 'POST', '/styles?name=p2', SLD_TYPE, pictureSld('b', 'ours.png'));

    await server.delete('/styles/p1?purge=true');

    expect([await exists('mine.png'), await exists('unused.png')]).toEqual([false, false]);
    expect((await server.get('/styles/p2.zip')).bytes.includes('ours.png')).toBe(true);

    await server.delete('/styles/p2?purge=true');
    expect(await exists('ours.png')).toBe(false);
  });

  it('keeps the images that content without an entry refers to', async () => {
    const body = createStylePackage({ 'a.sld': pictureSld('a', 'kept.png'), 'kept.png': tinyPng() });
    await send(server, 'POST', '/styles?name=o1', ZIP_TYPE, body);
    await server.delete('/styles/o1');
    await send(server, 'POST', '/styles?name=o2', SLD_TYPE, pictureSld('b', 'kept.png'));

    await server.delete('/styles/o2?purge=true');

    expect(await exists('kept.png')).toBe(true);
  });

  it('keeps all images if a style selects them by attribute values', async () => {
    const body = createStylePackage({ 'a.sld': pictureSld('a', 'x1.png'), 'x1.png': tinyPng() });
    await send(server, 'POST', '/styles?name=d1', ZIP_TYPE, body);
    await send(server, 'POST', '/styles?name=d2', SLD_TYPE, pictureSld('b', `x\${rank}.png`));

    await server.delete('/styles/d1?purge=true');

    expect(await exists('x1.png')).toBe(true);
    await server.delete('/styles/d2?purge=true');
  });

  it('returns 404 if it does not exist', async () => {
    expect((await server.delete('/styles/nowhere?purge=true')).status).toBe(404);
  });

  it.each(['point', 'line', 'polygon', 'raster', 'generic'])(
    'cannot be the built-in %s, which keeps its name',
    async (name) => {
      for (const path of [`/styles/${name}`, `/styles/${name}?purge=true&recurse=true`]) {
        const reply = await server.delete(path);
        expect(reply.status).toBe(403);
        expect(reply.text).toContain('built in');
      }
      const renamed = await server.put(`/styles/${name}`, '<style><name>other</name></style>');
      expect(renamed.status).toBe(403);
      expect((await server.put(`/styles/${name}`, `<style><name>${name}</name></style>`)).status).toBe(200);
      expect(await styleNames(server)).toContain(name);
    },
  );
});

describe('built-in styles', () => {
  const server = useTestServer();

  it('accept other content', async () => {
    expect((await send(server, 'PUT', '/styles/point', SLD_TYPE, lineSld('now a line'))).status).toBe(200);
    expect((await server.get('/styles/point.sld')).text).toBe(lineSld('now a line'));
    expect((await server.get('/styles/line.sld')).text).toContain('<Title>Blue line</Title>');
  });
});

describe('a style used by layers', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(
      server,
      '/workspaces/acme/datastores/s/file.shp?configure=all',
      zipOf({ states: polygonShapefile(), roads: polygonShapefile() }),
    );
    for (const name of ['main', 'other', 'unused']) {
      await send(server, 'POST', `/styles?name=${name}`, SLD_TYPE, lineSld(name));
    }
    await server.put('/layers/acme:states', '{"layer":{"defaultStyle":{"name":"main"}}}');
    await server.put('/layers/acme:roads', '{"layer":{"styles":{"style":[{"name":"main"},{"name":"other"}]}}}');
  });

  it('cannot be deleted without recurse, and the error names the layers', async () => {
    const reply = await server.delete('/styles/main?purge=true', { accept: 'application/problem+json' });

    expect(reply.status).toBe(403);
    expect(reply.json()).toMatchObject({
      code: 'style-in-use',
      blockers: ["layer 'acme:roads'", "layer 'acme:states'"],
    });
    expect((await server.get('/styles/main.sld')).status).toBe(200);
    expect((await server.delete('/styles/unused')).status).toBe(200);
  });

  it('is deleted with recurse=true, and its layers get the default of their geometry type or lose one style', async () => {
    expect((await server.delete('/styles/main?recurse=true')).status).toBe(200);

    expect(await readResource(server, '/layers/acme:states')).toMatchObject({ defaultStyle: { name: 'polygon' } });
    expect(await readResource(server, '/layers/acme:roads')).toMatchObject({
      defaultStyle: { name: 'polygon' },
      styles: { style: [{ name: 'other' }] },
    });
  });

  it('can be renamed, and its layers keep using it', async () => {
    const before = (await server.get('/layers/acme:roads.json')).headers['etag'];

    expect((await server.put('/styles/other', '{"style":{"name":"another"}}')).status).toBe(200);

    const after = await server.get('/layers/acme:roads.json');
    expect(after.text).toContain('"name":"another"');
    expect(after.headers['etag']).not.toBe(before);
  });
});
