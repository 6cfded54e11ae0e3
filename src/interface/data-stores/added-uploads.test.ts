/** Uploads to a store with data must not affect published data. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answered } from '../../../test/support/dry-run.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { uploadedFiles } from '../../../test/support/uploaded-files.ts';
import {
  featureTypes,
  pointShapefile,
  polygonShapefile,
  putZip,
  readResource,
  writeShapefiles,
  zipOf,
} from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describe('upload of a second shapefile into a store', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  /** Returns the western bound of the current data, independent of the published metadata. */
  async function westEnd(store: string, type: string): Promise<number> {
    const path = `${stores}/${store}/featuretypes/${type}`;
    expect((await server.put(`${path}?recalculate=nativebbox`, '<featureType/>')).status).toBe(200);
    return ((await readResource(server, path))['nativeBoundingBox'] as { minx: number }).minx;
  }

  const textOf = async (store: string, file: string) =>
    readFile(join(await uploadedFiles(server, `acme/${store}`), file), 'utf8');

  it('publishes both shapefiles', async () => {
    await putZip(server, `${stores}/s/file.shp`, zipOf({ kantone: pointShapefile(2, [1, 1]) }));

    const reply = await putZip(server, `${stores}/s/file.shp`, zipOf({ linien: pointShapefile(2, [7, 7]) }));

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/s')).toEqual(['kantone', 'linien']);
    expect([await westEnd('s', 'kantone'), await westEnd('s', 'linien')]).toEqual([1, 7]);
  });

  it('stores both in one folder, wherever their archives had them', async () => {
    await putZip(server, `${stores}/folders/file.shp`, zipOf({ upper: pointShapefile(1, [1, 1]) }, 'first/folder/'));
    await putZip(server, `${stores}/folders/file.shp`, zipOf({ lower: pointShapefile(1, [2, 2]) }, 'second/'));

    expect(await readdir(join(await uploadedFiles(server, 'acme/folders'), 'first/folder'))).toEqual(
      ['lower', 'upper'].flatMap((name) => ['dbf', 'prj', 'shp', 'shx'].map((ending) => `${name}.${ending}`)),
    );
    expect([await westEnd('folders', 'upper'), await westEnd('folders', 'lower')]).toEqual([1, 2]);
  });

  it.each(['', '?update=overwrite'])('replaces only the shapefile of the same name %s', async (query) => {
    const store = `again${query.length}`;
    const [one, two] = [`${store}-one`, `${store}-two`];
    const both = { [one]: pointShapefile(1, [1, 1]), [two]: pointShapefile(1, [2, 2]) };
    await putZip(server, `${stores}/${store}/file.shp?configure=all`, zipOf(both));

    const reply = await putZip(
      server,
      `${stores}/${store}/file.shp${query}`,
      zipOf({ [two]: pointShapefile(1, [9, 9]) }),
    );

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, `acme/${store}`)).toEqual([one, two]);
    expect([await westEnd(store, one), await westEnd(store, two)]).toEqual([1, 9]);
  });

  it('deletes all files of the same base name and none of a longer one', async () => {
    const cpg = Buffer.from('UTF-8');
    await putZip(
      server,
      `${stores}/parts/file.shp`,
      zipOf({
        town: { ...pointShapefile(), cpg, 'shp.xml': Buffer.from('<metadata/>') },
        'town.old': { ...pointShapefile(), cpg },
      }),
    );

    await putZip(server, `${stores}/parts/file.shp`, zipOf({ town: pointShapefile() }));

    const names = await readdir(await uploadedFiles(server, 'acme/parts'));
    expect(names.filter((name) => !/\.(shp|shx|dbf|prj)$/.test(name))).toEqual(['town.old.cpg']);
  });

  it('accepts a single .shp under the name of the store, without the table of the previous one', async () => {
    await putZip(server, `${stores}/alone/file.shp`, zipOf({ alone: pointShapefile(), beside: pointShapefile() }));
    const { shp = Buffer.alloc(0) } = pointShapefile(1, [5, 5]);

    await putZip(server, `${stores}/alone/file.shp`, shp, 'application/octet-stream');

    expect(await readdir(await uploadedFiles(server, 'acme/alone'))).toEqual([
      'alone.shp',
      'beside.dbf',
      'beside.prj',
      'beside.shp',
      'beside.shx',
    ]);
  });

  it('reads each in its own encoding; a charset applies to the new one only', async () => {
    await putZip(server, `${stores}/texts/file.shp`, zipOf({ first: pointShapefile() }));

    await putZip(server, `${stores}/texts/file.shp?charset=ISO-8859-15`, zipOf({ second: pointShapefile() }));

    expect(await textOf('texts', 'second.cpg')).toBe('ISO-8859-15');
    expect(JSON.stringify(await readResource(server, `${stores}/texts`))).not.toContain('charset');
  });

  it('warns if the encoding of the store applies to all its files', async () => {
    await putZip(server, `${stores}/strict/file.shp?charset=UTF-8`, zipOf({ early: pointShapefile() }));

    const reply = await putZip(server, `${stores}/strict/file.shp?charset=cp1252`, zipOf({ late: pointShapefile() }));

    expect(reply.status).toBe(201);
    expect(reply.headers['warning']).toContain(
      'The store reads all its files as UTF-8, so charset=cp1252 has no effect.',
    );
  });

  it('rejects a name that differs from a published one only in case, and names that one', async () => {
    await putZip(server, `${stores}/cases/file.shp`, zipOf({ lake: pointShapefile() }));

    const reply = await server.request('PUT', `${stores}/cases/file.shp`, {
      type: 'application/zip',
      body: zipOf({ LAKE: pointShapefile() }),
      accept: 'application/problem+json',
    });

    expect(reply).toMatchObject({ status: 409 });
    expect(reply.json()).toMatchObject({ code: 'upload-loses-data', blockers: ['acme:lake'] });
    expect(await westEnd('cases', 'lake')).toBe(10);
  });

  it.each(['dbf', 'prj', 'cpg'])('rejects a stray .%s of a published shapefile, and names it', async (ending) => {
    const store = `strays-${ending}`;
    await putZip(server, `${stores}/${store}/file.shp`, zipOf({ [store]: pointShapefile() }));
    const stray = { [ending]: Buffer.from('stray') };

    const reply = await putZip(
      server,
      `${stores}/${store}/file.shp`,
      zipOf({ other: pointShapefile(), [store.toUpperCase()]: stray }),
    );

    expect(reply).toMatchObject({ status: 409, text: expect.stringContaining(`the data of acme:${store} from`) });
    expect(await westEnd(store, store)).toBe(10);
  });

  it('separates a shapefile whose name ends like a file of the other', async () => {
    await putZip(server, `${stores}/endings/file.shp`, zipOf({ 'end.shp': pointShapefile(1, [3, 3]) }));

    const reply = await putZip(server, `${stores}/endings/file.shp`, zipOf({ end: pointShapefile(1, [4, 4]) }));

    expect(reply.status).toBe(201);
    expect([await westEnd('endings', 'end.shp'), await westEnd('endings', 'end')]).toEqual([3, 4]);
  });

  it('rejects an external location without the published data, and names the missing type', async () => {
    await putZip(server, `${stores}/outward/file.shp`, zipOf({ outward: pointShapefile() }));
    await writeShapefiles(join(server.dataDir, 'data/elsewhere'), { another: pointShapefile() });

    const reply = await server.request('PUT', `${stores}/outward/external.shp`, {
      type: 'text/plain',
      body: 'data/elsewhere',
      accept: 'application/xml',
    });

    expect(reply).toMatchObject({
      status: 409,
      text: expect.stringContaining("would remove the data of acme:outward from the store 'outward'"),
    });
    expect(await featureTypes(server, 'acme/outward')).toEqual(['outward']);
  });

  it('supports a dry run', async () => {
    await putZip(server, `${stores}/tried/file.shp`, zipOf({ tried: pointShapefile() }));

    const reply = await putZip(server, `${stores}/tried/file.shp?dryRun=true`, zipOf({ untried: pointShapefile() }));

    expect(answered(reply)).toMatchObject({ status: 201 });
    expect(await featureTypes(server, 'acme/tried')).toEqual(['tried']);
  });

  it('keeps all files of concurrent uploads', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `at-once-${index}`);

    const replies = await Promise.all(
      names.map((name) => putZip(server, `${stores}/together/file.shp`, zipOf({ [name]: polygonShapefile() }))),
    );

    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(await featureTypes(server, 'acme/together')).toEqual(names);
    const listed = await server.get(`${stores}/together/featuretypes.json?list=all`);
    expect(listed.json()).toEqual({ list: { string: names } });
  });
});

describe('upload of a GeoPackage into a store with a GeoPackage', () => {
  const server = useTestServer();
  /** Returns the bytes of a GeoPackage with a table for each name. */
  async function geopackageOf(...names: readonly string[]): Promise<Buffer> {
    const store = `made-of-${names.join('-')}`;
    const shapefiles = Object.fromEntries(names.map((name) => [name, pointShapefile()]));
    await putZip(server, `${stores}/${store}/file.shp?target=gpkg&configure=none`, zipOf(shapefiles));
    return readFile(join(await uploadedFiles(server, `acme/${store}`), `${store}.gpkg`));
  }
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it.each(['', '?filename=other'])(
    'is rejected if it lacks a published table, which the error names %s',
    async (query) => {
      const store = `kept${query.length}`;
      await putZip(server, `${stores}/${store}/file.gpkg`, await geopackageOf('roads', 'rivers'), 'x/y');
      const [published = ''] = await featureTypes(server, `acme/${store}`);

      const reply = await putZip(server, `${stores}/${store}/file.gpkg${query}`, await geopackageOf('roads'), 'x/y');

      expect(reply).toMatchObject({ status: 409, text: expect.stringContaining(`the data of acme:${published}`) });
      const listed = await server.get(`${stores}/${store}/featuretypes.json?list=all`);
      expect(listed.json()).toEqual({ list: { string: ['rivers', 'roads'] } });
    },
  );

  it.each(['', '?filename=other'])('replaces the file if it contains all published tables %s', async (query) => {
    const store = `replaced${query.length}`;
    await putZip(server, `${stores}/${store}/file.gpkg`, await geopackageOf('places'), 'x/y');

    const reply = await putZip(
      server,
      `${stores}/${store}/file.gpkg${query}`,
      await geopackageOf('places', 'x'),
      'x/y',
    );

    expect(reply.status).toBe(201);
    const listed = await server.get(`${stores}/${store}/featuretypes.json?list=all`);
    expect(listed.json()).toEqual({ list: { string: ['places', 'x'] } });
  });
});
