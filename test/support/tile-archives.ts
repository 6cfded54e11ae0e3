/** Writes small tile archives for tests, with another implementation than the one that reads them. */
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import { pngBytes } from './png-bytes.ts';

export interface SampleTile {
  readonly z: number;
  readonly x: number;
  /** Counted from the north. */
  readonly y: number;
  readonly bytes: Uint8Array;
}

/** An opaque tile of one color. */
export function createPngTile([red, green, blue]: readonly [number, number, number], size = 256): Buffer {
  const color = [red, green, blue];
  return pngBytes(size, size, 3, (index) => color[index % 3] ?? 0);
}

export interface MbtilesContent {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly tiles: readonly SampleTile[];
  /** `view` stores equal tiles once, as many writers do; the default is a table. */
  readonly layout?: 'table' | 'view';
  /** Statements at the end. */
  readonly sql?: string;
}

export function writeMbtiles(path: string, { metadata = {}, tiles, layout = 'table', sql }: MbtilesContent): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE metadata (name text, value text)');
  const insertMetadata = database.prepare('INSERT INTO metadata VALUES (?, ?)');
  for (const [name, value] of Object.entries(metadata)) insertMetadata.run(name, value);
  if (layout === 'table') {
    database.exec(`CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)`);
    const insert = database.prepare('INSERT INTO tiles VALUES (?, ?, ?, ?)');
    for (const { z, x, y, bytes } of tiles) insert.run(z, x, 2 ** z - 1 - y, bytes);
  } else {
    database.exec(`CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id text);
      CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
      CREATE TABLE images (tile_data blob, tile_id text);
      CREATE UNIQUE INDEX images_id ON images (tile_id);
      CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
        map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id`);
    const insertTile = database.prepare('INSERT INTO map VALUES (?, ?, ?, ?)');
    const insertImage = database.prepare('INSERT OR IGNORE INTO images VALUES (?, ?)');
    for (const { z, x, y, bytes } of tiles) {
      const id = Buffer.from(bytes).toString('base64');
      insertTile.run(z, x, 2 ** z - 1 - y, id);
      insertImage.run(bytes, id);
    }
  }
  if (sql !== undefined) database.exec(sql);
  database.close();
}

/** A number of PMTiles with a variable length. */
export function encodeVarint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

export interface PmtilesEntry {
  readonly tileId: number;
  readonly runLength: number;
  readonly length: number;
  readonly offset: number;
}

export function encodeDirectory(entries: readonly PmtilesEntry[]): Buffer {
  return Buffer.from([
    ...encodeVarint(entries.length),
    ...entries.flatMap(({ tileId }, at) => encodeVarint(tileId - (entries[at - 1]?.tileId ?? 0))),
    ...entries.flatMap(({ runLength }) => encodeVarint(runLength)),
    ...entries.flatMap(({ length }) => encodeVarint(length)),
    ...entries.flatMap(({ offset }) => encodeVarint(offset + 1)),
  ]);
}

export interface PmtilesContent {
  readonly tiles: readonly SampleTile[];
  /** The number in the header: 1 for vector tiles, 2 for PNG. */
  readonly tileType: number;
  /** Whether tiles are compressed with gzip. */
  readonly isPacked?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly bounds?: readonly [number, number, number, number];
  /** The number of tiles of each leaf directory; without, all are in the root directory. */
  readonly leafSize?: number;
}

export function encodePmtiles(content: PmtilesContent): Buffer {
  const { tiles, tileType, isPacked = false, metadata = {}, bounds = [-180, -85, 180, 85], leafSize } = content;
  const sorted = tiles
    .map(({ z, x, y, bytes }) => ({ tileId: zxyToTileId(z, x, y), bytes }))
    .sort((one, other) => one.tileId - other.tileId);
  let offset = 0;
  const entries: PmtilesEntry[] = sorted.map(({ tileId, bytes }) => {
    const entry = { tileId, runLength: 1, length: bytes.length, offset };
    offset += bytes.length;
    return entry;
  });
  const leaves: Buffer[] = [];
  let root = encodeDirectory(entries);
  if (leafSize !== undefined) {
    const pointers: PmtilesEntry[] = [];
    let leafOffset = 0;
    for (let at = 0; at < entries.length; at += leafSize) {
      const leaf = gzipSync(encodeDirectory(entries.slice(at, at + leafSize)));
      pointers.push({ tileId: entries[at]?.tileId ?? 0, runLength: 0, length: leaf.length, offset: leafOffset });
      leaves.push(leaf);
      leafOffset += leaf.length;
    }
    root = encodeDirectory(pointers);
  }
  const zooms = tiles.map(({ z }) => z);
  return joinPmtiles({
    root: gzipSync(root),
    metadata: gzipSync(JSON.stringify(metadata)),
    leaves: Buffer.concat(leaves),
    data: Buffer.concat(sorted.map(({ bytes }) => bytes)),
    numbers: [2, isPacked ? 2 : 1, tileType, Math.min(...zooms), Math.max(...zooms)],
    bounds,
  });
}

export interface PmtilesParts {
  readonly root: Uint8Array;
  readonly metadata: Uint8Array;
  readonly leaves: Uint8Array;
  readonly data: Uint8Array;
  /** The compression of directories and of tiles, the tile type, and the zooms. */
  readonly numbers: readonly [number, number, number, number, number];
  readonly bounds: readonly [number, number, number, number];
}

export function joinPmtiles({ root, metadata, leaves, data, numbers, bounds }: PmtilesParts): Buffer {
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  let offset = header.length;
  for (const [index, { length }] of [root, metadata, leaves, data].entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + index * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + index * 16);
    offset += length;
  }
  header[96] = 1;
  header.set(numbers, 97);
  for (const [index, degrees] of bounds.entries())
    header.writeInt32LE(Math.round(degrees * 10_000_000), 102 + index * 4);
  return Buffer.concat([header, root, metadata, leaves, data]);
}

/** Four tiles of zoom 1 in different colors, and one of zoom 0. */
export const coloredTiles: readonly SampleTile[] = [
  { z: 0, x: 0, y: 0, bytes: createPngTile([10, 10, 10]) },
  { z: 1, x: 0, y: 0, bytes: createPngTile([200, 0, 0]) },
  { z: 1, x: 1, y: 0, bytes: createPngTile([0, 200, 0]) },
  { z: 1, x: 0, y: 1, bytes: createPngTile([0, 0, 200]) },
];

export interface SampleFeature {
  readonly kind: 'point' | 'line' | 'polygon';
  /** Alternating x and y in units of the tile; rings are open. */
  readonly paths: readonly (readonly number[])[];
  readonly properties?: Readonly<Record<string, string | number | boolean>>;
}

/** Encodes a Mapbox vector tile with an extent of 4,096. */
export function encodeMvt(layers: Readonly<Record<string, readonly SampleFeature[]>>): Buffer {
  return Buffer.concat(
    Object.entries(layers).map(([name, features]) => encodeField(3, encodeMvtLayer(name, features))),
  );
}

function encodeMvtLayer(name: string, features: readonly SampleFeature[]): Buffer {
  const keys: string[] = [];
  const values: (string | number | boolean)[] = [];
  const indexOf = <T>(list: T[], item: T) => (list.includes(item) ? list.indexOf(item) : list.push(item) - 1);
  const encoded = features.map(({ kind, paths, properties = {} }) => {
    const tags = Object.entries(properties).flatMap(([key, value]) => [indexOf(keys, key), indexOf(values, value)]);
    return encodeField(
      2,
      Buffer.concat([
        encodeField(2, Buffer.from(tags.flatMap((tag) => encodeVarint(tag)))),
        Buffer.from([3 * 8, ['point', 'line', 'polygon'].indexOf(kind) + 1]),
        encodeField(4, Buffer.from(encodeCommands(kind, paths).flatMap((number) => encodeVarint(number)))),
      ]),
    );
  });
  return Buffer.concat([
    Buffer.from([15 * 8, 2]),
    encodeField(1, Buffer.from(name)),
    ...encoded,
    ...keys.map((key) => encodeField(3, Buffer.from(key))),
    ...values.map((value) => encodeField(4, encodeMvtValue(value))),
    Buffer.from([5 * 8, ...encodeVarint(4_096)]),
  ]);
}

function encodeCommands(kind: SampleFeature['kind'], paths: SampleFeature['paths']): readonly number[] {
  let [lastX, lastY] = [0, 0];
  const encodeSteps = (ordinates: readonly number[]) => {
    const steps: number[] = [];
    for (let at = 0; at < ordinates.length; at += 2) {
      const [x = 0, y = 0] = ordinates.slice(at, at + 2);
      steps.push(zigzag(x - lastX), zigzag(y - lastY));
      [lastX, lastY] = [x, y];
    }
    return steps;
  };
  return paths.flatMap((path) => {
    if (kind === 'point') return [1 + 8 * (path.length / 2), ...encodeSteps(path)];
    const head = [1 + 8, ...encodeSteps(path.slice(0, 2))];
    const line = [...head, 2 + 8 * (path.length / 2 - 1), ...encodeSteps(path.slice(2))];
    return kind === 'line' ? line : [...line, 7 + 8];
  });
}

function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

function encodeMvtValue(value: string | number | boolean): Buffer {
  if (typeof value === 'string') return encodeField(1, Buffer.from(value));
  if (typeof value === 'boolean') return Buffer.from([7 * 8, value ? 1 : 0]);
  const bytes = Buffer.alloc(9);
  bytes[0] = 3 * 8 + 1;
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function encodeField(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...encodeVarint(number * 8 + 2), ...encodeVarint(bytes.length)]), bytes]);
}

/** The metadata of `townTiles`. */
export const townMetadata = {
  name: 'Towns',
  attribution: '<a href="https://example.org">&copy; Surveyors</a>',
  vector_layers: [
    { id: 'towns', fields: { name: 'String', people: 'Number', harbour: 'Boolean' } },
    { id: 'areas', description: 'Land', fields: { name: 'String' } },
  ],
  tilestats: { layers: [{ layer: 'areas', geometry: 'Polygon' }] },
};

/** One town in the north-west at zoom 0, three at zoom 1, and an area in the whole world. */
export function createTownTiles(pack: (bytes: Buffer) => Uint8Array): readonly SampleTile[] {
  const whole = { kind: 'polygon', paths: [[-64, -64, 4_160, -64, 4_160, 4_160, -64, 4_160]] } as const;
  const town = (name: string, x: number, y: number, people: number) =>
    ({ kind: 'point', paths: [[x, y]], properties: { name, people, harbour: people > 50 } }) as const;
  const areas = [{ ...whole, properties: { name: 'world' } }];
  return [
    { z: 0, x: 0, y: 0, bytes: pack(encodeMvt({ towns: [town('Aden', 1_024, 1_024, 100)], areas })) },
    {
      ...{ z: 1, x: 0, y: 0 },
      bytes: pack(encodeMvt({ towns: [town('Aden', 2_048, 2_048, 100), town('Bonn', 1_000, 3_000, 20)], areas })),
    },
    // The second one is in the margin, and belongs to the tile in the west.
    {
      ...{ z: 1, x: 1, y: 0 },
      bytes: pack(encodeMvt({ towns: [town('Cork', 2_048, 2_048, 60), town('Bonn', -20, 3_000, 20)], areas })),
    },
  ];
}
