/** Stores over property files: uploaded or on the server, and their feature types. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rawZip } from '../../../test/support/raw-zip.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { featureTypes, readResource } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

const places = '_=name:String,rank:Integer,*place:Point:srid=4326,seen:Date\nplaces.1=Bonn|1|POINT(7 50)|2026-01-02\n';
const lines = '# without a place\n_=id:Long,text:String\n1=1|one\n2=2|two\n';

describe('property files', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });
  const put = (path: string, body: string | Buffer, type = 'text/plain') =>
    server.request('PUT', `${stores}/${path}`, { type, body });

  it('are uploaded as a single file, named after the store or by filename', async () => {
    const reply = await put('towns/file.properties', places);
    const named = await put('named/file.properties?filename=harbours.properties', places);

    expect(reply).toMatchObject({ status: 201, text: 'Published acme:towns (EPSG:4326).\n' });
    expect(named).toMatchObject({ status: 201, text: 'Published acme:harbours (EPSG:4326).\n' });
    expect(await readResource(server, `${stores}/towns`)).toMatchObject({
      type: 'Properties',
      connectionParameters: {
        entry: [
          { '@key': 'directory', $: expect.stringMatching(/^file:data\/acme\/towns\/\d+\/$/) },
          { '@key': 'namespace', $: 'http://acme' },
        ],
      },
    });
  });

  it('have attributes in JSON and in XML', async () => {
    await put('reported/file.properties', places);

    expect(await readResource(server, `${stores}/reported/featuretypes/reported`)).toMatchObject({
      nativeName: 'reported',
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 7, maxx: 7, miny: 50, maxy: 50, crs: 'EPSG:4326' },
      attributes: {
        attribute: [
          { name: 'name', binding: 'java.lang.String', nillable: true },
          { name: 'rank', binding: 'java.lang.Integer' },
          { name: 'place', binding: 'org.locationtech.jts.geom.Point' },
          { name: 'seen', binding: 'java.util.Date' },
        ],
      },
    });
    const { text } = await server.get(`${stores}/reported/featuretypes/reported.xml`);
    expect(text).toMatch(/<name>place<\/name>[\s\S]*?<binding>org\.locationtech\.jts\.geom\.Point<\/binding>/);
  });

  it('are uploaded in an archive, and published by configure=all', async () => {
    const archive = rawZip([
      { name: 'data/points.properties', data: places },
      { name: 'data/texts.properties', data: lines },
      { name: 'data/readme.txt', data: 'no data' },
    ]);

    const reply = await put('packed/file.properties?configure=all', archive, 'application/zip');

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/packed')).toEqual(['points', 'texts']);
    expect(await readResource(server, '/layers/acme:points')).toMatchObject({ defaultStyle: { name: 'point' } });
  });

  it('are added to the files of a store, and replace a file of the same name', async () => {
    await put('growing/file.properties?filename=one.properties', places);

    const second = await put('growing/file.properties?filename=two.properties', lines);
    const replaced = await put(
      'growing/file.properties?filename=one.properties',
      '_=place:Polygon:srid=4326\n1=POLYGON((0 0,1 0,1 1,0 0))\n',
    );

    expect([second.status, replaced.status]).toEqual([201, 201]);
    expect(await featureTypes(server, 'acme/growing')).toEqual(['one', 'two']);
    expect(await readResource(server, `${stores}/growing/featuretypes/one`)).toMatchObject({
      attributes: { attribute: [{ name: 'place', binding: 'org.locationtech.jts.geom.Polygon' }] },
    });
  });

  it('are imported into a GeoPackage', async () => {
    const reply = await put('imported/file.properties?target=gpkg&filename=brought.properties', places);

    expect(reply.status).toBe(201);
    expect(await readResource(server, `${stores}/imported`)).toMatchObject({ type: 'GeoPackage' });
    expect(await readResource(server, `${stores}/imported/featuretypes/brought`)).toMatchObject({
      nativeBoundingBox: { minx: 7, maxx: 7, miny: 50, maxy: 50 },
    });
  });

  it.each([
    ['json', '{"dataStore":{"name":"json","connectionParameters":{"entry":[{"@key":"directory","$":"data/json"}]}}}'],
    [
      'xml',
      '<dataStore><name>xml</name><connectionParameters><entry key="directory">file:data/xml</entry></connectionParameters></dataStore>',
    ],
  ])('are read from the directory of a store in %s, and changes are visible immediately', async (name, body) => {
    const folder = join(server.dataDir, 'data', name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `first-${name}.properties`), places);

    expect((await server.post(stores, body)).status).toBe(201);
    const before = await server.get(`${stores}/${name}/featuretypes.json?list=available`);
    await writeFile(join(folder, `second-${name}.properties`), lines);
    const after = await server.get(`${stores}/${name}/featuretypes.json?list=available`);
    await writeFile(join(folder, `first-${name}.properties`), '_=other:Long,place:Point:srid=3857\na=1|POINT(1 2)\n');
    const published = await server.post(
      `${stores}/${name}/featuretypes`,
      `<featureType><name>first-${name}</name></featureType>`,
    );

    expect(before.json()).toEqual({ list: { string: [`first-${name}`] } });
    expect(after.json()).toEqual({ list: { string: [`first-${name}`, `second-${name}`] } });
    expect(published.status).toBe(201);
    expect(await readResource(server, `${stores}/${name}/featuretypes/first-${name}`)).toMatchObject({
      srs: 'EPSG:3857',
      attributes: { attribute: [{ name: 'other', binding: 'java.lang.Long' }, { name: 'place' }] },
    });
  });

  it.each([
    [
      'no schema',
      'a=b\n',
      "The file 'bad.properties' is not valid at byte 0: in line 1, the first line must declare the attributes",
    ],
    [
      'a value of another type',
      '_=n:Integer\n1=x\n',
      "in line 2, the value of 'n' is invalid because x is not an integer",
    ],
    ['an empty archive', rawZip([{ name: 'a.txt', data: 'a' }]), 'no file has the extension .properties'],
  ])('are rejected with %s, and leave nothing behind', async (_, body, reason) => {
    const reply = await put('bad/file.properties', body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(reason);
    expect((await server.get(`${stores}/bad.json`)).status).toBe(404);
  });

  it.each([
    ['', 'a Properties store requires a folder'],
    ['http://example.com/data', 'it must be a path or a file: URL'],
    ['../../etc', "The path '../../etc' is invalid: it contains '..'."],
  ])('are not accepted at %j', async (directory, reason) => {
    const reply = await server.post(
      stores,
      JSON.stringify({
        dataStore: { name: 'odd', connectionParameters: { entry: { '@key': 'directory', $: directory } } },
      }),
    );

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(reason);
  });
});
