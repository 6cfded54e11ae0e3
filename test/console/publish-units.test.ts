/** Parts of publishing that need no browser: archives, datasets, connection strings, SQL views. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseConnectionLine } from '../../console/pages/data/new-postgis/connection-line.ts';
import { sortFiles, toStoreName } from '../../console/pages/data/publish/datasets.ts';
import { createZip, listZipNames } from '../../console/pages/data/publish/zip.ts';
import { createSqlView, listParameters } from '../../console/pages/data/sql-view/sql-view.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { encodePmtiles, writeMbtiles } from '../support/tile-archives.ts';

describe('archives', () => {
  const content = 'Zürich '.repeat(50_000);
  const create = () =>
    createZip([
      { name: 'ü/towns.txt', content: new Blob([content]) },
      { name: 'empty', content: new Blob([]) },
    ]);

  it('contain the files unchanged, with their checksums', async () => {
    const bytes = Buffer.from(await (await create()).arrayBuffer());
    const nameBytes = bytes.readUInt16LE(26);

    expect(bytes.readUInt32LE(14)).toBe(crc32(content));
    expect(bytes.subarray(30, 30 + nameBytes).toString()).toBe('ü/towns.txt');
    expect(bytes.subarray(30 + nameBytes, 30 + nameBytes + Buffer.byteLength(content)).toString()).toBe(content);
  });

  it('are listed by their directory, also behind other bytes and with a comment', async () => {
    expect(await listZipNames(await create())).toEqual(['ü/towns.txt', 'empty']);
    expect(await listZipNames(await createZip([]))).toEqual([]);
  });

  it.each(['', 'PK', 'x'.repeat(70_000), `${'\0'.repeat(30)}PK\u0005\u0006${'\xff'.repeat(18)}`])(
    'are not found in other files %#',
    async (text) => {
      expect(await listZipNames(new Blob([Buffer.from(text, 'latin1')]))).toBeUndefined();
    },
  );
});

describe('datasets', () => {
  const folder = useTemporaryFolder('datasets');
  const file = (name: string, text = 'x') => new File([text], name);
  const summarize = async (...files: readonly File[]) => {
    const { datasets, ignored } = await sortFiles(files);
    return { datasets: datasets.map(({ name, format, files: names }) => [name, format, ...names]), ignored };
  };

  it('are shapefiles with all of their parts, in any case, and single files', async () => {
    const parts = ['Roads.SHP', 'roads.dbf', 'ROADS.shx', 'roads.cpg', 'roads.shp.xml'].map((name) => file(name));

    expect(
      await summarize(...parts, file('relief.tif'), file('a b.gpkg'), file('notes.txt'), file('lone.dbf')),
    ).toEqual({
      datasets: [
        ['Roads', 'shp', 'Roads.SHP', 'roads.dbf', 'ROADS.shx', 'roads.cpg', 'roads.shp.xml'],
        ['relief', 'geotiff', 'relief.tif'],
        ['a_b', 'gpkg', 'a b.gpkg'],
      ],
      ignored: ['notes.txt', 'lone.dbf'],
    });
  });

  it('with the same names in different folders are different', async () => {
    const inFolder = (folder: string, name: string) =>
      Object.defineProperty(file(name), 'webkitRelativePath', { value: `${folder}/${name}` });
    const files = ['a.shp', 'b.shp'].flatMap((name) => [inFolder('x/north', name), inFolder('x/south', name)]);

    expect((await summarize(...files)).datasets).toEqual([
      ['north', 'shp', 'a.shp', 'b.shp'],
      ['south', 'shp', 'a.shp', 'b.shp'],
    ]);
  });

  it('know which shapefiles have no .prj file', async () => {
    const { datasets } = await sortFiles(['a.shp', 'a.prj', 'b.shp'].map((name) => file(name)));

    expect(datasets.map(({ withoutPrj }) => withoutPrj)).toEqual([['b']]);
    const body = await datasets[0]?.createBody({ 'b.prj': 'GEOGCS[]' });
    expect(await listZipNames(body ?? new Blob([]))).toEqual(['a.shp', 'a.prj', 'b.shp', 'b.prj']);
  });

  it('are found in archives by the names of their files', async () => {
    const archive = async (name: string, inner: string) =>
      new File([await createZip([{ name: inner, content: new Blob(['x']) }])], name);

    expect(
      await summarize(
        await archive('s.zip', 'x/roads.shp'),
        await archive('t.zip', 'r.TIF'),
        await archive('u.zip', 'x'),
      ),
    ).toEqual({
      datasets: [
        ['s', 'shp', 's.zip'],
        ['t', 'geotiff', 't.zip'],
      ],
      ignored: ['u.zip'],
    });
  });

  it.each([
    ['vector tiles', 'vector', 1, { format: 'pbf' }],
    ['images', 'raster', 2, { format: 'png' }],
  ])('are tile archives with %s', async (_, kind, tileType, metadata) => {
    const tiles = [{ z: 0, x: 0, y: 0, bytes: Buffer.from('x') }];
    const path = join(folder, `${kind}.mbtiles`);
    // A long value is on other pages, and many values need several pages.
    const sql = `INSERT INTO metadata WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
      SELECT 'name ' || n, 'value' FROM numbers; INSERT INTO metadata VALUES ('format', '${metadata.format}')`;
    writeMbtiles(path, { tiles, metadata: { json: 'x'.repeat(100_000) }, sql });
    const { datasets } = await sortFiles([
      new File([new Uint8Array(await readFile(path))], 'a.mbtiles'),
      new File([new Uint8Array(encodePmtiles({ tiles, tileType }))], 'b.PMTILES'),
    ]);

    expect(datasets.map((each) => [each.name, each.format, each.kind])).toEqual([
      ['a', 'mbtiles', kind],
      ['b', 'pmtiles', kind],
    ]);
  });

  it('are sent as archives of images if the file is damaged, so that the server explains it', async () => {
    const { datasets } = await sortFiles(
      ['', 'text', `SQLite format 3\0${'\u0010'.repeat(5_000)}`].flatMap((text) => [
        file('a.mbtiles', text),
        file('b.pmtiles', text),
      ]),
    );

    expect(datasets.map(({ kind }) => kind)).toEqual(Array(6).fill('raster'));
  });

  it('have different names', async () => {
    expect((await summarize(file('a.gpkg'), file('a.tif'))).datasets.map(([name]) => name)).toEqual(['a', 'a_2']);
  });

  it.each([
    ['Gewässer (neu).shp', 'Gewässer_neu'],
    ['a:b/c.gpkg', 'a_b_c'],
    ['.shp', 'data'],
    ['v1.2.tif', 'v1.2'],
  ])('%s is stored as %s', (name, expected) => {
    expect(toStoreName(name)).toBe(expected);
  });
});

describe('connection strings', () => {
  it.each([
    [
      'postgresql://me:p%40ss%2Fword@db.example:5433/my%20maps?sslmode=verify-full&options=x',
      {
        host: 'db.example',
        port: '5433',
        database: 'my maps',
        user: 'me',
        passwd: 'p@ss/word',
        'SSL mode': 'VERIFY_FULL',
      },
    ],
    ['postgres://me@db.example/maps', { host: 'db.example', database: 'maps', user: 'me' }],
    ['postgresql://[::1]:5432/maps', { host: '::1', port: '5432', database: 'maps' }],
    ['postgresql://db:80/maps', { host: 'db', port: '80', database: 'maps' }],
    [
      'jdbc:postgresql://db.example/maps?user=me&password=x&currentSchema=roads',
      { host: 'db.example', database: 'maps', user: 'me', passwd: 'x', schema: 'roads' },
    ],
    [
      "psql \"host=db.example dbname='my maps' user=me password='it\\'s' sslmode=require\"",
      { host: 'db.example', database: 'my maps', user: 'me', passwd: "it's", 'SSL mode': 'REQUIRE' },
    ],
  ])('%s is read', (line, expected) => {
    expect(parseConnectionLine(line)).toEqual(expected);
  });

  it.each(['', 'hello', 'mysql://me@db/maps', 'postgresql://', 'https://example.org/maps', 'host=a b'])(
    'does not read %j',
    (line) => {
      expect(parseConnectionLine(line)).toBeUndefined();
    },
  );
});

describe('SQL views', () => {
  it('have the parameters of the query with their patterns', () => {
    const sql = "select * from roads where kind = '%kind%' and lanes > %lanes% or kind = '%kind%'";
    const { featureType } = createSqlView({
      ...{ name: 'v', sql, key: 'id, part', geometry: 'geom', geometryType: 'Point', srid: '' },
      parameters: listParameters(sql).map((name) => ({ name, defaultValue: '1', pattern: '^\\d+$' })),
    });

    expect(listParameters(sql)).toEqual(['kind', 'lanes']);
    expect(featureType.metadata.entry[0]?.virtualTable).toMatchObject({
      keyColumn: ['id', 'part'],
      geometry: { name: 'geom', type: 'Point', srid: -1 },
      parameter: [{ name: 'kind' }, { name: 'lanes', defaultValue: '1', regexpValidator: '^\\d+$' }],
    });
  });
});
