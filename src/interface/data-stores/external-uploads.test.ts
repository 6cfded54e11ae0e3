import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openGeopackage, pointAttribute } from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import {
  featureTypes,
  pointShapefile,
  polygonShapefile,
  readResource,
  snapshot,
  writeShapefiles,
  zipOf,
} from '../../../test/support/vector-samples.ts';
import { createType } from '../../../test/support/vector-writing.ts';

const stores = '/workspaces/acme/datastores';

describe('data on the server', () => {
  const outside = useTemporaryFolder('outside');
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('is published in place, all of it with configure=all, and never modified', async () => {
    const folder = await writeShapefiles(join(outside, 'shapes'), {
      a: pointShapefile(),
      b: polygonShapefile(),
    });
    const before = await snapshot(folder);

    const reply = await server.request('PUT', `${stores}/shapes/external.shp?configure=all`, {
      type: 'text/plain',
      body: `file://${folder}/`,
    });

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/shapes')).toEqual(['a', 'b']);
    expect(await readResource(server, '/layers/acme:b')).toMatchObject({ defaultStyle: { name: 'polygon' } });
    await server.delete(`${stores}/shapes?recurse=true`);
    expect(await snapshot(folder)).toEqual(before);
  });

  it('may be one file by its path, or be inside the data directory', async () => {
    const folder = await writeShapefiles(join(outside, 'one'), {
      single: pointShapefile(),
      other: pointShapefile(),
    });
    await writeShapefiles(join(server.dataDir, 'data', 'mine'), { inside: pointShapefile() });

    const replies = [
      await server.request('PUT', `${stores}/single/external.shp`, {
        type: 'text/plain',
        body: `${folder}/single.shp\n`,
      }),
      await server.request('PUT', `${stores}/inside/external.shp`, { type: 'text/plain', body: 'file:data/mine' }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(await featureTypes(server, 'acme/single')).toEqual(['single']);
    expect(JSON.stringify(await readResource(server, `${stores}/inside`))).toContain('"file:data/mine/"');
  });

  it('may be an archive, which is unpacked and not modified', async () => {
    const folder = await writeShapefiles(join(outside, 'zipped'), {});
    const archive = join(folder, 'roads.zip');
    await writeFile(archive, zipOf({ packed: pointShapefile() }));

    const reply = await server.request('PUT', `${stores}/packed/external.shp`, { type: 'text/plain', body: archive });

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/packed')).toEqual(['packed']);
    expect(await readdir(folder)).toEqual(['roads.zip']);
    expect((await readFile(archive)).length).toBeGreaterThan(0);
  });

  it('may be a GeoPackage, which stays in place', async () => {
    const file = join(outside, 'places.gpkg');
    const source = await openGeopackage(file);
    await createType(source, { name: 'places', attributes: [pointAttribute] });
    await source.close();

    const reply = await server.request('PUT', `${stores}/pack/external.gpkg`, { type: 'text/plain', body: file });

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/pack')).toEqual(['places']);
    expect(await readResource(server, `${stores}/pack`)).toMatchObject({ type: 'GeoPackage' });
    expect(await readdir(outside)).toContain('places.gpkg');
  });

  it('must be a folder with shapefiles or a shapefile', async () => {
    await writeShapefiles(join(outside, 'empty'), {});
    await writeFile(join(outside, 'notes.txt'), 'text');

    for (const name of ['empty', 'notes.txt']) {
      const how = { type: 'text/plain', body: join(outside, name) };
      const reply = await server.request('PUT', `${stores}/none/external.shp?configure=none`, how);
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('.shp')]);
    }
  });

  it.each([
    ['a missing file', '/nowhere/at/all', 400],
    ['an empty body', '', 400],
    ['the internal files of the server', 'security', 403],
    ['a system file', '/proc/self/environ', 403],
  ])('is rejected for %s', async (_what, body, status) => {
    const before = await snapshot(server.dataDir);

    const reply = await server.request('PUT', `${stores}/refused/external.shp`, { type: 'text/plain', body });

    expect(reply.status).toBe(status);
    expect(await snapshot(server.dataDir)).toEqual(before);
  });
});
