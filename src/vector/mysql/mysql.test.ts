/** Tables of MariaDB as features: all types of columns, unusual names, and settings of servers that make no difference. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openMysql } from '../../../test/support/mysql-sources.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { describeWithMariadb } from '../../../test/support/with-mariadb.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import { createMysqlDialect, writeSqlFilter } from '../../filter/sql/sql.ts';
import { createFilterSchema } from '../port/filter-schema.ts';
import type { NewValues, SortKey, VectorSource } from '../port/port.ts';
import type { StatisticsRequest } from '../port/value-statistics.ts';
import { toShortFloat } from './table/columns.ts';

const never = new AbortController().signal;

const point = (x: number, y: number) => ({
  type: 'Point',
  dimension: 'XY',
  ordinates: Float64Array.of(x, y),
  ends: [],
  parts: [],
});

async function select(
  source: VectorSource,
  name: string,
  { filter, sort }: { readonly filter?: string; readonly sort?: readonly SortKey[] },
): Promise<{ readonly ids: readonly string[]; readonly isWhole: boolean }> {
  const { attributes } = await describeType(source, name);
  const read = filter === undefined ? undefined : await readEcqlFor(filter, createFilterSchema(attributes));
  if (read?.kind === 'refused') throw new Error(read.complaint.message);
  const query = { ...(read === undefined ? {} : { filter: read.value }), ...(sort === undefined ? {} : { sort }) };
  const selection = await source.select?.(name, query, never);
  const ids: string[] = [];
  for await (const batch of selection?.batches ?? []) ids.push(...batch.map(({ id }) => id));
  return { ids, isWhole: selection?.remainder.filter === undefined };
}

describe('short floats', () => {
  test.each([0.1, 16_777_216, 1.1754944e-38, -3.4028235e38, 0, 123.456])('%d keeps its digits', (number) => {
    expect(toShortFloat(Math.fround(number))).toBe(number);
  });
});

describeWithMariadb('tables of MariaDB', (mariadb) => {
  beforeEach(() => mariadb.clear());

  test('columns of all types have their values', async () => {
    await mariadb.query(`CREATE TABLE everything (id int PRIMARY KEY, flag boolean, bits bit(1), mask bit(12), tiny tinyint,
      small smallint unsigned, medium mediumint, whole int unsigned, big bigint, huge bigint unsigned, exact decimal(30,5),
      short float, wide double, day date, moment datetime(6), stamp timestamp(3) NULL, clock time, year year,
      word varchar(20), latin char(5) CHARACTER SET latin1, choice enum('a','ß'), many set('x','y'), doc json, raw varbinary(4),
      picture longblob, key_uuid uuid, host inet6, geom geometry);
      SET time_zone = '+05:45';
      INSERT INTO everything VALUES (1, 2, 1, 5, -128, 65535, -8388608, 4294967295, -9223372036854775808,
        18446744073709551615, 1234567890123456789012345.12345, 0.1, 0.1, '2024-02-29', '1969-07-20 20:17:40.123456',
        '2024-01-01 05:45:00.5', '-100:00:01', 2024, 'Zürich 🌍', 'é', 'ß', 'x,y', '{"a": [1]}', 0x00ff, 0x01,
        '123e4567-e89b-12d3-a456-426614174000', '::1', ST_GeomFromText('POINT(7 47)', 4326));
      INSERT INTO everything (id) VALUES (2)`);
    const source = await openMysql(mariadb.connection);

    const { attributes, isKeyless } = await describeType(source, 'everything');
    const [first, second] = await readAllFeatures(source, 'everything');

    const types = attributes.map((each) => [each.name, each.kind === 'value' ? each.type : each.crs.code]);
    const values = Object.fromEntries(attributes.map(({ name }, index) => [name, first?.values[index]]));
    expect(Object.fromEntries(types)).toEqual({
      ...{ flag: 'boolean', bits: 'boolean', mask: 'bytes', tiny: 'short', small: 'integer', medium: 'integer' },
      ...{ whole: 'long', big: 'long', huge: 'decimal', exact: 'decimal', short: 'float', wide: 'double' },
      ...{ day: 'date', moment: 'timestamp', stamp: 'timestamp', clock: 'time', year: 'short', word: 'string' },
      ...{ latin: 'string', choice: 'string', many: 'string', doc: 'string', raw: 'bytes', picture: 'bytes' },
      ...{ key_uuid: 'uuid', host: 'string', geom: 'EPSG:4326' },
    });
    expect(values).toEqual({
      ...{ flag: true, bits: true, mask: Uint8Array.of(0, 5), tiny: -128, small: 65_535, medium: -8_388_608 },
      ...{ whole: 4_294_967_295, big: -9_223_372_036_854_775_808n, huge: '18446744073709551615' },
      ...{ exact: '1234567890123456789012345.12345', short: 0.1, wide: 0.1, day: new Date('2024-02-29') },
      ...{ moment: '1969-07-20T20:17:40.123456Z', stamp: new Date('2024-01-01T00:00:00.5Z'), clock: '-100:00:01' },
      ...{ year: 2024, word: 'Zürich 🌍', latin: 'é', choice: 'ß', many: 'x,y', doc: '{"a": [1]}' },
      ...{ raw: Uint8Array.of(0, 255), picture: Uint8Array.of(1), host: '::1', geom: point(7, 47) },
      key_uuid: '123e4567-e89b-12d3-a456-426614174000',
    });
    expect([first?.id, second?.id, isKeyless]).toEqual(['everything.1', 'everything.2', undefined]);
    expect(new Set(second?.values)).toEqual(new Set([null]));
    await source.close();
  });

  test('names with backticks, quotes, umlauts and SQL are only names', async () => {
    const [table, column] = ['Straße `"x\'; DROP TABLE t; -- ', 'größe`) OR 1=1 --'].map((name) => name.trimEnd());
    const quote = (name = '') => `\`${name.replaceAll('`', '``')}\``;
    await mariadb.query(`CREATE TABLE ${quote(table)} (${quote('k`y')} varchar(50) PRIMARY KEY, ${quote(column)} text);
      INSERT INTO ${quote(table)} VALUES ('a.b\\'c', 'x\\' OR \\'1\\'=\\'1'), ('\\\\', '%')`);
    const source = await openMysql(mariadb.connection);
    const name = String(table);
    const session = await source.startWriting?.(never);
    const attribute = { name: String(column), nillable: true, kind: 'value', type: 'string' } as const;
    const mine = { kind: 'identifiers', identifiers: [`${name}.a.b'c`] } as const;

    const found = await readAllFeatures(source, name);
    const equal = await select(source, name, { filter: `"${String(column)}" = 'x'' OR ''1''=''1'` });
    const alike = await select(source, name, { filter: `"${String(column)}" LIKE '\\%'` });
    const changed = await session?.update(name, { attributes: [attribute], values: ["'; DELETE"] }, mine);
    await session?.commit();

    expect(found.map(({ id, values }) => [id, ...values])).toEqual([
      [`${name}.a.b'c`, "x' OR '1'='1"],
      [`${name}.\\`, '%'],
    ]);
    expect(equal).toEqual({ ids: [`${name}.a.b'c`], isWhole: true });
    expect(alike).toEqual({ ids: [`${name}.\\`], isWhole: true });
    expect(changed).toEqual([`${name}.a.b'c`]);
    expect((await readAllFeatures(source, name))[0]?.values).toEqual(["'; DELETE"]);
    await source.close();
  });

  test('texts are compared exactly, whatever the collation of the column', async () => {
    await mariadb.query(`CREATE TABLE words (id int PRIMARY KEY, any_case varchar(20) COLLATE utf8mb4_general_ci,
      latin varchar(20) CHARACTER SET latin1, choice enum('B', 'a'));
      INSERT INTO words VALUES (1, 'a', 'é', 'a'), (2, 'A', 'E', 'B'), (3, 'a ', 'e', NULL), (4, 'ä', 'É', 'a')`);
    const source = await openMysql(mariadb.connection);
    const ids = async (filter: string) => {
      const { ids, isWhole } = await select(source, 'words', { filter });
      return [ids.map((id) => Number(id.slice(6))), isWhole];
    };

    expect(await ids("any_case = 'a'")).toEqual([[1], true]);
    expect(await ids("any_case IN ('A', 'ä', '🌍')")).toEqual([[2, 4], true]);
    expect(await ids("any_case > 'a'")).toEqual([[3, 4], true]);
    expect(await ids("any_case LIKE 'a%'")).toEqual([[1, 3], true]);
    expect(await ids("any_case ILIKE 'A%'")).toEqual([[1, 2, 3], true]);
    expect(await ids("latin = 'é'")).toEqual([[1], true]);
    expect(await ids("latin = '🌍'")).toEqual([[], true]);
    expect(await ids("choice = 'a'")).toEqual([[1, 4], true]);
    const sorted = await select(source, 'words', { sort: [{ attribute: 'choice' }] });
    expect(sorted.ids).toEqual(['words.3', 'words.2', 'words.1', 'words.4']);
    await source.close();
  });

  test('zero dates count as null in features, conditions and sort orders', async () => {
    await mariadb.query(`SET sql_mode = ''; CREATE TABLE days (id int PRIMARY KEY, day date NOT NULL, at datetime);
      INSERT INTO days VALUES (1, '0000-00-00', '2024-00-00 00:00:00'), (2, '2024-01-01', NULL), (3, '2023-01-01', '2023-01-01')`);
    const source = await openMysql(mariadb.connection);

    const features = await readAllFeatures(source, 'days');
    const early = await select(source, 'days', { filter: 'day BEFORE 2024-06-01T00:00:00Z' });
    const missing = await select(source, 'days', { filter: 'at IS NULL' });
    const different = await select(source, 'days', { filter: "day <> '2023-01-01'" });
    const sorted = await select(source, 'days', { sort: [{ attribute: 'day', isDescending: true }] });

    expect(features.map(({ values }) => values[0])).toEqual([null, new Date('2024-01-01'), new Date('2023-01-01')]);
    expect(early).toEqual({ ids: ['days.2', 'days.3'], isWhole: true });
    expect(missing.ids).toEqual(['days.1', 'days.2']);
    expect(different.ids).toEqual(['days.2']);
    expect(sorted.ids).toEqual(['days.2', 'days.3', 'days.1']);
    await mariadb.query("SET sql_mode = 'STRICT_ALL_TABLES'");
    await source.close();
  });

  test('boxes use the spatial index', async () => {
    await mariadb.query(`CREATE TABLE places (id int PRIMARY KEY AUTO_INCREMENT, geom point REF_SYSTEM_ID=4326 NOT NULL,
      SPATIAL INDEX by_place (geom));
      INSERT INTO places (geom) SELECT ST_GeomFromText(CONCAT('POINT(', seq % 100, ' ', seq DIV 100, ')'), 4326)
        FROM seq_0_to_9999; ANALYZE TABLE places`);
    const source = await openMysql(mariadb.connection);
    const { attributes, bounds: all } = await describeType(source, 'places');
    const read = await readEcqlFor('BBOX(geom, 10, 10, 12, 11)', createFilterSchema(attributes));
    if (read.kind === 'refused') throw new Error(read.complaint.message);
    const { sql, parameters } = writeSqlFilter(read.value, createMysqlDialect('mariadb'), {
      columns: new Map([['geom', { name: 'geom', storage: 'geometry', srid: 4326, hasOnlyPoints: true }]]),
    });

    const [plan] = await mariadb.query(
      `EXPLAIN SELECT id FROM places WHERE ${sql}`,
      parameters.map((each) => Buffer.from(each as Uint8Array)),
    );
    const [count, bounds] = [
      await source.count?.('places', read.value, never),
      await source.bounds?.('places', read.value, never),
    ];

    expect(plan).toMatchObject({ key: 'by_place' });
    expect(count).toBe(6);
    expect(bounds).toEqual({ bounds: { minX: 10, minY: 10, maxX: 12, maxY: 11 } });
    expect(all).toEqual({ minX: 0, minY: 0, maxX: 99, maxY: 99 });
    await source.close();
  });

  test('views and tables without a key are read, and their edits are rejected', async () => {
    await mariadb.query(`CREATE TABLE loose (note text); INSERT INTO loose VALUES ('a'), ('b');
      CREATE VIEW seen AS SELECT note FROM loose;
      CREATE TABLE unsafe (id int PRIMARY KEY, note text) ENGINE=MyISAM; INSERT INTO unsafe VALUES (1, 'a');
      CREATE TABLE computed (id int PRIMARY KEY AUTO_INCREMENT, a int, b int AS (a * 2) STORED)`);
    const source = await openMysql(mariadb.connection);
    const session = await source.startWriting?.(never);
    const everything = { kind: 'constant', value: true } as const;
    const whole = (name: string, value: number | null): NewValues => ({
      attributes: ['a', 'b'].map((each) => ({ name: each, nillable: true, kind: 'value', type: 'integer' }) as const),
      values: [1, value].slice(0, name === 'computed' ? 2 : 0),
    });

    expect((await readAllFeatures(source, 'seen')).map(({ id }) => id)).toEqual(['seen.1', 'seen.2']);
    expect((await describeType(source, 'loose')).isKeyless).toBe(true);
    await expect(session?.remove('loose', everything)).rejects.toMatchObject({ code: 'features-not-writable' });
    await expect(session?.remove('unsafe', everything)).rejects.toThrow('MyISAM of its table has no transactions');
    await expect(session?.insert('computed', [whole('computed', 5)])).rejects.toThrow("computes the column 'b'");
    expect(await session?.insert('computed', [whole('computed', null)])).toEqual(['computed.1']);
    await session?.commit();
    expect((await readAllFeatures(source, 'computed')).map(({ values }) => values)).toEqual([[1, 2]]);
    await source.close();
  });

  test('edits use keys of several columns, and ids that the database generates are returned', async () => {
    await mariadb.query(`CREATE TABLE parts (a bigint unsigned, b varchar(20), note text, PRIMARY KEY (a, b));
      INSERT INTO parts VALUES (18446744073709551615, 'x.y', 'old'), (1, 'z', 'old');
      CREATE TABLE counted (id serial PRIMARY KEY, note text) AUTO_INCREMENT=41`);
    const source = await openMysql(mariadb.connection);
    const session = await source.startWriting?.(never);
    const note = { name: 'note', nillable: true, kind: 'value', type: 'string' } as const;
    const values = (text: string): NewValues => ({ attributes: [note], values: [text] });

    const one = { kind: 'identifiers', identifiers: ['parts.18446744073709551615.x.y'] } as const;
    const changed = await session?.update('parts', values('new'), one);
    const inserted = await session?.insert('counted', [values('a'), { attributes: [], values: [] }]);
    await session?.commit();

    expect(changed).toEqual(['parts.18446744073709551615.x.y']);
    expect(inserted).toEqual(['counted.41', 'counted.42']);
    expect(await mariadb.query('SELECT note FROM parts ORDER BY a')).toEqual([{ note: 'old' }, { note: 'new' }]);
    await source.close();
  });

  test('values that do not fit are rejected with their column', async () => {
    await mariadb.query(`CREATE TABLE strict (id int PRIMARY KEY AUTO_INCREMENT, word varchar(3), must int NOT NULL, once int UNIQUE);
      INSERT INTO strict (word, must, once) VALUES ('a', 1, 1)`);
    const source = await openMysql(mariadb.connection);
    const insert = async (values: Readonly<Record<string, string | number>>) => {
      const session = await source.startWriting?.(never);
      const attributes = Object.entries(values).map(
        ([name, value]) =>
          ({ name, nillable: true, kind: 'value', type: typeof value === 'string' ? 'string' : 'integer' }) as const,
      );
      return session
        ?.insert('strict', [{ attributes, values: Object.values(values) }])
        .finally(() => session.rollback());
    };

    await expect(insert({ word: 'long', must: 1 })).rejects.toThrow(
      "a value is too long for its column (column 'word')",
    );
    await expect(insert({ word: 'a' })).rejects.toThrow('a required column has no value');
    await expect(insert({ must: 1, once: 1 })).rejects.toThrow('a value of a unique column already exists');
    expect(await mariadb.query('SELECT COUNT(*) AS n FROM strict')).toEqual([{ n: 1 }]);
    await source.close();
  });

  test('a long read lets other work run after every few hundred rows', async () => {
    await mariadb.query(`CREATE TABLE many (id int PRIMARY KEY, note varchar(100));
      INSERT INTO many SELECT seq, REPEAT('x', 100) FROM seq_1_to_50000`);
    const source = await openMysql(mariadb.connection);
    let [inTurn, most, isDone] = [0, 0, false];
    const next = (): void => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      if (!isDone) setImmediate(next);
    };
    setImmediate(next);

    let count = 0;
    for await (const batch of source.read('many', {}, never)) {
      inTurn += batch.length;
      count += batch.length;
    }
    isDone = true;

    expect(count).toBe(50_000);
    // A queue, and the rows of one message from the socket.
    expect(most).toBeLessThan(3_000);
    await source.close();
  });

  test('tables are listed with geometry type, reference system and estimated rows, also geometries that declare none', async () => {
    await mariadb.query(`CREATE TABLE roads (id int PRIMARY KEY, geom multilinestring REF_SYSTEM_ID=25832, centre point);
      CREATE TABLE other (id int PRIMARY KEY, shape geometry); CREATE VIEW seen AS SELECT * FROM other;
      INSERT INTO roads (id) SELECT seq FROM seq_1_to_30; ANALYZE TABLE roads`);
    const source = await openMysql(mariadb.connection);

    expect(await source.listDetailedTypes?.(never)).toEqual([
      { name: 'other', hasGeometry: true, geometryType: 'Geometry', estimatedCount: 0 },
      { name: 'roads', hasGeometry: true, geometryType: 'MultiLineString', crsCode: 'EPSG:25832', estimatedCount: 30 },
      { name: 'seen', hasGeometry: true, geometryType: 'Geometry' },
    ]);
    await source.close();
  });

  test('statistics of values and numbers are computed in the database', async () => {
    await mariadb.query(`CREATE TABLE measured (id int PRIMARY KEY, kind varchar(9) COLLATE utf8mb4_general_ci, size decimal(9, 2), short float);
      INSERT INTO measured VALUES (1, 'a', 1, 1), (2, 'A', 2, 2), (3, 'a', 3, 3), (4, NULL, 10, 4), (5, 'b', NULL, 5)`);
    const source = await openMysql(mariadb.connection);
    const read = await readEcqlFor(
      'size < 10 OR size IS NULL',
      createFilterSchema((await describeType(source, 'measured')).attributes),
    );
    if (read.kind === 'refused') throw new Error(read.complaint.message);
    const compute = (request: StatisticsRequest) => source.computeStatistics?.('measured', request, never);
    const size = { attribute: 'size' } as const;

    expect(await compute({ kind: 'values', attribute: 'kind', limit: 3 })).toEqual({
      kind: 'values',
      counts: expect.arrayContaining([
        { value: 'a', count: 2 },
        { value: 'A', count: 1 },
        { value: 'b', count: 1 },
      ]),
    });
    expect(await compute({ kind: 'values', attribute: 'kind', limit: 2 })).toBeUndefined();
    expect(await compute({ kind: 'moments', ...size, filter: read.value })).toMatchObject({
      ...{ count: 3, minimum: 1, maximum: 3, mean: 2 },
      deviation: expect.closeTo(Math.sqrt(2 / 3)),
    });
    expect(await compute({ kind: 'ranks', ...size, ranks: [1, 3, 4] })).toEqual({ kind: 'ranks', numbers: [1, 3, 10] });
    expect(await compute({ kind: 'totals', ...size, limits: [2, 3], includesLimits: false })).toEqual({
      kind: 'totals',
      totals: [1, 2],
    });
    const near = { mean: 2, distance: 1 };
    expect(
      await compute({ kind: 'totals', ...size, limits: [3], includesLimits: true, near, filter: read.value }),
    ).toEqual({
      kind: 'totals',
      totals: [3],
    });
    expect(await compute({ kind: 'moments', attribute: 'short' })).toBeUndefined();
    await source.close();
  });

  test('columns that the user may not read are no attributes', async () => {
    await mariadb.query(`CREATE TABLE partly (id int PRIMARY KEY, open text, secret text); INSERT INTO partly VALUES (1, 'a', 'b');
      CREATE TABLE hidden (id int PRIMARY KEY);
      CREATE OR REPLACE USER 'reader'@'%' IDENTIFIED BY 'pass word';
      GRANT SELECT (id, open) ON partly TO 'reader'@'%'`);
    const source = await openMysql(mariadb.connection, { user: 'reader', passwd: 'pass word' });

    expect(await source.listTypes(never)).toEqual([{ name: 'partly', hasGeometry: false }]);
    expect((await readAllFeatures(source, 'partly'))[0]?.values).toEqual(['a']);
    await source.close();
  });
});
