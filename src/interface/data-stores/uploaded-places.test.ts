import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { findFileSet, uploadedFiles } from '../../../test/support/uploaded-files.ts';
import {
  featureTypes,
  pointShapefile,
  putZip,
  readResource,
  writeShapefiles,
  zipOf,
} from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describe('public location of uploaded files', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/roads/file.shp`, zipOf({ roads: pointShapefile() }));
    await writeShapefiles(join(server.dataDir, 'data/mine'), { mine: pointShapefile() });
  });

  const typesOf = async (store: string) => {
    const reply = await server.get(`${stores}/${store}/featuretypes.json?list=all`);
    return reply.status === 200 ? (reply.json() as { list: { string: unknown } }).list.string : reply.status;
  };
  const pointingAt = (name: string, url: string) =>
    `<dataStore><name>${name}</name><connectionParameters><url>${url}</url></connectionParameters></dataStore>`;
  const urlOf = async (store: string) => {
    const { connectionParameters } = await readResource(server, `${stores}/${store}`);
    const { entry } = connectionParameters as { entry: readonly { '@key': string; $: string }[] };
    return entry.find((each) => each['@key'] === 'url')?.$ ?? '';
  };

  it('is only a name: no such path exists', async () => {
    const [, place = ''] = /^file:(data\/acme\/roads)\/\d+\/$/.exec(await urlOf('roads')) ?? [];

    expect(place).not.toBe('');
    await expect(readdir(join(server.dataDir, place))).rejects.toThrow('ENOENT');
  });

  it('stays the same after another upload', async () => {
    await putZip(server, `${stores}/stable/file.shp`, zipOf({ stable: pointShapefile(1) }));
    const before = [await urlOf('stable'), await findFileSet(server, 'acme/stable')];

    await putZip(server, `${stores}/stable/file.shp`, zipOf({ stable: pointShapefile(2) }));

    expect(await urlOf('stable')).toBe(before[0]);
    expect(await findFileSet(server, 'acme/stable')).not.toBe(before[1]);
  });

  it('can be sent back unchanged, and the store keeps its files', async () => {
    const document = await server.get(`${stores}/roads.xml`);

    const reply = await server.put(`${stores}/roads`, document.text);

    expect(reply.status).toBe(200);
    expect(await typesOf('roads')).toEqual(['roads']);
  });

  it('can be narrowed to one of the files', async () => {
    await putZip(server, `${stores}/narrow/file.shp`, zipOf({ one: pointShapefile(), two: pointShapefile() }));

    const reply = await server.put(`${stores}/narrow`, pointingAt('narrow', `${await urlOf('narrow')}two.shp`));

    expect(reply.status).toBe(200);
    expect(await typesOf('narrow')).toEqual(['two']);
  });

  it('is replaced when a store is set to another location', async () => {
    await putZip(server, `${stores}/leaving/file.shp`, zipOf({ leaving: pointShapefile() }));
    const former = await urlOf('leaving');

    await server.put(`${stores}/leaving`, pointingAt('leaving', 'file:data/mine/'));

    expect(await findFileSet(server, 'acme/leaving')).toBeNull();
    expect(await typesOf('leaving')).toEqual(['mine']);
    await server.put(`${stores}/leaving`, pointingAt('leaving', former));
    expect(await typesOf('leaving')).toBe(400);
  });

  it('has no meaning for another store', async () => {
    const url = await urlOf('roads');
    await server.post(stores, pointingAt('thief', url));

    expect(await typesOf('thief')).toBe(400);
    const upload = await server.request('PUT', `${stores}/thief2/external.shp`, { type: 'text/plain', body: url });
    expect(upload.status).toBe(400);
  });

  it.each(['blobs', 'sets', 'files', 'staging', 'FILES', 'files/../blobs'])(
    'cannot be bypassed with %s',
    async (path) => {
      const set = await findFileSet(server, 'acme/roads');
      for (const named of [path, `file:${path}/${set}`, join(server.dataDir, path, String(set))]) {
        const reply = await server.post(stores, pointingAt('around', named));

        expect([named, reply.status]).toEqual([named, expect.toSatisfy((status) => status === 400 || status === 403)]);
      }
    },
  );
});

describe('a table created in an uploaded GeoPackage', () => {
  const server = useTestServer();
  const table =
    '{"featureType":{"name":"trees","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/park/file.shp?target=gpkg`, zipOf({ paths: pointShapefile() }));
  });

  it('is written to new files of the store, and the uploaded ones are unchanged', async () => {
    const before = String(await findFileSet(server, 'acme/park'));
    const old = await readFile(join(await uploadedFiles(server, 'acme/park'), 'park.gpkg'));
    const document = await readResource(server, `${stores}/park`);

    const reply = await server.post(`${stores}/park/featuretypes`, table);

    expect([reply.status, reply.text]).toEqual([201, 'trees']);
    expect(await featureTypes(server, 'acme/park')).toEqual(['paths', 'trees']);
    expect(await findFileSet(server, 'acme/park')).not.toBe(before);
    expect(await readFile(join(server.dataDir, 'files', before, 'park.gpkg'))).toEqual(old);
    const { connectionParameters } = await readResource(server, `${stores}/park`);
    expect(connectionParameters).toEqual(document['connectionParameters']);
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  });

  it('leaves nothing behind when its name is rejected', async () => {
    const before = await findFileSet(server, 'acme/park');
    await mkdir(join(server.dataDir, 'data/other'), { recursive: true });

    const reply = await server.post(`${stores}/park/featuretypes`, table.replace('"n"', '""'));

    expect(reply.status).toBe(400);
    expect(await findFileSet(server, 'acme/park')).toBe(before);
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  });
});
