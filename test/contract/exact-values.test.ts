/** Microsecond times and long decimals are exact in responses and in filters. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEcqlFor } from '../../src/filter/resolve/resolve.ts';
import { outputFormats } from '../../src/formats/formats.ts';
import { createFilterSchema } from '../../src/vector/port/filter-schema.ts';
import type { Feature, FeatureTypeDescription, SortKey, Value, VectorSource } from '../../src/vector/port/port.ts';
import { finishSelection, selectFrom } from '../../src/vector/query/finish-selection.ts';
import { makeRoads, openAsWriter, pointBlob } from '../support/geopackages.ts';
import { openMysql } from '../support/mysql-sources.ts';
import { openPostgis } from '../support/postgis-sources.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { describeWithMariadb } from '../support/with-mariadb.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const never = new AbortController().signal;

/** The times of rows 1 to 5 in every source. */
const moments = [
  '2024-03-01T12:00:00.123455Z',
  '2024-03-01T12:00:00.123456Z',
  '2024-03-01T12:00:00.123457Z',
  '2024-03-01T12:00:00.123Z',
  '2024-03-01T12:00:00Z',
];

const timeFilters: readonly [filter: string, rows: readonly number[]][] = [
  ["at = '2024-03-01T12:00:00.123456Z'", [2]],
  ["at = '2024-03-01T13:00:00.123456+01:00'", [2]],
  ["at = '2024-03-01T12:00:00.1234560Z'", [2]],
  ["at = '2024-03-01T12:00:00.1234565Z'", []],
  ["at = '2024-03-01T12:00:00.123Z'", [4]],
  ["at <> '2024-03-01T12:00:00.123456Z'", [1, 3, 4, 5]],
  ["at > '2024-03-01T12:00:00.123455Z'", [2, 3]],
  ["at >= '2024-03-01T12:00:00.1234565Z'", [3]],
  ["at <= '2024-03-01T12:00:00.123Z'", [4, 5]],
  ["at IN ('2024-03-01T12:00:00.123457Z', '2024-03-01T12:00:00Z')", [3, 5]],
  ["at BETWEEN '2024-03-01T12:00:00.123456Z' AND '2024-03-01T12:00:00.123456Z'", [2]],
  ['at AFTER 2024-03-01T12:00:00.123456Z', [3]],
  ['at DURING 2024-03-01T12:00:00.123455Z/PT1S', [2, 3]],
  ['at DURING PT1S/2024-03-01T12:00:00.123456Z', [1, 4, 5]],
  ["strLength(name) > 0 AND at < '2024-03-01T12:00:00.123456Z'", [1, 4, 5]],
];

/** The decimals of rows 1 to 5 in sources that support decimals. */
const decimals = [
  '0.10000000000000000001',
  '0.1',
  '123456789012345678901234567890.5',
  '-9007199254740993.25',
  '9007199254740993',
];

const decimalFilters: readonly [filter: string, rows: readonly number[]][] = [
  ['amount = 0.1', [2]],
  ['amount = 0.10000000000000000000', [2]],
  ['amount = 0.10000000000000000001', [1]],
  ['amount <> 0.10000000000000000001', [2, 3, 4, 5]],
  ['amount > 0.1', [1, 3, 5]],
  ['amount = 9007199254740993', [5]],
  ['amount = 9007199254740992', []],
  ['amount < -9007199254740993.2', [4]],
  ['amount >= 123456789012345678901234567890.5', [3]],
  ['amount > 123456789012345678901234567890.5', []],
  ['amount > 1.2e29', [3]],
  ['amount IN (0.10000000000000000001, 9007199254740993.0)', [1, 5]],
  ['amount BETWEEN 0.1 AND 0.10000000000000000001', [1, 2]],
  ['amount = fine', [1, 5]],
  ['strLength(name) > 0 AND amount = 0.10000000000000000001', [1]],
];

interface Opened {
  readonly source: VectorSource;
  readonly description: FeatureTypeDescription;
}

async function opened(source: VectorSource, name: string): Promise<Opened> {
  const description = await source.describe(name, never);
  if (description === undefined) throw new Error(`There is no type '${name}'.`);
  return { source, description };
}

/** Evaluated by the source as far as it can filter and sort, or entirely in memory. */
async function rowsThatFit(
  { source, description }: Opened,
  by: 'source' | 'memory',
  query: { readonly filter?: string; readonly sort?: readonly SortKey[] },
): Promise<readonly number[]> {
  const { attributes, name } = description;
  const plain: VectorSource = {
    listTypes: source.listTypes,
    describe: source.describe,
    read: (of, asked, signal) => source.read(of, asked, signal),
    close: source.close,
  };
  const read = query.filter === undefined ? undefined : await readEcqlFor(query.filter, createFilterSchema(attributes));
  if (read?.kind === 'refused') throw new Error(read.complaint.message);
  const sourceQuery = {
    ...(read === undefined ? {} : { filter: read.value }),
    ...(query.sort === undefined ? {} : { sort: query.sort }),
  };
  const selection = await selectFrom(by === 'source' ? source : plain, name, sourceQuery, never);
  const found: number[] = [];
  for await (const batch of finishSelection(selection, { attributes, signal: never })) {
    for (const { id } of batch) found.push(Number(id.slice(id.lastIndexOf('.') + 1)));
  }
  return query.sort === undefined ? found.toSorted((one, other) => one - other) : found;
}

async function document({ source, description }: Opened, format: 'wfs-geojson' | 'gml32' | 'csv'): Promise<string> {
  const encoder = await outputFormats[format].load();
  const batches: AsyncIterable<readonly Feature[]> = source.read(description.name, {}, never);
  const sets = [
    {
      typeName: { prefix: 'w', uri: 'http://w', local: description.name },
      description,
      crs: { reference: { code: 'EPSG:4326' }, isNorthFirst: false },
      batches,
    },
  ];
  const collection = { sets, timeStamp: new Date(0), links: () => [], schemaLocations: [], options: { decimals: 8 } };
  const pieces: Uint8Array[] = [];
  for await (const piece of encoder.encode(collection, never)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Opened once, before the tests of a source. */
function open(make: () => Promise<Opened>): () => Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await make();
  });
  afterAll(() => opened?.source.close());
  return () => opened ?? expect.fail('it is opened before the tests');
}

function timesAreExact(rows: () => Opened): void {
  test.each(['wfs-geojson', 'gml32', 'csv'] as const)('times are written to %s without loss', async (format) => {
    const text = await document(rows(), format);

    expect(text.match(/2024-03-01T12:00:00[.\d]*Z/g)).toEqual(moments);
  });

  for (const by of ['source', 'memory'] as const) {
    test.each(timeFilters)(`filtering in the ${by}, %s finds the rows %j`, async (filter, expected) => {
      expect(await rowsThatFit(rows(), by, { filter })).toEqual(expected);
    });

    test(`sorting in the ${by} orders times chronologically`, async () => {
      expect(await rowsThatFit(rows(), by, { sort: [{ attribute: 'at' }] })).toEqual([5, 4, 1, 2, 3]);
    });
  }
}

/** Returns the values of a feature as the source reads them right after the insert. */
async function writtenAndRead(
  { source, description }: Opened,
  values: Readonly<Record<string, Value>>,
): Promise<readonly unknown[]> {
  const attributes = description.attributes.filter(({ name }) => Object.hasOwn(values, name));
  const session = await source.startWriting?.(never);
  const feature = { attributes, values: attributes.map(({ name }) => values[name] ?? null) };
  try {
    const identifiers = (await session?.insert(description.name, [feature])) ?? [];
    const found = await session?.find(description.name, { kind: 'identifiers', identifiers });
    return found?.[0]?.values ?? [];
  } finally {
    await session?.rollback();
  }
}

describe('exact values in a GeoPackage', () => {
  const folder = useTemporaryFolder('exact-values');
  const rows = open(async () => {
    const { path, source } = await makeRoads(folder, 'DELETE FROM roads; ALTER TABLE roads ADD COLUMN at DATETIME');
    const database = openAsWriter(path);
    const insert = database.prepare('INSERT INTO roads (fid, geom, name, at) VALUES (?, ?, ?, ?)');
    for (const [index, at] of moments.entries()) insert.run(index + 1, pointBlob(0, 0), 'a', at);
    database.close();
    return opened(source, 'roads');
  });

  timesAreExact(rows);

  test('a written time is read back unchanged', async () => {
    expect(await writtenAndRead(rows(), { at: '2024-03-01T12:00:00.654321Z' })).toContain(
      '2024-03-01T12:00:00.654321Z',
    );
  });
});

describeWithPostgis('exact values in PostGIS', (postgis) => {
  const rows = open(async () => {
    await postgis.query(`CREATE SCHEMA exact; CREATE TABLE exact.rows
      (id int PRIMARY KEY DEFAULT 9, name text, at timestamptz, local timestamp, amount numeric, fine numeric)`);
    for (const [index, at] of moments.entries()) {
      await postgis.query(
        `INSERT INTO exact.rows VALUES ($1, 'a', $2, NULL, $3::numeric, CASE WHEN $1 IN (1, 5) THEN $3::numeric END)`,
        [index + 1, at, decimals[index]],
      );
    }
    return opened(await openPostgis(postgis.connection, { schema: 'exact' }), 'rows');
  });

  timesAreExact(rows);

  for (const by of ['source', 'memory'] as const) {
    test.each(decimalFilters)(`filtering in the ${by}, %s finds the rows %j`, async (filter, expected) => {
      expect(await rowsThatFit(rows(), by, { filter })).toEqual(expected);
    });

    test(`sorting in the ${by} orders decimals by value`, async () => {
      expect(await rowsThatFit(rows(), by, { sort: [{ attribute: 'amount' }] })).toEqual([4, 2, 1, 5, 3]);
    });
  }

  test('a written time is read back unchanged, in columns with and without a time zone', async () => {
    const at = '2024-03-01T12:00:00.654321Z';

    const values = await writtenAndRead(rows(), { at, local: at });

    expect(values.filter((value) => value === at)).toHaveLength(2);
  });
});

describeWithMariadb('exact values in MariaDB', (mariadb) => {
  const rows = open(async () => {
    await mariadb.query(`SET time_zone = '+00:00'; CREATE TABLE exact (id int PRIMARY KEY DEFAULT 9, name text, at timestamp(6) NULL,
      local datetime(6), amount decimal(60, 25), fine decimal(60, 25))`);
    for (const [index, at] of moments.entries()) {
      const fine = index === 0 || index === 4 ? decimals[index] : null;
      const time = at.replace('T', ' ').replace('Z', '');
      await mariadb.query("INSERT INTO exact VALUES (?, 'a', ?, NULL, ?, ?)", [index + 1, time, decimals[index], fine]);
    }
    return opened(await openMysql(mariadb.connection), 'exact');
  });

  timesAreExact(rows);

  for (const by of ['source', 'memory'] as const) {
    test.each(decimalFilters)(`filtering in the ${by}, %s finds the rows %j`, async (filter, expected) => {
      expect(await rowsThatFit(rows(), by, { filter })).toEqual(expected);
    });

    test(`sorting in the ${by} orders decimals by value`, async () => {
      expect(await rowsThatFit(rows(), by, { sort: [{ attribute: 'amount' }] })).toEqual([4, 2, 1, 5, 3]);
    });
  }

  test('a written time is read back unchanged, in columns with and without a time zone', async () => {
    const at = '2024-03-01T12:00:00.654321Z';
    const { source, description } = rows();
    const attributes = description.attributes.filter(({ name }) => name === 'at' || name === 'local');
    const session = await source.startWriting?.(never);

    const changed = await session?.update(
      'exact',
      { attributes, values: [at, at] },
      { kind: 'identifiers', identifiers: ['exact.1'] },
    );
    const found = await session?.find('exact', { kind: 'identifiers', identifiers: ['exact.1'] });
    await session?.rollback();

    expect(changed).toEqual(['exact.1']);
    expect(found?.[0]?.values.filter((value) => value === at)).toHaveLength(2);
  });
});
