/** Damaged archives of vector tiles are problems or are read, but never end the thread or take unusual time. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTownTiles,
  encodeDirectory,
  encodePmtiles,
  encodeVarint,
  joinPmtiles,
  townMetadata,
  writeMbtiles,
} from '../../../test/support/tile-archives.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { mbtilesVectorDriver, pmtilesVectorDriver } from './drivers.ts';
import { openPmtiles } from './pmtiles/pmtiles.ts';

/** Few by default; set `FUZZ_RUNS=5000` for a longer run. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);

const never = new AbortController().signal;
const context = { resolvePath: async (named: string) => named };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-hostile-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Describes and reads a file; returns the code of the problem, or `read`. */
async function readBytes(bytes: Uint8Array, ending: string): Promise<string> {
  const path = join(folder, `damaged.${ending}`);
  await writeFile(path, bytes);
  const source =
    ending === 'pmtiles'
      ? await pmtilesVectorDriver.open({ pmtiles: path }, context)
      : await mbtilesVectorDriver.open({ dbtype: 'mbtiles', database: path }, context);
  try {
    for (const { name } of await source.listTypes(never)) {
      await source.describe(name, never);
      for await (const batch of source.read(name, {}, never)) expect(batch.length).toBeGreaterThan(0);
    }
    return 'read';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  } finally {
    await source.close();
  }
}

const tiles = createTownTiles((bytes) => bytes);

async function createMbtiles(): Promise<Buffer> {
  const path = join(folder, 'whole.mbtiles');
  const { name, ...json } = townMetadata;
  writeMbtiles(path, { tiles, metadata: { name, format: 'pbf', json: JSON.stringify(json) }, layout: 'view' });
  return readFile(path);
}

test.for(['pmtiles', 'mbtiles'])('a damaged %s file is a problem or is read', { timeout: 120_000 }, async (ending) => {
  const whole =
    ending === 'pmtiles'
      ? encodePmtiles({ tiles, tileType: 1, metadata: townMetadata, leafSize: 2 })
      : await createMbtiles();
  const outcomes = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.noBias(fc.nat(9_999)), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (changes, isCut) => {
        const bytes = Uint8Array.from(whole);
        for (const [place, value] of changes) bytes[Math.floor((place / 10_000) * bytes.length)] = value;
        const [[place] = [0]] = changes;
        const outcome = await readBytes(isCut ? bytes.subarray(0, (place / 10_000) * bytes.length) : bytes, ending);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      },
    ),
    { numRuns: RUNS },
  );

  const others = [...outcomes.keys()].filter((each) => each !== 'read' && !each.startsWith('vector-'));
  expect(others).toEqual([]);
  expect(outcomes.get('read') ?? 0).toBeGreaterThan(RUNS / 20);
  expect(RUNS - (outcomes.get('read') ?? 0)).toBeGreaterThan(RUNS / 20);
});

test('leaf directories are kept in memory only up to a number of entries', async () => {
  const count = 600_000;
  const column = (value: number) => Buffer.alloc(count, value);
  const leaf = gzipSync(
    Buffer.concat([Buffer.from(encodeVarint(count)), column(1), column(1), column(100), column(1)]),
  );
  const offsets = [0, leaf.length, 2 * leaf.length];
  const bytes = joinPmtiles({
    root: gzipSync(
      encodeDirectory(offsets.map((offset, tileId) => ({ tileId, runLength: 0, length: leaf.length, offset }))),
    ),
    metadata: gzipSync(JSON.stringify(townMetadata)),
    leaves: Buffer.concat(offsets.map(() => leaf)),
    data: Buffer.alloc(100),
    numbers: [2, 2, 1, 0, 3],
    bounds: [-180, -85, 180, 85],
  });
  const reads: number[] = [];
  const archive = openPmtiles({
    name: 'leaves.pmtiles',
    sizeBytes: bytes.length,
    read: (position, length) => {
      if (length === leaf.length) reads.push(position);
      return bytes.subarray(position, position + length);
    },
    close: () => undefined,
  });
  // The tile ids 1 and 2 are in the second and third leaf.
  const second = { zoom: 1, column: 0, row: 0 };
  const third = { zoom: 1, column: 0, row: 1 };

  for (const position of [second, second, third, second]) expect(archive.readTile(position)?.bytes).toHaveLength(100);

  expect(reads.map((position) => position - (reads[0] ?? 0))).toEqual([0, leaf.length, 0]);
  archive.close();
});

test.for([
  [
    'metadata',
    `ALTER TABLE metadata RENAME TO facts;
     CREATE VIEW metadata AS SELECT a.name, b.value FROM facts a, facts b, facts c WHERE a.name || b.name = c.value`,
  ],
  [
    'tiles',
    `ALTER TABLE tiles RENAME TO t;
     CREATE INDEX by_column ON t (tile_column);
     CREATE INDEX by_row ON t (tile_row);
     CREATE VIEW tiles AS SELECT a.zoom_level, b.tile_column, c.tile_row, a.tile_data FROM t a, t b, t c
       WHERE a.rowid + b.rowid + c.rowid = -1`,
  ],
])('an MBTiles file whose view %s combines all rows of tables is unsupported', async ([view = '', sql = '']) => {
  const path = join(folder, `${view}.mbtiles`);
  await rm(path, { force: true });
  writeMbtiles(path, { tiles, metadata: { format: 'pbf', json: JSON.stringify(townMetadata) }, sql });
  const source = await mbtilesVectorDriver.open({ dbtype: 'mbtiles', database: path }, context);

  await expect(source.listTypes(never)).rejects.toMatchObject({
    code: 'vector-file-unsupported',
    message: expect.stringMatching(`its view '${view}' (?:reads all|can combine many) rows of several tables`),
  });
  await source.close();
});

const joinedTables = `ALTER TABLE tiles RENAME TO t;
  CREATE TABLE map (z INTEGER, c INTEGER, r INTEGER, id TEXT);
  CREATE TABLE images (level INTEGER, id TEXT, image BLOB);
  CREATE INDEX by_place ON map (z, c, r);`;
const selected = 'CREATE VIEW tiles AS SELECT z AS zoom_level, c AS tile_column, r AS tile_row, image AS tile_data';

test.for([
  [
    'an index that is not unique',
    `CREATE INDEX by_id ON images (id); ${selected} FROM map JOIN images ON images.id = map.id`,
    'can combine many rows of several tables',
  ],
  [
    'a part of a unique index',
    `CREATE UNIQUE INDEX by_id ON images (id, level); ${selected} FROM map JOIN images ON images.id = map.id`,
    'can combine many rows of several tables',
  ],
  [
    'null in a unique index',
    `CREATE UNIQUE INDEX by_id ON images (id); ${selected} FROM map JOIN images ON images.id IS map.id`,
    'can combine many rows of several tables',
  ],
  [
    'a function',
    `CREATE UNIQUE INDEX by_id ON images (id);
     CREATE VIEW tiles AS SELECT z AS zoom_level, c AS tile_column, r AS tile_row, instr(image, id) AS tile_data
       FROM map JOIN images USING (id)`,
    'computes values',
  ],
])('an MBTiles file whose view uses %s is unsupported', async ([what = '', sql = '', message = '']) => {
  const path = join(folder, `${what.replaceAll(' ', '-')}.mbtiles`);
  await rm(path, { force: true });
  const facts = { format: 'pbf', json: JSON.stringify(townMetadata) };
  writeMbtiles(path, { tiles, metadata: facts, sql: `${joinedTables} ${sql}` });
  const source = await mbtilesVectorDriver.open({ dbtype: 'mbtiles', database: path }, context);

  await expect(source.listTypes(never)).rejects.toMatchObject({
    code: 'vector-file-unsupported',
    message: expect.stringContaining(message),
  });
  await source.close();
});

test.for([
  [
    'by a unique index of two columns',
    `CREATE UNIQUE INDEX by_id ON images (level, id);
     ${selected} FROM map JOIN images ON images.id = map.id AND images.level = map.z`,
  ],
  [
    'by the primary key of a table without row ids',
    `CREATE TABLE shallow (z INTEGER, c INTEGER, r INTEGER, id INTEGER, PRIMARY KEY (z, c, r)) WITHOUT ROWID;
     INSERT INTO shallow SELECT z, c, r, rowid FROM map;
     ${selected} FROM shallow JOIN images ON images.rowid = shallow.id`,
  ],
])('an MBTiles file whose view joins %s is read', async ([what = '', sql = '']) => {
  const path = join(folder, `${what.replaceAll(' ', '-')}.mbtiles`);
  await rm(path, { force: true });
  const filled = `${joinedTables}
    INSERT INTO map SELECT zoom_level, tile_column, tile_row, rowid FROM t;
    INSERT INTO images SELECT zoom_level, rowid, tile_data FROM t;`;
  const facts = { format: 'pbf', json: JSON.stringify(townMetadata) };
  writeMbtiles(path, { tiles, metadata: facts, sql: `${filled} ${sql}` });
  const source = await mbtilesVectorDriver.open({ dbtype: 'mbtiles', database: path }, context);

  expect(await source.listTypes(never)).not.toEqual([]);
  await source.close();
});
