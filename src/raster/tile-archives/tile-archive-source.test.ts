/** Tile archives as raster sources. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { coloredTiles, createPngTile, encodePmtiles, writeMbtiles } from '../../../test/support/tile-archives.ts';
import { mbtilesDriver, pmtilesDriver } from '../drivers.ts';
import type { RasterSource, WindowRequest } from '../port/port.ts';

const never = new AbortController().signal;
const EDGE = 20_037_508.342_789_244;
const metadata = { name: 'Colors', format: 'png', minzoom: '0', maxzoom: '1', bounds: '-180,-85.06,180,85.06' };

const folder = useTemporaryFolder('tile-archives');

const kinds: Readonly<Record<string, (name: string) => Promise<RasterSource>>> = {
  'an MBTiles file with a table': (name) => openMbtiles(name, { tiles: coloredTiles, metadata }),
  'an MBTiles file with a view': (name) => openMbtiles(name, { tiles: coloredTiles, metadata, layout: 'view' }),
  'an MBTiles file without metadata': (name) => openMbtiles(name, { tiles: coloredTiles }),
  'a PMTiles file': (name) => openPmtiles(name, encodePmtiles({ tiles: coloredTiles, tileType: 2 })),
  'a PMTiles file with leaf directories': (name) =>
    openPmtiles(name, encodePmtiles({ tiles: coloredTiles, tileType: 2, leafSize: 2 })),
};

async function openMbtiles(name: string, content: Parameters<typeof writeMbtiles>[1]): Promise<RasterSource> {
  const path = join(folder, `${name}.mbtiles`);
  writeMbtiles(path, content);
  return mbtilesDriver.open(path);
}

async function openPmtiles(name: string, bytes: Uint8Array): Promise<RasterSource> {
  const path = join(folder, `${name}.pmtiles`);
  await writeFile(path, bytes);
  return pmtilesDriver.open(path);
}

/** Reads red, green, blue and alpha of each pixel, row by row. */
async function readPixels(source: RasterSource, name: string, request: WindowRequest): Promise<readonly number[][]> {
  const { bands, width, height } = await source.read(name, request, never);
  return Array.from({ length: width * height }, (_, at) => bands.map(({ samples }) => Number(samples[at])));
}

describe.each(Object.entries(kinds))('%s', (title, open) => {
  const name = title.replaceAll(' ', '-');

  it('is described as one grid with the pixels of the finest zoom, and the coarser zooms as overviews', async () => {
    const source = await open(`${name}-1`);
    const described = await source.describe(`${name}-1`, never);
    await source.close();

    expect(described).toMatchObject({
      grid: { width: 512, height: 512, crs: { code: 'EPSG:3857' } },
      overviews: [{ width: 256, height: 256 }],
      hasMask: false,
    });
    expect(described?.grid.bounds?.minX).toBeCloseTo(-EDGE, 3);
    expect(described?.grid.bounds?.maxY).toBeCloseTo(EDGE, 3);
    expect(described?.bands.map(({ colorInterpretation }) => colorInterpretation)).toEqual([
      'red',
      'green',
      'blue',
      'alpha',
    ]);
  });

  it('reads tiles at their places, and missing tiles as transparent', async () => {
    const source = await open(`${name}-2`);
    const pixels = await readPixels(source, `${name}-2`, { window: { column: 255, row: 255, width: 2, height: 2 } });
    await source.close();

    expect(pixels).toEqual([
      [200, 0, 0, 255],
      [0, 200, 0, 255],
      [0, 0, 200, 255],
      [0, 0, 0, 0],
    ]);
  });

  it('reads a coarser zoom for a small picture', async () => {
    const source = await open(`${name}-3`);
    const pixels = await readPixels(source, `${name}-3`, { size: { width: 2, height: 1 } });
    await source.close();

    expect(pixels).toEqual([
      [10, 10, 10, 255],
      [10, 10, 10, 255],
    ]);
  });
});

describe('the grid of an archive', () => {
  it('starts at a tile within the bounds, whose pixels are in the middle of those of a coarser zoom', async () => {
    const tiles = [
      { z: 3, x: 5, y: 3, bytes: createPngTile([50, 60, 70], 512) },
      { z: 2, x: 2, y: 1, bytes: createPngTile([1, 2, 3], 512) },
    ];
    const bytes = encodePmtiles({ tiles, tileType: 2, bounds: [46, 1, 89, 40] });
    const source = await openPmtiles('part', bytes);
    const described = await source.describe('part', never);
    const coarse = await readPixels(source, 'part', { size: { width: 1, height: 1 }, window: whole(512) });
    const fine = await readPixels(source, 'part', { window: { column: 511, row: 511, width: 1, height: 1 } });
    await source.close();

    expect(described?.grid).toMatchObject({ width: 512, height: 512 });
    expect(described?.grid.bounds?.minX).toBeCloseTo(EDGE / 4, 3);
    expect([coarse, fine]).toEqual([[[1, 2, 3, 255]], [[50, 60, 70, 255]]]);
  });
});

function whole(side: number) {
  return { column: 0, row: 0, width: side, height: side };
}

describe('an archive that is not valid', () => {
  const readProblem = async (open: () => Promise<RasterSource>, name: string): Promise<string> => {
    const source = await open();
    try {
      const [first] = await source.listCoverages(never);
      await source.read(first?.name ?? name, {}, never);
      return 'was read';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await source.close();
    }
  };
  const png = { z: 0, x: 0, y: 0, bytes: createPngTile([1, 1, 1]) };

  it.each([
    ['text', Buffer.from('not an archive'.repeat(20)), 'it is not a PMTiles archive'],
    ['empty', Buffer.alloc(0), 'it is not a PMTiles archive'],
    ['vector', encodePmtiles({ tiles: [png], tileType: 1 }), 'its tiles are vector tiles; create a data store for it'],
    ['unknown', encodePmtiles({ tiles: [png], tileType: 9 }), 'the format of its tiles has the unknown number 9'],
    ['short', encodePmtiles({ tiles: [png], tileType: 2 }).subarray(0, -50), 'is truncated'],
    [
      'svg',
      encodePmtiles({
        tiles: [{ ...png, bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }],
        tileType: 2,
      }),
      'one of its tiles is not a PNG, JPEG, WebP or AVIF image',
    ],
    [
      'sizes',
      encodePmtiles({ tiles: [png, { z: 1, x: 0, y: 0, bytes: createPngTile([1, 1, 1], 128) }], tileType: 2 }),
      'its tiles have different sizes: 256 and 128 by 128 pixels',
    ],
  ])('is rejected with the reason: PMTiles %s', async (name, bytes, message) => {
    expect(await readProblem(() => openPmtiles(`bad-${name}`, bytes), name)).toContain(message);
  });

  it.each([
    ['no tiles', { tiles: [png], sql: 'DROP TABLE tiles' }, "it has no table 'tiles'"],
    [
      'a costly view',
      {
        tiles: [png],
        sql: 'ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS SELECT a.* FROM t a, t b, metadata c',
      },
      "its view 'tiles' cannot find a tile with an index",
    ],
    [
      'a recursive view',
      {
        tiles: [png],
        sql: `ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS WITH RECURSIVE r(zoom_level, tile_column, tile_row, tile_data) AS
          (SELECT 0, 0, 0, NULL UNION ALL SELECT zoom_level + 1, 0, 0, NULL FROM r) SELECT * FROM r`,
      },
      'cannot be read',
    ],
    [
      'a view that calls functions',
      {
        tiles: [png],
        sql: 'ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, randomblob(1000000000) AS tile_data FROM t',
      },
      'cannot be read',
    ],
    ['tiles of text', { tiles: [], sql: "INSERT INTO tiles VALUES (0, 0, 0, 'text')" }, 'does not consist of bytes'],
    ['a huge tile', { tiles: [], sql: 'INSERT INTO tiles VALUES (0, 0, 0, zeroblob(20000000))' }, '20000000 bytes'],
    ['invalid zooms', { tiles: [png], metadata: { ...metadata, minzoom: '5' } }, 'its zoom levels are invalid'],
    ['an unknown format', { tiles: [], metadata: { format: 'gif' } }, "its format is 'gif'"],
  ] as const)('is rejected with the reason: MBTiles with %s', async (name, content, message) => {
    const file = `bad-${name.replaceAll(' ', '-')}`;

    expect(await readProblem(() => openMbtiles(file, content), file)).toContain(message);
  });

  it('is rejected if it is no SQLite database', async () => {
    await writeFile(join(folder, 'bad-text.mbtiles'), 'text'.repeat(100));

    expect(await readProblem(() => mbtilesDriver.open(join(folder, 'bad-text.mbtiles')), 'bad-text')).toContain(
      'it is not an MBTiles file',
    );
  });
});
