import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { answered } from '../../../test/support/dry-run.ts';
import { ogrSummary, runGdal } from '../../../test/support/gdal.ts';
import { openGeopackage } from '../../../test/support/geopackages.ts';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { describeInDirectory } from '../../../test/support/shared-storage.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { uploadedFiles } from '../../../test/support/uploaded-files.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import {
  featureTypes,
  pointShapefile,
  polygonShapefile,
  putZip,
  readResource,
  snapshot,
  UTM33_PRJ,
  writeShapefiles,
  zipOf,
} from '../../../test/support/vector-samples.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';

const stores = '/workspaces/acme/datastores';
/** Each test waits for the disk several times, and other tests may keep it busy. */
const MANY_UPLOADS_MS = 600_000;

const { shp: cut = Buffer.alloc(0) } = pointShapefile();

function useWorkspace() {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  /** A copy of the current file of a store. */
  async function fileOf(store: string): Promise<string> {
    return join(await uploadedFiles(server, `acme/${store}`), `${store}.gpkg`);
  }

  async function ranks(store: string, table: string): Promise<readonly unknown[]> {
    const features = await readAllFeatures(await openGeopackage(await fileOf(store)), table);
    return features.map(({ values }) => values[2]);
  }

  return { server, fileOf, ranks };
}

describe('shapefile upload with target=gpkg', () => {
  const { server, fileOf, ranks } = useWorkspace();

  it('creates a GeoPackage store with all features and discards the shapefile', async () => {
    const reply = await putZip(
      server,
      `${stores}/made/file.shp?target=gpkg&configure=all`,
      zipOf({ places: pointShapefile(), areas: polygonShapefile() }),
    );

    expect(reply.status, reply.text).toBe(201);
    expect(await readResource(server, `${stores}/made`)).toMatchObject({
      type: 'GeoPackage',
      connectionParameters: {
        entry: [
          { '@key': 'database', $: expect.stringMatching(/^file:data\/acme\/made\/\d+\/made\.gpkg$/) },
          { '@key': 'dbtype', $: 'geopkg' },
          { '@key': 'namespace', $: 'http://acme' },
        ],
      },
    });
    expect(await featureTypes(server, 'acme/made')).toEqual(['areas', 'places']);
    expect(await readResource(server, `${stores}/made/featuretypes/places`)).toMatchObject({
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 10, maxx: 12, miny: 50, maxy: 52, crs: 'EPSG:4326' },
    });
    const source = await openGeopackage(await fileOf('made'));
    expect(await describeType(source, 'places')).toMatchObject({
      count: 3,
      bounds: { minX: 10, minY: 50, maxX: 12, maxY: 52 },
      attributes: [
        { name: 'the_geom', kind: 'geometry', type: 'Point', crs: { code: 'EPSG:4326' } },
        { name: 'name', type: 'string', maxLength: 20 },
        { name: 'rank', type: 'integer' },
        { name: 'seen', type: 'date' },
      ],
    });
    expect((await readAllFeatures(source, 'places')).map(({ values }) => values.slice(1))).toEqual(
      [0, 1, 2].map((rank) => [`place ${rank}`, rank, new Date('2026-01-02')]),
    );
    expect(await readdir(await uploadedFiles(server, 'acme/made'))).toEqual(['made.gpkg']);
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  });

  it.each([
    ['first', ['a-first']],
    ['none', []],
  ])('imports everything and publishes by configure=%s', async (configure, published) => {
    const shapefiles = { [`b-${configure}`]: pointShapefile(), [`a-${configure}`]: polygonShapefile() };

    await putZip(server, `${stores}/by-${configure}/file.shp?target=gpkg&configure=${configure}`, zipOf(shapefiles));

    expect(await featureTypes(server, `acme/by-${configure}`)).toEqual(published);
    const all = await server.get(`${stores}/by-${configure}/featuretypes.json?list=all`);
    expect(all.json()).toEqual({ list: { string: [`a-${configure}`, `b-${configure}`] } });
  });

  it('keeps texts in another encoding and a CRS without a code', async () => {
    const { dbf = Buffer.alloc(0), ...others } = pointShapefile(1);
    const latin = Buffer.from(dbf.toString('latin1').replace('place 0', 'pl\u00e4ce \x80'), 'latin1');
    const odd = pointShapefile(1, [3, 4], UTM33_PRJ.replace('15.0', '15.5').replace('Zone_33N', 'of_Our_Own'));

    const reply = await putZip(
      server,
      `${stores}/texts/file.shp?target=gpkg&charset=windows-1252`,
      zipOf({ latin: { ...others, dbf: latin }, odd }),
    );

    expect(reply.status, reply.text).toBe(201);
    const source = await openGeopackage(await fileOf('texts'));
    expect((await readAllFeatures(source, 'latin'))[0]?.values[1]).toBe('pl\u00e4ce \u20ac');
    expect((await describeType(source, 'odd')).attributes[0]).toMatchObject({
      crs: { wkt: expect.stringContaining('of_Our_Own') },
    });
  });

  it('works with the method external and does not modify the source', async () => {
    const folder = await writeShapefiles(join(server.dataDir, 'elsewhere'), { outside: pointShapefile() });
    const before = await snapshot(folder);

    const reply = await server.request('PUT', `${stores}/outer/external.shp?target=gpkg`, {
      type: 'text/plain',
      body: folder,
    });

    expect(reply.status, reply.text).toBe(201);
    expect(await ranks('outer', 'outside')).toEqual([0, 1, 2]);
    expect(await snapshot(folder)).toEqual(before);
  });

  it('works with the method url', async () => {
    const remote = await startRemoteServer((_request, response) => response.end(zipOf({ remote: pointShapefile() })));
    const check = { regexUrlCheck: { name: 'data', enabled: true, regex: '^http://data\\.example\\.com:\\d+/.*$' } };
    await server.post('/urlchecks', JSON.stringify(check));

    const reply = await server.request('PUT', `${stores}/fetched/url.shp?target=gpkg`, {
      type: 'text/plain',
      body: `http://data.example.com:${remote.port}/remote.zip`,
    });

    expect(reply.status, reply.text).toBe(201);
    expect(await ranks('fetched', 'remote')).toEqual([0, 1, 2]);
  });
});

describe('shapefile upload into a GeoPackage store', () => {
  const { server, fileOf, ranks } = useWorkspace();
  const upload = (store: string, query: string, body: Buffer) =>
    putZip(server, `${stores}/${store}/file.shp?${query}`, body);

  it('appends to the table of its name, refreshes its bounds, and keeps its metadata', async () => {
    await upload('grown', 'target=gpkg', zipOf({ grown: pointShapefile(2, [0, 0]) }));
    await server.put(`${stores}/grown/featuretypes/grown`, '<featureType><title>Said</title></featureType>');

    const reply = await upload('grown', 'target=nonsense', zipOf({ grown: pointShapefile(3, [10, 10]) }));

    expect(reply.status, reply.text).toBe(201);
    expect(await ranks('grown', 'grown')).toEqual([0, 1, 0, 1, 2]);
    expect(await featureTypes(server, 'acme/grown')).toEqual(['grown']);
    expect(await readResource(server, `${stores}/grown/featuretypes/grown`)).toMatchObject({
      title: 'Said',
      nativeBoundingBox: { minx: 0, maxx: 12, miny: 0, maxy: 12 },
      latLonBoundingBox: { minx: 0, maxx: 12, miny: 0, maxy: 12 },
    });
  });

  it('replaces the rows with update=overwrite and leaves other tables unchanged', async () => {
    await upload('fresh', 'target=gpkg', zipOf({ fresh: pointShapefile(5), other: polygonShapefile() }));

    const reply = await upload('fresh', 'update=Overwrite', zipOf({ FRESH: pointShapefile(2, [30, 40]) }));

    expect(reply.status, reply.text).toBe(201);
    expect(await ranks('fresh', 'fresh')).toEqual([0, 1]);
    const database = new DatabaseSync(await fileOf('fresh'), { readOnly: true });
    const index = database.prepare('SELECT count(*) AS n, min(minx) AS x FROM rtree_fresh_the_geom').get();
    const other = database.prepare('SELECT count(*) AS n FROM other').get();
    database.close();
    expect([{ ...index }, { ...other }]).toEqual([{ n: 2, x: 30 }, { n: 1 }]);
    expect(await readResource(server, `${stores}/fresh/featuretypes/fresh`)).toMatchObject({
      nativeBoundingBox: { minx: 30, maxx: 31, miny: 40, maxy: 41 },
    });
  });

  it.each([
    ['an attribute that the table lacks', zipOf({ kept: polygonShapefile() }), "no column for 'id'"],
    ['another CRS', zipOf({ kept: pointShapefile(2, [5e5, 5e6], UTM33_PRJ) }), 'EPSG:32633'],
    [
      'no CRS',
      zipOf({ kept: pointShapefile(2, [0, 0], '') }),
      'the coordinate reference system of the data is unknown',
    ],
    [
      'a truncated file after others',
      zipOf({
        aaa: pointShapefile(),
        kept: { ...pointShapefile(), shp: cut.subarray(0, 130) },
      }),
      'truncated',
    ],
  ])('is rejected with %s, and changes nothing', async (what, body, message) => {
    const name = what.replaceAll(' ', '-');
    await upload(name, 'target=gpkg', zipOf({ kept: pointShapefile(2) }));
    const before = await snapshot(server.dataDir);

    const reply = await upload(name, 'update=overwrite&configure=all', body);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
    expect(await snapshot(server.dataDir)).toEqual(before);
    expect(await featureTypes(server, `acme/${name}`)).toHaveLength(1);
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  });

  it('loses no row when many uploads run concurrently', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => upload('many', 'target=gpkg', zipOf({ many: pointShapefile(2) }))),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    expect(await ranks('many', 'many')).toHaveLength(12);
    expect(await featureTypes(server, 'acme/many')).toEqual(['many']);
  });

  it('keeps the store consistent while other clients replace the file and create tables', {
    timeout: MANY_UPLOADS_MS,
  }, async () => {
    await upload('busy', 'target=gpkg', zipOf({ busy: pointShapefile(1) }));
    const file = await readFile(await fileOf('busy'));
    const table = (name: string) =>
      `{"featureType":{"name":"${name}","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}`;

    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => upload('busy', 'configure=none', zipOf({ busy: pointShapefile(1) }))),
      ...Array.from({ length: 2 }, () => putZip(server, `${stores}/busy/file.gpkg`, file, 'application/octet-stream')),
      ...Array.from({ length: 3 }, (_, index) => server.post(`${stores}/busy/featuretypes`, table(`busy${index}`))),
    ]);

    // A file without a table that was published meanwhile is rejected.
    const isFine = ({ status, text }: Reply) =>
      status === 201 || /^The upload would remove the data of acme:busy\d/.test(text);
    expect(replies.filter((reply) => !isFine(reply))).toEqual([]);
    expect((await ranks('busy', 'busy')).length).toBeGreaterThanOrEqual(1);
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  });

  it('leaves nothing on disk after a dry run', async () => {
    await upload('rehearsed', 'target=gpkg&configure=none', zipOf({ rehearsed: pointShapefile(1) }));
    await rm(join(server.dataDir, 'files'), { recursive: true, force: true });
    const everything = async () => {
      const names = await readdir(server.dataDir, { recursive: true });
      // The server writes it some seconds after its start.
      return names.filter((name) => name !== 'disk.reserve').toSorted();
    };
    const before = await everything();

    const dry = await upload('rehearsed', 'configure=none&dryRun=true', zipOf({ rehearsed: pointShapefile(2) }));

    expect([dry.status, dry.headers['graticule-dry-run']]).toEqual([201, 'true']);
    expect(await everything()).toEqual(before);
  });
});

/** Nodes do not write into files on the disk of one node. */
describeInDirectory('shapefile upload into a file that the server does not own', () => {
  const { server, fileOf } = useWorkspace();
  const upload = (name: string, query: string, body: Buffer) =>
    putZip(server, `${stores}/${name}/file.shp?${query}`, body);

  it('writes into a GeoPackage of the data directory, unless it is read-only', async () => {
    await upload('origin', 'target=gpkg', zipOf({ origin: pointShapefile(1) }));
    await mkdir(join(server.dataDir, 'own'));
    const path = join(server.dataDir, 'own/own.gpkg');
    await copyFile(await fileOf('origin'), path);
    const store = (name: string, more = '') =>
      `<dataStore><name>${name}</name><connectionParameters><dbtype>geopkg</dbtype><database>own/own.gpkg</database>${more}</connectionParameters></dataStore>`;
    await server.post(stores, store('outside'));
    await server.post(stores, store('shown', '<read_only>true</read_only>'));

    const written = await upload('outside', 'configure=none', zipOf({ origin: pointShapefile(2) }));
    const refused = await upload('shown', 'configure=none', zipOf({ origin: pointShapefile(2) }));
    const failed = await upload('outside', 'update=overwrite', zipOf({ origin: polygonShapefile() }));

    expect(written.status, written.text).toBe(201);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('read_only')]);
    expect(failed.status).toBe(400);
    expect(await readAllFeatures(await openGeopackage(path), 'origin')).toHaveLength(3);
    expect(await readdir(join(server.dataDir, 'own'))).toEqual(['own.gpkg']);
  });

  it.each([
    ['append', 7],
    ['overwrite', 4],
  ])(
    'answers a dry run of update=%s into a GeoPackage of the data directory like the real upload and changes nothing',
    async (mode, rows) => {
      const name = `tried-${mode}`;
      const parameters = `<dbtype>geopkg</dbtype><database>file:data/${name}.gpkg</database>`;
      await server.post(
        stores,
        `<dataStore><name>${name}</name><connectionParameters>${parameters}</connectionParameters></dataStore>`,
      );
      const first = zipOf({ [name]: pointShapefile(3, [0, 0]) });
      const next = zipOf({ [name]: pointShapefile(4, [20, 20]), [`areas-${mode}`]: polygonShapefile() });
      const state = async () => ({
        files: await snapshot(server.dataDir),
        types: (await server.get(`${stores}/${name}/featuretypes.json`)).text,
        type: (await server.get(`${stores}/${name}/featuretypes/${name}.json`)).text,
      });
      const query = `update=${mode}&configure=all`;

      for (const body of [first, next]) {
        const before = await state();
        const dry = await upload(name, `${query}&dryRun=true`, body);

        expect([dry.status, dry.headers['graticule-dry-run']]).toEqual([201, 'true']);
        expect(await state()).toEqual(before);
        expect(answered(await upload(name, query, body))).toEqual(answered(dry));
      }
      const source = await openGeopackage(join(server.dataDir, `data/${name}.gpkg`));
      expect(await readAllFeatures(source, name)).toHaveLength(rows);
    },
  );
});

describeWithTool('gdal', 'what was imported into a GeoPackage', () => {
  const { server, fileOf } = useWorkspace();

  it('lets GDAL read the result, including its spatial index', async () => {
    const upload = (query: string) =>
      putZip(
        server,
        `${stores}/seen/file.shp?${query}`,
        zipOf({ seen: pointShapefile(4, [500_000, 5_500_000], UTM33_PRJ) }),
      );
    await upload('target=gpkg');
    await upload('update=append');

    const path = await fileOf('seen');

    expect(await ogrSummary(path)).toMatchObject({
      layer: 'seen',
      geometry: 'Point',
      count: 8,
      extent: [500_000, 5_500_000, 500_003, 5_500_003],
      crsCode: 'EPSG:32633',
      fields: [
        { name: 'name', type: 'String' },
        { name: 'rank', type: 'Integer' },
        { name: 'seen', type: 'Date' },
      ],
    });
    const found = await runGdal('ogrinfo', ['-q', '-spat', '500000.5', '5500000', '500001.5', '5500002', path, 'seen']);
    expect(found.match(/OGRFeature/g)).toHaveLength(2);
  });

  it('writes into a table that GDAL created, with its triggers and its count', async () => {
    const folder = await writeShapefiles(join(server.dataDir, 'gdal'), { towns: pointShapefile(3) });
    const path = join(server.dataDir, 'gdal/towns.gpkg');
    await runGdal('ogr2ogr', ['-f', 'GPKG', path, join(folder, 'towns.shp')]);
    await putZip(server, `${stores}/towns/file.gpkg`, await readFile(path), 'application/octet-stream');

    const reply = await putZip(server, `${stores}/towns/file.shp`, zipOf({ towns: pointShapefile(2, [40, 40]) }));

    expect(reply.status, reply.text).toBe(201);
    const after = await fileOf('towns');
    expect(await ogrSummary(after)).toMatchObject({
      count: 5,
      extent: [10, 40, 41, 52],
    });
    await runGdal('ogr2ogr', ['-append', after, join(folder, 'towns.shp'), '-nln', 'towns']);
    expect(
      await runGdal('ogrinfo', ['-q', after, '-sql', 'SELECT feature_count AS n FROM gpkg_ogr_contents']),
    ).toContain('= 8');
    expect(await runGdal('ogrinfo', ['-q', after, '-sql', 'SELECT count(*) AS n FROM rtree_towns_geom'])).toContain(
      '= 8',
    );
  });
});
