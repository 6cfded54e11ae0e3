/** Permissions for coverage stores, coverages, mosaics and granules. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { putTiff, zipOfFiles } from '../../../test/support/raster-samples.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

const stores = '/workspaces/acme/coveragestores';
const index = `${stores}/mosaic/coverages/mosaic/index`;
const picture = granuleBytes({ left: 10, top: 45, pixel: 0.25, epsg: 4326 });

/** A workspace with a raster, a mosaic of uploaded files, and a mosaic of a folder of the server. */
async function furnish(server: TestServer): Promise<void> {
  const folder = join(server.dataDir, 'data', 'shared');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.tif'), picture);
  for (const workspace of ['acme', 'other']) {
    await server.post('/workspaces', `<workspace><name>${workspace}</name></workspace>`);
  }
  await putTiff(server, `${stores}/relief/file.geotiff`);
  const archive = { type: 'application/zip', body: zipOfFiles({ 'a.tif': picture }) };
  for (const workspace of ['acme', 'other']) {
    await server.request('PUT', `/workspaces/${workspace}/coveragestores/mosaic/file.imagemosaic`, archive);
  }
  const path = { type: 'text/plain', body: 'file:data/shared' };
  await server.request('PUT', `${stores}/shared/external.imagemosaic`, path);
}

const reads = [
  '/workspaces/acme/coverages.json',
  '/workspaces/acme/coverages/mosaic.json',
  `${stores}.json`,
  `${stores}/mosaic.json`,
  `${stores}/mosaic/coverages.json?list=all`,
  `${stores}/mosaic/coverages/mosaic.xml`,
  `${index}.xml`,
  `${index}/granules.json`,
  `${index}/granules/mosaic.1.json`,
];

const writes: readonly (readonly [method: string, path: string, body?: string, type?: string])[] = [
  ['POST', stores, '{"coverageStore":{"name":"n","type":"GeoTIFF","url":"file:data/shared/a.tif"}}'],
  ['PUT', `${stores}/relief`, '{"coverageStore":{"description":"x"}}'],
  ['POST', `${stores}/relief/coverages`, '{"coverage":{"name":"x"}}'],
  ['PUT', `${stores}/relief/coverages/relief`, '<coverage><title>x</title></coverage>'],
  ['POST', `${stores}/mosaic/external.imagemosaic`, 'file:data/shared', 'text/plain'],
  ['PUT', `${stores}/new/file.geotiff`, 'II*', 'image/tiff'],
  ['POST', `${stores}/mosaic/reset`],
  ['DELETE', `${index}/granules/mosaic.1?purge=all`],
  ['DELETE', `${index}/granules?filter=INCLUDE`],
  ['DELETE', `${stores}/mosaic/coverages/mosaic?recurse=true`],
  ['DELETE', `${stores}/mosaic?recurse=true&purge=all`],
];

const ask = (
  server: TestServer,
  [method, path, body, type = 'json']: (typeof writes)[number],
  as: string | null,
): ReturnType<TestServer['request']> => {
  const kind = body?.startsWith('<') ? 'xml' : type;
  return server.request(method, path, { as, ...(body === undefined ? {} : { body, type: kind }) });
};

describe.each(['graticule', 'geoserver'] as const)('rasters of a workspace (%s)', (compat) => {
  const server = useTestServer({ compat });
  const users = { ann: '', otto: '', reader: '' };
  beforeAll(async () => {
    await furnish(server);
    users.ann = await addUser(server, 'ann', 'ROLE_ACME');
    users.otto = await addUser(server, 'otto', 'ROLE_OTHER');
    users.reader = await addUser(server, 'reader', 'ROLE_READER');
    const rules = { 'acme.*.a': 'ROLE_ACME', 'other.*.a': 'ROLE_OTHER', 'acme.*.r': 'ROLE_ACME,ROLE_READER' };
    await server.post('/security/acl/layers', JSON.stringify(rules));
    await server.post('/security/acl/layers', '{"other.*.r":"ROLE_OTHER"}');
    if (compat === 'geoserver') {
      // The rules of the reference server limit REST to administrators.
      await server.delete('/security/acl/rest/%2F**:GET,HEAD,OPTIONS');
      await server.delete('/security/acl/rest/%2F**:POST,DELETE,PUT');
    }
  });

  it.each([
    ['the administrator of another workspace gets 404', 'otto', 404],
    ['a user without a workspace gets 403', 'reader', 403],
    ['an anonymous client gets 401', null, 401],
  ] as const)('deny a request without side effects: %s', async (_, who, status) => {
    const before = await Promise.all(reads.map(async (path) => (await server.get(path)).text));
    const as = who === null ? null : users[who];

    for (const path of reads) {
      expect([path, (await server.get(path, { as })).status]).toEqual([path, status]);
    }
    for (const write of writes) {
      expect([...write, (await ask(server, write, as)).status]).toEqual([...write, status]);
    }

    expect(await Promise.all(reads.map(async (path) => (await server.get(path)).text))).toEqual(before);
  });

  it.each([
    ['a raster', '{"coverageStore":{"name":"n","type":"GeoTIFF","url":"file:data/shared/a.tif"}}'],
    ['a mosaic', '{"coverageStore":{"name":"n","type":"ImageMosaic","url":"file:data/shared/"}}'],
    ['the files of another workspace', '{"coverageStore":{"name":"n","url":"file:data/other/mosaic/1/a.tif"}}'],
    [
      'a mosaic of another workspace',
      '{"coverageStore":{"name":"n","type":"ImageMosaic","url":"file:data/other/mosaic/1/"}}',
    ],
  ])('deny a workspace administrator a store of %s by its path', async (_, body) => {
    const refused = await server.post(stores, body, { as: users.ann });

    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('only administrators can use paths on the server'),
    ]);
    expect((await server.get(`${stores}/n`)).status).toBe(404);
  });

  it('deny a workspace administrator moving stores into other workspaces, without revealing those', async () => {
    const moved = await server.put(`${stores}/relief`, '{"coverageStore":{"workspace":{"name":"other"}}}', {
      as: users.ann,
    });
    const elsewhere = await server.get('/workspaces/other/coveragestores/mosaic.json', { as: users.ann });

    expect([moved.status, elsewhere.status]).toEqual([403, 404]);
    expect((await server.get('/layers.json', { as: users.ann })).text).not.toContain('other:');
  });

  it('let a workspace administrator remove granules, but no files in a folder of the server', async () => {
    const granules = `${stores}/shared/coverages/shared/index/granules`;

    const purged = await server.delete(`${granules}?filter=INCLUDE&purge=all`, { as: users.ann });
    expect([purged.status, (await server.get(`${granules}.json`)).text]).toEqual([
      403,
      expect.stringContaining('a.tif'),
    ]);

    expect((await server.delete(`${granules}?filter=INCLUDE`, { as: users.ann })).status).toBe(200);
    expect((await server.get(`${granules}.json`)).text).not.toContain('a.tif');
    expect(
      (
        await server.request('POST', `${stores}/shared/external.imagemosaic`, {
          type: 'text/plain',
          body: 'file:data/shared',
        })
      ).status,
    ).toBeLessThan(300);
    expect((await server.get(`${granules}.json`)).text).toContain('a.tif');
  });
});

describe.each(['graticule', 'geoserver'] as const)('raster documents (%s)', (compat) => {
  const server = useTestServer({ compat });
  beforeAll(() => furnish(server));

  it.each(
    ['relief', 'mosaic', 'shared'].flatMap((name) =>
      [`${stores}/${name}`, `${stores}/${name}/coverages/${name}`].flatMap((path) =>
        (['json', 'xml'] as const).map((format) => [path, format] as const),
      ),
    ),
  )('change nothing when sent back unchanged: %s in %s', async (path, format) => {
    const before = await server.get(`${path}.${format}`);

    const sent = await server.request('PUT', path, { type: format, body: before.text });

    const after = await server.get(`${path}.${format}`);
    expect([before.status, sent.status, sent.headers['warning']]).toEqual([200, 200, undefined]);
    expect([after.text, after.headers['etag']]).toEqual([before.text, before.headers['etag']]);
  });

  it.each(['json', 'xml'] as const)('recreate the same resources in %s after a deletion', async (format) => {
    const paths = [`${stores}/shared`, `${stores}/shared/coverages/shared`];
    const read = async () =>
      Promise.all(
        paths.map(async (path) =>
          (await server.get(`${path}.${format}`)).text.replaceAll(/<date\w+>[^<]*<|"date\w+":"[^"]*",?/g, ''),
        ),
      );
    const before = await read();
    const documents = await Promise.all(paths.map(async (path) => (await server.get(`${path}.${format}`)).text));
    await server.delete(`${stores}/shared?recurse=true`);

    for (const [index, collection] of [stores, `${stores}/shared/coverages`].entries()) {
      const created = await server.request('POST', collection, { type: format, body: documents[index] ?? '' });
      expect(created.status, created.text).toBe(201);
    }

    expect(await read()).toEqual(before);
    expect((await server.get(`${stores}/shared/coverages/shared/index/granules.json`)).text).toContain('a.tif');
  });
});
