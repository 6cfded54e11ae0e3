import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';
import { findFileSet, uploadedFiles } from '../../../test/support/uploaded-files.ts';
import { pointShapefile, putZip, readResource, writeShapefiles, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const upload = `${stores}/s/file.shp?configure=none`;
const short = zipOf({ a: pointShapefile(2, [0, 0]) });
const long = zipOf({ a: pointShapefile(9, [100, 10]), b: pointShapefile() });

describe('data replacement of a store', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, upload, short);
    await server.post(`${stores}/s/featuretypes`, '<featureType><name>a</name></featureType>');
  });

  it('shows readers the old or the new data, never a mixture', async () => {
    let isWriting = true;
    const writing = (async () => {
      for (let round = 0; round < 12; round += 1) {
        expect((await putZip(server, upload, round % 2 === 0 ? long : short)).status).toBe(201);
      }
      isWriting = false;
    })();
    const seen = new Set<string>();
    const reading = async () => {
      while (isWriting) {
        const names = await server.get(`${stores}/s/featuretypes.json?list=all`);
        seen.add(`${names.status} ${names.text}`);
        const type = await readResource(server, `${stores}/s/featuretypes/a`);
        seen.add(JSON.stringify(type['nativeBoundingBox']));
      }
    };

    await Promise.all([writing, reading(), reading()]);

    const box = (minx: number, maxx: number, miny: number, maxy: number) =>
      JSON.stringify({ minx, maxx, miny, maxy, crs: 'EPSG:4326' });
    expect([...seen].sort()).toEqual(
      [
        '200 {"list":{"string":["a","b"]}}',
        '200 {"list":{"string":["a"]}}',
        box(0, 1, 0, 1),
        box(100, 108, 10, 18),
      ].sort(),
    );
    // Files of the longer name stay.
    expect(await readdir(await uploadedFiles(server, 'acme/s'))).toEqual(
      ['a', 'b'].flatMap((name) => ['dbf', 'prj', 'shp', 'shx'].map((ending) => `${name}.${ending}`)),
    );
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  });

  it('keeps exactly one of several concurrent uploads', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        putZip(server, `${stores}/many/file.shp`, zipOf({ many: pointShapefile(2, [index, index]) })),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    const { nativeBoundingBox } = await readResource(server, `${stores}/many/featuretypes/many`);
    expect(nativeBoundingBox).toMatchObject({ maxx: (nativeBoundingBox as { minx: number }).minx + 1 });
  });

  it('leaves the store without uploaded files when it is set to an external location', async () => {
    await putZip(server, `${stores}/outward/file.shp?configure=none`, zipOf({ outward: pointShapefile() }));
    await writeShapefiles(join(server.dataDir, 'data/mine'), { source: pointShapefile() });

    const reply = await server.request('PUT', `${stores}/outward/external.shp?configure=none`, {
      type: 'text/plain',
      body: 'data/mine',
    });

    expect(reply.status).toBe(201);
    expect(await findFileSet(server, 'acme/outward')).toBeNull();
    const names = await server.get(`${stores}/outward/featuretypes.json?list=all`);
    expect(names.json()).toEqual({ list: { string: ['source'] } });
  });
});

describe('uploaded data', () => {
  it('is available after a restart', async () => {
    const first = await startTestServer();
    await first.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(first, upload, long);
    await first.server.close();
    const second = await startTestServer({ dataDir: first.dataDir });

    const names = await second.get(`${stores}/s/featuretypes.json?list=all`);
    await second.close();
    await first.close();

    expect(names.json()).toEqual({ list: { string: ['a', 'b'] } });
  });
});
