/** Archives of vector tiles as vector sources. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import {
  createTownTiles,
  encodeDirectory,
  encodeMvt,
  encodePmtiles,
  encodeVarint,
  joinPmtiles,
  type SampleTile,
  townMetadata,
  writeMbtiles,
} from '../../../test/support/tile-archives.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { DriverContext } from '../port/driver.ts';
import type { Feature, SourceQuery, VectorSource } from '../port/port.ts';
import { createBoxFilter } from '../query/box-filter.ts';
import { mbtilesVectorDriver, pmtilesVectorDriver } from './drivers.ts';

const never = new AbortController().signal;
const EDGE = 20_037_508.342_789_244;
const folder = useTemporaryFolder('vector-archives');
const context: DriverContext = { resolvePath: async (named) => named };
let count = 0;

async function openPmtiles(bytes: Uint8Array): Promise<VectorSource> {
  count += 1;
  const path = join(folder, `${count}.pmtiles`);
  await writeFile(path, bytes);
  return pmtilesVectorDriver.open({ pmtiles: path }, context);
}

function openMbtiles(content: Parameters<typeof writeMbtiles>[1]): Promise<VectorSource> {
  count += 1;
  const path = join(folder, `${count}.mbtiles`);
  writeMbtiles(path, content);
  return mbtilesVectorDriver.open({ dbtype: 'mbtiles', database: path }, context);
}

const { name, ...json } = townMetadata;
const asText = { name, format: 'pbf', minzoom: '0', maxzoom: '1', json: JSON.stringify(json) };
const pack = (bytes: Buffer) => gzipSync(bytes);
const keep = (bytes: Buffer) => bytes;

const kinds: Readonly<Record<string, () => Promise<VectorSource>>> = {
  'PMTiles with gzip': () =>
    openPmtiles(encodePmtiles({ tiles: createTownTiles(pack), tileType: 1, isPacked: true, metadata: townMetadata })),
  'PMTiles without compression': () =>
    openPmtiles(encodePmtiles({ tiles: createTownTiles(keep), tileType: 1, metadata: townMetadata, leafSize: 1 })),
  'MBTiles with gzip': () => openMbtiles({ tiles: createTownTiles(pack), metadata: asText, layout: 'view' }),
  'MBTiles without compression': () => openMbtiles({ tiles: createTownTiles(keep), metadata: asText }),
};

async function select(source: VectorSource, type: string, query: SourceQuery): Promise<readonly Feature[]> {
  const selection = await source.select?.(type, query, never);
  const features: Feature[] = [];
  for await (const batch of selection?.batches ?? []) features.push(...batch);
  return features;
}

describe.each(Object.entries(kinds))('%s', (_, open) => {
  it('has one type for each layer, with the attributes of the metadata', async () => {
    const source = await open();

    expect(await source.listTypes(never)).toEqual([
      { name: 'areas', hasGeometry: true },
      { name: 'towns', hasGeometry: true },
    ]);
    expect(await source.describe('towns', never)).toMatchObject({
      defaultGeometry: 'geometry',
      attributes: [
        { name: 'geometry', kind: 'geometry', type: 'Geometry', crs: { code: 'EPSG:3857' } },
        { name: 'name', type: 'string' },
        { name: 'people', type: 'double' },
        { name: 'harbour', type: 'boolean' },
      ],
    });
    expect((await source.describe('areas', never))?.attributes[0]).toMatchObject({ type: 'MultiPolygon' });
    expect(await source.describe('roads', never)).toBeUndefined();
  });

  it('reads the finest zoom without a resolution, and each point once', async () => {
    const features = await select(await open(), 'towns', {});

    expect(features.map(({ id, values: [, ...values] }) => [id, ...values])).toEqual([
      ['towns.1-0-0-0', 'Aden', 100, true],
      ['towns.1-0-0-1', 'Bonn', 20, false],
      ['towns.1-1-0-0', 'Cork', 60, true],
    ]);
    const [first] = features;
    const point = first?.values[0] as Geometry | undefined;
    expect([...(point?.ordinates ?? [])]).toEqual([-EDGE / 2, EDGE / 2]);
  });

  it('reads the zoom of a resolution', async () => {
    const features = await select(await open(), 'towns', { resolution: (2 * EDGE) / 256 });

    expect(features.map(({ id }) => id)).toEqual(['towns.0-0-0-0']);
  });

  it('reads the tiles of a box and of ids only', async () => {
    const source = await open();
    const box = createBoxFilter('geometry', { minX: 1e6, minY: 1e6, maxX: 2e6, maxY: 2e6 });
    const inBox = await select(source, 'towns', { filter: box });
    const byId = await select(source, 'towns', {
      filter: { kind: 'identifiers', identifiers: ['towns.0-0-0-0', 'towns.9-9', 'x'] },
    });

    expect(inBox.map(({ id }) => id)).toEqual(['towns.1-1-0-0']);
    expect(byId.map(({ id }) => id)).toEqual(['towns.0-0-0-0']);
  });

  it('cuts polygons to their tile', async () => {
    const [world] = await select(await open(), 'areas', { resolution: (2 * EDGE) / 256 });
    const geometry = world?.values[0] as Geometry | undefined;
    const ordinates = geometry?.ordinates ?? [];

    expect(geometry?.type).toBe('MultiPolygon');
    expect([Math.min(...ordinates), Math.max(...ordinates)]).toEqual([-EDGE, EDGE]);
  });
});

describe('an archive without the layers in its metadata', () => {
  it('has the layers and attributes of a tile', async () => {
    const source = await openPmtiles(encodePmtiles({ tiles: createTownTiles(keep), tileType: 1 }));

    expect((await source.listTypes(never)).map((type) => type.name)).toEqual(['areas', 'towns']);
    expect((await source.describe('towns', never))?.attributes.map((each) => [each.name, each.type])).toEqual([
      ['geometry', 'Geometry'],
      ['name', 'string'],
      ['people', 'double'],
      ['harbour', 'boolean'],
    ]);
  });
});

describe('shapes', () => {
  const read = async (tile: Buffer) => {
    const source = await openPmtiles(encodePmtiles({ tiles: [{ z: 0, x: 0, y: 0, bytes: tile }], tileType: 1 }));
    return (await select(source, 'shapes', {})).map(({ values }) => values[0] as Geometry);
  };

  it('are lines that are cut where they leave the tile', async () => {
    const line = [-100, 2_048, 2_048, 2_048, 2_048, 5_000, 3_000, 5_000, 3_000, 2_048];
    const [found] = await read(encodeMvt({ shapes: [{ kind: 'line', paths: [line] }] }));

    expect([found?.type, found?.ends]).toEqual(['MultiLineString', [3, 5]]);
    expect([...(found?.ordinates ?? [])].slice(0, 4)).toEqual([-EDGE, 0, 0, 0]);
    expect([...(found?.ordinates ?? [])].slice(6, 8).map(Math.round)).toEqual([
      Math.round((3_000 / 2_048 - 1) * EDGE),
      Math.round(-EDGE),
    ]);
  });

  it('are polygons with holes, which have the opposite direction', async () => {
    const outer = [0, 0, 1_000, 0, 1_000, 1_000, 0, 1_000];
    const hole = [100, 100, 100, 200, 200, 200, 200, 100];
    const second = [2_000, 2_000, 3_000, 2_000, 3_000, 3_000, 2_000, 3_000];
    const [found] = await read(encodeMvt({ shapes: [{ kind: 'polygon', paths: [outer, hole, second] }] }));

    expect([found?.type, found?.ends, found?.parts]).toEqual(['MultiPolygon', [5, 10, 15], [2, 3]]);
  });

  it('are left out if they are outside of the tile or have no area', async () => {
    const outside = [-90, -90, -10, -90, -10, -10];
    const flat = [0, 0, 100, 100, 0, 0];

    expect(
      await read(
        encodeMvt({
          shapes: [
            { kind: 'polygon', paths: [outside] },
            { kind: 'polygon', paths: [flat] },
          ],
        }),
      ),
    ).toEqual([]);
  });
});

describe('a hostile archive', () => {
  const tile = (bytes: Uint8Array): SampleTile => ({ z: 0, x: 0, y: 0, bytes });
  const metadata = gzipSync(JSON.stringify(townMetadata));
  const parts = { metadata, leaves: Buffer.alloc(0), data: Buffer.alloc(100), bounds: [-180, -85, 180, 85] } as const;
  const joinParts = (changes: Partial<Parameters<typeof joinPmtiles>[0]>) =>
    joinPmtiles({ root: gzipSync(encodeDirectory([])), numbers: [2, 2, 1, 0, 0], ...parts, ...changes });
  const entry = { tileId: 0, runLength: 1, length: 100, offset: 0 };
  const loop = gzipSync(encodeDirectory([{ ...entry, runLength: 0, length: 60 }]));
  const bomb = gzipSync(Buffer.alloc(40_000_000));

  it.each([
    ['a directory with a billion entries', joinParts({ root: gzipSync(Buffer.from(encodeVarint(1e9))) })],
    ['a directory that is not compressed', joinParts({ root: Buffer.from('text') })],
    ['a directory that expands to 40 MB', joinParts({ root: bomb })],
    ['metadata that expands to 40 MB', joinParts({ metadata: bomb })],
    ['metadata that is no JSON', joinParts({ metadata: gzipSync('{') })],
    [
      'leaf directories in a loop',
      joinParts({ root: gzipSync(encodeDirectory([{ ...entry, runLength: 0, length: loop.length }])), leaves: loop }),
    ],
    ['a tile of a gigabyte', joinParts({ root: gzipSync(encodeDirectory([{ ...entry, length: 1e9 }])) })],
    ['a tile beyond the end of the file', joinParts({ root: gzipSync(encodeDirectory([{ ...entry, offset: 1e12 }])) })],
    [
      'a tile that expands to 40 MB',
      encodePmtiles({ tiles: [tile(bomb)], tileType: 1, isPacked: true, metadata: townMetadata }),
    ],
    [
      'a tile that is cut',
      encodePmtiles({ tiles: [tile(encodeMvt({ towns: [] }).subarray(0, 5))], tileType: 1, metadata: townMetadata }),
    ],
    [
      'a tile whose feature has a command with half a billion steps',
      encodePmtiles({
        tiles: [tile(Buffer.from([0x1a, 15, 0x0a, 5, ...Buffer.from('towns'), 0x12, 6, 0x18, 2, 0x22, 2, 0xfa, 0x7f]))],
        tileType: 1,
        metadata: townMetadata,
      }),
    ],
    ['an unknown compression', joinParts({ numbers: [9, 1, 1, 0, 0] })],
    ['images', joinParts({ numbers: [2, 1, 2, 0, 0] })],
  ])('is rejected: %s', async (_, bytes) => {
    const source = await openPmtiles(bytes);

    await expect(select(source, 'towns', {})).rejects.toMatchObject({
      code: expect.stringMatching(/^vector-file-(?:unreadable|unsupported|truncated)$/),
    });
  });
});
