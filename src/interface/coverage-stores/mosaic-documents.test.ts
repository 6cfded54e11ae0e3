/** Mosaics created from store documents that name a folder. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

const stores = '/workspaces/acme/coveragestores';
const picture = (left: number) => granuleBytes({ left, top: 50, pixel: 0.25, epsg: 4326 });

describe.each(['graticule', 'geoserver'] as const)('a mosaic created by a document (%s)', (compat) => {
  const server = useTestServer({ compat });
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  async function folder(name: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
    const path = join(server.dataDir, 'data', name);
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true });
    for (const [file, content] of Object.entries(files)) await writeFile(join(path, file), content);
    return path;
  }

  async function locations(coverage: string): Promise<readonly unknown[]> {
    const reply = await server.get(`${coverage}/index/granules.json`);
    expect(reply.status, reply.text).toBe(200);
    const { features } = reply.json() as { features: readonly { properties: Record<string, unknown> }[] };
    return features.map(({ properties }) => properties['location']);
  }

  it.each([
    [
      'xml',
      '<coverageStore><name>xml</name><description>Tiles</description><type>ImageMosaic</type><enabled>true</enabled><workspace>acme</workspace><url>file:data/xml</url></coverageStore>',
    ],
    [
      'json',
      '{"coverageStore":{"name":"json","description":"Tiles","type":"imagemosaic","enabled":true,"url":"file:data/json/indexer.properties"}}',
    ],
  ])('reads a folder of the server, named in %s, and can then be published', async (name, document) => {
    const path = await folder(name, { 'indexer.properties': 'Name=tiles', 'a.tif': picture(10), 'b.tif': picture(20) });

    const made = await server.post(stores, document);
    const published = await server.post(`${stores}/${name}/coverages`, `{"coverage":{"name":"${name}-tiles"}}`);

    expect([made.status, made.text], made.text).toEqual([201, name]);
    expect(made.headers['location']).toMatch(new RegExp(`/workspaces/acme/coveragestores/${name}$`));
    expect((await server.get(`${stores}/${name}.json`)).json()).toMatchObject({
      coverageStore: { description: 'Tiles', type: 'ImageMosaic', enabled: true, url: `file:data/${name}/` },
    });
    expect(published.status, published.text).toBe(201);
    expect(await locations(`${stores}/${name}/coverages/${name}-tiles`)).toEqual(['a.tif', 'b.tif']);
    expect(await readdir(path)).toEqual(['a.tif', 'b.tif', 'indexer.properties']);
  });

  it('reports the files of the folder that were not read', async () => {
    await folder('torn', { 'a.tif': picture(10), 'torn.tif': picture(20).subarray(0, 40) });

    const made = await server.post(
      stores,
      '{"coverageStore":{"name":"torn","type":"ImageMosaic","url":"file:data/torn"}}',
    );

    expect(made.status, made.text).toBe(201);
    expect(made.headers['warning']).toContain('Skipped torn.tif: ');
  });

  it.each([
    ['no URL', '{"coverageStore":{"name":"no","type":"ImageMosaic"}}', 400, 'has no url'],
    [
      'a missing location',
      '{"coverageStore":{"name":"no","type":"ImageMosaic","url":"file:data/gone"}}',
      400,
      'it does not exist',
    ],
    [
      'a raster file',
      '{"coverageStore":{"name":"no","type":"ImageMosaic","url":"file:data/bad/a.tif"}}',
      400,
      'a mosaic must be a folder',
    ],
    [
      'a folder without granules',
      '{"coverageStore":{"name":"no","type":"ImageMosaic","url":"file:data/none"}}',
      400,
      'CanBeEmpty=true',
    ],
    [
      'an invalid definition',
      '{"coverageStore":{"name":"no","type":"ImageMosaic","url":"file:data/bad"}}',
      400,
      'CanBeEmpty',
    ],
    ['a name in use', '{"coverageStore":{"name":"taken","type":"ImageMosaic","url":"file:data/good"}}', 409, 'taken'],
    [
      'another workspace',
      '{"coverageStore":{"name":"no","type":"ImageMosaic","url":"file:data/good","workspace":"other"}}',
      403,
      'other',
    ],
  ])('is rejected with %s, and creates nothing', async (_title, document, status, text) => {
    await folder('none', {});
    await folder('bad', { 'indexer.properties': 'CanBeEmpty=perhaps', 'a.tif': picture(10) });
    await folder('good', { 'a.tif': picture(10) });
    await server.post(stores, '{"coverageStore":{"name":"taken","type":"ImageMosaic","url":"file:data/good"}}');
    const position = server.server.storage.position();

    const refused = await server.post(stores, document);

    expect(refused.text).toContain(text);
    expect(refused.status).toBe(status);
    expect(server.server.storage.position()).toBe(position);
  });

  it('moves to another folder that contains the published data, together with other changes', async () => {
    await folder('first', { 'a.tif': picture(10) });
    await folder('second', { 'b.tif': picture(20), 'c.tif': picture(30) });
    await folder('foreign', { 'indexer.properties': 'Name=foreign', 'd.tif': picture(40) });
    await server.post(stores, '{"coverageStore":{"name":"moving","type":"ImageMosaic","url":"file:data/first"}}');
    await server.post(`${stores}/moving/coverages`, '{"coverage":{"name":"moving"}}');

    const lost = await server.put(`${stores}/moving`, '{"coverageStore":{"url":"file:data/foreign"}}');
    const same = await server.put(`${stores}/moving`, '{"coverageStore":{"url":"file:data/first"}}');
    const before = await locations(`${stores}/moving/coverages/moving`);
    const tried = await server.put(`${stores}/moving?dryRun=true`, '{"coverageStore":{"url":"file:data/second"}}');
    const moved = await server.put(
      `${stores}/moving`,
      '<coverageStore><name>moved</name><description>Elsewhere</description><url>file:data/second</url></coverageStore>',
    );

    expect([lost.status, same.status, tried.status, moved.status]).toEqual([409, 200, 200, 200]);
    expect(before).toEqual(['a.tif']);
    expect((await server.get(`${stores}/moved.json`)).json()).toMatchObject({
      coverageStore: { name: 'moved', description: 'Elsewhere', url: 'file:data/second/' },
    });
    expect(await locations(`${stores}/moved/coverages/moving`)).toEqual(['b.tif', 'c.tif']);
    expect((await server.get(`${stores}/moved/coverages/moving.json`)).json()).toMatchObject({
      coverage: { nativeBoundingBox: { minx: 20 } },
    });
    expect(await readdir(join(server.dataDir, 'data', 'first'))).toEqual(['a.tif']);
  });

  it('requires that its creator can access files of the server', async () => {
    await folder('theirs', { 'a.tif': picture(10) });
    await server.post('/workspaces', '<workspace><name>anns</name></workspace>');
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/layers', '{"anns.*.a":"ROLE_ANN"}');
    await server.post('/security/acl/rest', '{"/workspaces/**:GET,POST,PUT,DELETE":"ROLE_ANN,ROLE_ADMINISTRATOR"}');

    const refused = await server.post(
      '/workspaces/anns/coveragestores',
      '{"coverageStore":{"name":"theirs","type":"ImageMosaic","url":"file:data/theirs"}}',
      { as: ann },
    );

    expect(refused.status, refused.text).toBe(403);
  });
});
