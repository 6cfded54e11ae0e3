import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import {
  makeRoads,
  openAsWriter,
  pointAttribute,
  pointBlob,
  valueAttribute,
} from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readAllFeatures } from '../../../test/support/vector-reading.ts';
import type { Feature, VectorSource } from '../port/port.ts';

const folder = useTemporaryFolder('writable-table');
const never = new AbortController().signal;
const point = { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(5, 6), ends: [], parts: [] } as const;

async function append(source: VectorSource, name = 'roads'): Promise<void> {
  async function* batches(): AsyncGenerator<readonly Feature[]> {
    yield [{ id: 'one', values: [point, 'second'] }];
  }
  const session = await source.startWriting?.(never);
  if (session === undefined) throw new Error('The source is read-only.');
  try {
    const attributes = [pointAttribute, valueAttribute('name', 'string')];
    await session.write({ name, attributes, batches: batches() }, 'append');
    await session.commit();
  } catch (error) {
    await session.rollback();
    throw error;
  }
}

const makeAnew = (columns: string) =>
  `DROP TABLE roads; CREATE TABLE roads (fid INTEGER PRIMARY KEY, geom POINT, name TEXT ${columns}`;

test.for([
  ['a custom trigger', 'CREATE TRIGGER mine AFTER INSERT ON roads BEGIN DELETE FROM roads; END', 'mine'],
  [
    'a trigger named like one of an index on another table',
    'CREATE TABLE t (a); CREATE TRIGGER rtree_other_geom_insert AFTER INSERT ON roads BEGIN DELETE FROM roads; END',
    'rtree_other_geom_insert',
  ],
  [
    'a trigger on its catalogue',
    'CREATE TRIGGER c AFTER UPDATE ON gpkg_contents BEGIN DELETE FROM roads; END',
    'nonstandard GeoPackage structure',
  ],
  ['a check that exhausts memory', makeAnew('CHECK (length(hex(randomblob(1000000000))) > 0))'), 'randomblob'],
  ['a default that exhausts memory', makeAnew(', more BLOB DEFAULT (zeroblob(1000000000)))'), 'zeroblob'],
  ['a quoted function name', makeAnew(`CHECK ("randomblob"(1000000000) IS NOT NULL))`), 'calls functions'],
  ['an index on a computed expression', 'CREATE INDEX i ON roads (hex(zeroblob(10)))', 'zeroblob'],
] as const)('a table with %s rejects new features and keeps the existing ones', async ([, change, message]) => {
  const { source } = await makeRoads(folder, change);

  await expect(append(source)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
});

test('a view rejects new features', async () => {
  const { source } = await makeRoads(
    folder,
    `CREATE VIEW seen AS SELECT fid, geom, name FROM roads;
     INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES ('seen', 'features', 'seen')`,
  );

  await expect(append(source, 'seen')).rejects.toMatchObject({ code: 'import-refused' });
});

test('ordinary constraints, keys and indexes are supported', async () => {
  const { source } = await makeRoads(
    folder,
    `${makeAnew(`VARCHAR(20) CHECK (length("name") < 20), "a(b" DECIMAL(5, 2) DEFAULT 1, at DATETIME DEFAULT (strftime('%Y', 'now')),
     CONSTRAINT "u" UNIQUE ("name"), FOREIGN KEY ("a(b") REFERENCES "gpkg_contents" ("table_name"))`)}; CREATE INDEX i ON roads (name, "a(b")`,
  );

  await append(source);

  expect((await readAllFeatures(source, 'roads')).map(({ values }) => values.slice(0, 3))).toEqual([
    [point, 'second', 1],
  ]);
  await expect(append(source)).rejects.toMatchObject({
    code: 'feature-refused',
    message: expect.stringContaining('unique column already exists'),
  });
});

test('index triggers are restored unchanged and keep the index correct for other programs', async () => {
  const { path, source } = await makeRoads(folder);
  const triggers = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const found = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").all();
    database.close();
    return found.map((row) => ({ ...row }));
  };
  const before = triggers();

  await append(source);

  expect(triggers()).toEqual(before);
  const database = openAsWriter(path);
  database.prepare('INSERT INTO roads (geom, name) VALUES (?, ?)').run(pointBlob(8, 9), 'third');
  const index = database.prepare('SELECT id, minx, maxy FROM rtree_roads_geom ORDER BY id').all();
  database.close();
  expect(index.map((row) => ({ ...row }))).toEqual([
    { id: 1, minx: 1, maxy: 2 },
    { id: 2, minx: 5, maxy: 6 },
    { id: 3, minx: 8, maxy: 9 },
  ]);
});

test('a large table is emptied in portions that let other requests run', async () => {
  const { path, source } = await makeRoads(
    folder,
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO roads (name) SELECT i FROM n',
  );
  const turns: number[] = [];
  async function* batches(): AsyncGenerator<readonly Feature[]> {
    turns.push(progress.length);
    yield [{ id: 'one', values: [point, 'new'] }];
  }
  const progress: true[] = [];
  const session = await source.startWriting?.(never);
  const attributes = [pointAttribute, valueAttribute('name', 'string')];

  await session?.write(
    { name: 'roads', attributes, batches: batches(), progress: () => progress.push(true) },
    'overwrite',
  );
  await session?.commit();

  expect(turns).toEqual([2]);
  const database = new DatabaseSync(path);
  expect(database.prepare('SELECT name FROM roads').all()).toEqual([{ name: 'new' }]);
  database.close();
});
