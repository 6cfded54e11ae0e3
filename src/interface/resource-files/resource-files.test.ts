/** Files of the data directory by path: folders, files and their metadata. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

const REST = 'http://localhost:80/geoserver/rest';
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/);

interface Folder {
  readonly ResourceDirectory: { readonly children: { readonly child: readonly { readonly name: string }[] } };
}

function namesIn(json: unknown): readonly string[] {
  return (json as Folder).ResourceDirectory.children.child.map(({ name }) => name);
}

describe('data directory', () => {
  const server = useTestServer();
  const json = { accept: 'application/json' };
  const list = async (path: string) => namesIn((await server.get(`/resource${path}?format=json`)).json());

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.request('POST', '/styles?name=roads', { type: SLD_TYPE, body: lineSld('roads') });
    await server.request('POST', '/workspaces/acme/styles?name=paths', { type: SLD_TYPE, body: lineSld('paths') });
    await putZip(server, '/workspaces/acme/datastores/towns/file.shp', zipOf({ towns: pointShapefile() }));
    await mkdir(join(server.dataDir, 'data/rasters'));
    await writeFile(join(server.dataDir, 'data/rasters/readme.txt'), 'read me\n');
  });

  it('contains styles, templates, workspaces and data, and no internal files', async () => {
    expect(await list('')).toEqual(['data', 'layouts', 'palettes', 'styles', 'templates', 'workspaces']);
    expect(await list('/workspaces')).toEqual(['acme']);
    expect(await list('/workspaces/acme')).toEqual(['styles', 'towns']);
    expect(await list('/workspaces/acme/styles')).toEqual(['paths.sld']);
    expect(await list('/styles')).toContain('roads.sld');
    expect(await list('/data')).toEqual(['acme', 'rasters']);
    expect(await list('/data/acme/towns')).toEqual(['1']);
    expect(await list('/data/acme/towns/1')).toEqual(['towns.dbf', 'towns.prj', 'towns.shp', 'towns.shx']);
    for (const own of ['security', 'graticule.sqlite', 'blobs', 'sets', 'staging', 'files', 'server.lock']) {
      expect((await server.get(`/resource/${own}`)).status, own).toBe(404);
    }
  });

  it('lists a folder in JSON', async () => {
    const reply = await server.get('/resource/workspaces/acme/styles?format=json');

    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.json()).toEqual({
      ResourceDirectory: {
        name: 'styles',
        parent: {
          path: 'workspaces/acme',
          link: { href: `${REST}/resource/workspaces/acme`, rel: 'alternate', type: 'application/json' },
        },
        lastModified: moment,
        children: {
          child: [
            {
              name: 'paths.sld',
              link: {
                href: `${REST}/resource/workspaces/acme/styles/paths.sld`,
                rel: 'alternate',
                type: 'text/xml',
              },
            },
          ],
        },
      },
    });
    expect(await server.get('/resource/workspaces/acme/styles', json)).toMatchObject({ text: reply.text });
  });

  it('lists a folder in XML', async () => {
    const reply = await server.get('/resource/workspaces/acme?format=xml');

    const atom = 'xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate"';
    expect(reply.headers['content-type']).toBe('application/xml');
    expect(reply.text.replace(/<lastModified>.*\n/, '\n').replaceAll(/\n\s*/g, '')).toBe(
      `<ResourceDirectory><name>acme</name><parent><path>workspaces</path>` +
        `<atom:link ${atom} href="${REST}/resource/workspaces" type="application/xml"/></parent>` +
        `<children><child><name>styles</name>` +
        `<atom:link ${atom} href="${REST}/resource/workspaces/acme/styles" type="application/xml"/></child>` +
        `<child><name>towns</name>` +
        `<atom:link ${atom} href="${REST}/resource/workspaces/acme/towns" type="application/xml"/></child></children>` +
        '</ResourceDirectory>',
    );
  });

  it('lists a folder as a page', async () => {
    const reply = await server.get('/resource/data', { accept: 'text/html' });

    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain(`<a href="${REST}/resource/data/rasters?format=html">rasters/</a>`);
    expect(reply.text).toContain(`<a href="${REST}/resource/?format=html">resource</a>`);
  });

  it('returns a file unchanged, with its type, its time and its folder', async () => {
    const reply = await server.get('/resource/styles/roads.sld', { accept: 'image/png' });

    expect([reply.status, reply.text]).toEqual([200, lineSld('roads')]);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/xml',
      'content-length': String(Buffer.byteLength(lineSld('roads'))),
      'resource-type': 'resource',
      'resource-parent': `${REST}/resource/styles`,
      'last-modified': expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/; sandbox$/),
    });
  });

  it('answers HEAD with the same headers, without a body', async () => {
    const read = await server.get('/resource/data/rasters/readme.txt');
    const asked = await server.request('HEAD', '/resource/data/rasters/readme.txt');
    const folder = await server.request('HEAD', '/resource/data/rasters');

    expect([asked.status, asked.text]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'resource-type']) {
      expect(asked.headers[name], name).toBe(read.headers[name]);
    }
    expect(folder.headers['resource-type']).toBe('directory');
  });

  it('returns the metadata of a file and of a folder', async () => {
    const file = await server.get('/resource/styles/roads.sld?operation=metadata&format=json');
    const folder = await server.get('/resource/styles?operation=metadata&format=xml');

    expect(file.json()).toEqual({
      ResourceMetadata: {
        name: 'roads.sld',
        parent: {
          path: 'styles',
          link: { href: `${REST}/resource/styles`, rel: 'alternate', type: 'application/json' },
        },
        lastModified: moment,
        type: 'resource',
      },
    });
    expect(folder.text).toContain('<type>directory</type>');
  });

  it('treats an extension as part of the name', async () => {
    await writeFile(join(server.dataDir, 'data/a.xml'), '<a/>');

    const file = await server.get('/resource/data/a.xml');

    expect([file.text, file.headers['content-type']]).toEqual(['<a/>', 'application/xml']);
    expect((await server.get('/resource/styles.json')).status).toBe(404);
    expect((await server.get('/resource/data/a')).status).toBe(404);
  });

  it('supports conditional and range requests', async () => {
    const path = '/resource/data/rasters/readme.txt';
    const { headers } = await server.get(path);
    const etag = headers['etag'] ?? '';
    const part = (range: string, more = {}) => server.get(path, { headers: { range, ...more } });

    expect((await server.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(await part('bytes=0-3')).toMatchObject({ status: 206, text: 'read' });
    expect((await part('bytes=5-')).headers['content-range']).toBe('bytes 5-7/8');
    expect(await part('bytes=-3')).toMatchObject({ status: 206, text: 'me\n' });
    expect(await part('bytes=0-3', { 'if-range': '"1.file"' })).toMatchObject({ status: 200, text: 'read me\n' });
    expect((await part('bytes=99-')).status).toBe(416);
  });

  it('returns 404 for an unknown path', async () => {
    for (const path of [
      '/resource/nothing',
      '/resource/styles/none.sld',
      '/resource/data/none/at/all',
      '/resource/workspaces/none/styles',
    ]) {
      expect((await server.get(path)).status, path).toBe(404);
      expect((await server.get(`${path}?operation=metadata`)).status, path).toBe(404);
      expect((await server.delete(path)).status, path).not.toBe(200);
    }
    expect((await server.get('/resource/styles?operation=format')).status).toBe(400);
  });
});
