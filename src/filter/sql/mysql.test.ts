/** The conditions of MySQL 8, which differ from those of MariaDB in spatial functions. MariaDB runs in the contract tests. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../model/schema.ts';
import { readEcqlFor } from '../resolve/resolve.ts';
import { toPlainDecimal } from './plain-decimal.ts';
import { createMysqlDialect, type SqlColumn, writeSqlFilter } from './sql.ts';

const schema: Schema = {
  attributes: [
    { name: 'geom', type: 'geometry', crs: 'EPSG:4326' },
    { name: 'exact', type: 'decimal' },
    { name: 'name', type: 'text' },
  ],
};

async function write(ecql: string, geometry: Partial<SqlColumn> = {}) {
  const read = await readEcqlFor(ecql, schema);
  if (read.kind === 'refused') throw new Error(read.complaint.message);
  return writeSqlFilter(read.value, createMysqlDialect('mysql'), {
    columns: new Map<string, SqlColumn>([
      ['geom', { name: 'geom', storage: 'geometry', srid: 4326, ...geometry }],
      ['exact', { name: 'exact', storage: 'decimal' }],
      ['name', { name: 'na`me', storage: 'text' }],
    ]),
  });
}

describe('boxes in MySQL 8', () => {
  it('use the column and its index in planar reference systems', async () => {
    const { sql, remainder } = await write('BBOX(geom, 1, 2, 3, 4)', { boxes: 'planar' });

    expect(sql).toBe('MBRIntersects(`geom`, ST_GeomFromWKB(?, 4326))');
    expect(remainder).toBeDefined();
    const points = await write('BBOX(geom, 1, 2, 3, 4)', { boxes: 'planar', hasOnlyPoints: true });
    expect(points.remainder).toBeUndefined();
  });

  it('compare geographic coordinates as numbers, because the database measures on the ellipsoid', async () => {
    const { sql } = await write('BBOX(geom, 1, 2, 3, 4)', { boxes: 'geographic' });

    expect(sql).toBe('MBRIntersects(ST_SRID(`geom`, 0), ST_GeomFromWKB(?, 0))');
  });

  it('use the index of geographic points, with longitudes first', async () => {
    const { sql, parameters } = await write('BBOX(geom, 1, 2, 3, 4)', { boxes: 'geographic', hasOnlyPoints: true });

    expect(sql).toBe(
      "(MBRIntersects(`geom`, ST_GeomFromWKB(?, 4326, 'axis-order=long-lat')) AND MBRIntersects(ST_SRID(`geom`, 0), ST_GeomFromWKB(?, 0)))",
    );
    const [box] = parameters;
    const view = new DataView((box as Uint8Array).buffer);
    expect([view.getFloat64(13, true), view.getFloat64(21, true)]).toEqual([1, 2]);
  });

  it.each(['BBOX(geom, -179, -80, 179, 80)', 'BBOX(geom, 190, 0, 200, 1)'])(
    'do not use the index for boxes that the ellipsoid lacks: %s',
    async (ecql) => {
      const { sql } = await write(ecql, { boxes: 'geographic', hasOnlyPoints: true });

      expect(sql).toBe('MBRIntersects(ST_SRID(`geom`, 0), ST_GeomFromWKB(?, 0))');
    },
  );
});

describe('constants in MySQL', () => {
  it('send a text once for each placeholder, and never as SQL', async () => {
    const { sql, parameters } = await write("name = 'x'' OR 1=1'");

    expect(sql).toBe(
      '(`na``me` = ? AND CAST(CONVERT(`na``me` USING utf8mb4) AS BINARY) = CAST(CONVERT(? USING utf8mb4) AS BINARY))',
    );
    expect(parameters).toEqual(["x' OR 1=1", "x' OR 1=1"]);
  });

  it('are decimals with as many digits as needed', async () => {
    expect(await write('exact = 123.4500')).toMatchObject({
      sql: '`exact` = CAST(? AS DECIMAL(5, 2))',
      parameters: ['123.45'],
    });
    expect((await write(`exact = 1${'0'.repeat(70)}`)).remainder).toBeDefined();
  });

  it.each([
    ['0', '0', 0, 0],
    ['-1.50', '-1.5', 2, 1],
    ['1.5e3', '1500', 4, 0],
    ['1e-7', '0.0000001', 7, 7],
    ['-0.0', '-0', 0, 0],
    ['007', '7', 1, 0],
  ])('%s is written as %s', (given, text, digits, decimals) => {
    expect(toPlainDecimal(given)).toEqual({ text, digits, decimals });
  });

  it.each(['', '.', 'x', '1e9999', 'NaN', 'Infinity', '--1'])("'%s' is no decimal", (given) => {
    expect(toPlainDecimal(given)).toBeUndefined();
  });
});
