/** Random tables of PostGIS: every type of attribute, every type of geometry, and odd names. */
import fc from 'fast-check';

export type ColumnType = keyof typeof columnTypes;

export interface RandomColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export interface RandomTable {
  readonly hasHeights: boolean;
  readonly columns: readonly RandomColumn[];
  /** The geometries as well-known text. */
  readonly geometries: readonly (string | null)[];
  /** Values as PostgreSQL reads them, in the order of the columns. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** The positions of columns that a data rule hides. */
  readonly hidden: readonly number[];
}

const texts = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', ' ', 'Zürich, "東京" & <Ærø>', 'two\nlines\t', "it's", '\\N', 'null', '😀', '1.50', ']]>'),
  )
  // PostgreSQL stores no NUL, and no half of a character.
  .filter((text) => !text.includes('\0') && text.isWellFormed());

const digits = (most: number) => fc.stringMatching(new RegExp(`^[1-9][0-9]{0,${most - 1}}$`));

const decimals = fc
  .tuple(fc.constantFrom('', '-'), fc.oneof(fc.constant('0'), digits(25)), fc.constantFrom('', '.'), digits(12))
  .map(([sign, whole, point, rest]) => `${sign}${whole}${point === '' ? '' : `.${rest}`}`);

const moments = fc.date({
  min: new Date('1600-01-01T00:00:00Z'),
  max: new Date('2999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

const toText = (value: unknown) => String(value);

/** The type in SQL, and values that the database accepts. */
const columnTypes = {
  string: { sql: 'text', values: texts },
  boolean: { sql: 'boolean', values: fc.boolean().map(toText) },
  short: { sql: 'smallint', values: fc.integer({ min: -32_768, max: 32_767 }).map(toText) },
  integer: { sql: 'integer', values: fc.integer().map(toText) },
  long: { sql: 'bigint', values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(toText) },
  // GDAL writes eight digits.
  float: { sql: 'real', values: fc.integer({ min: -9_999, max: 9_999 }).map((value) => toText(value / 8)) },
  double: { sql: 'double precision', values: fc.double({ noNaN: true, noDefaultInfinity: true }).map(toReal) },
  decimal: { sql: 'numeric', values: decimals },
  date: { sql: 'date', values: moments.map((moment) => moment.toISOString().slice(0, 10)) },
  timestamp: { sql: 'timestamptz', values: moments.map((moment) => moment.toISOString()) },
  time: { sql: 'time', values: moments.map((moment) => moment.toISOString().slice(11, 19)) },
  bytes: {
    sql: 'bytea',
    values: fc.uint8Array({ maxLength: 12 }).map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`),
  },
  uuid: { sql: 'uuid', values: fc.uuid() },
} as const satisfies Readonly<Record<string, { readonly sql: string; readonly values: fc.Arbitrary<string> }>>;

/** PostgreSQL rejects numbers that it would round to zero. */
function toReal(value: number): string {
  return Math.abs(value) < 1e-30 ? '0' : String(value);
}

export function findSqlType({ type }: RandomColumn): string {
  return columnTypes[type].sql;
}

/** Names that are reserved, that formats use themselves, or that are not names in XML or SQL. hyparquet omits `__proto__`. */
const names = [
  ...['owner name', '東京', 'a"b', "it's", 'x.y', 'SELECT', '_', '1st', '😀', 'bbox', 'Bbox', 'id', 'ID', 'type'],
  ...['properties', 'Größe', 'a&b<c>', 'geo:metry', 'constructor', 'list', 'coordinates', 'tab\there'],
  ...['value', 'percent%20', 'a/b', 'back\\slash', '{}', 'ümlaut', 'crs', 'element', 'x'.repeat(60)],
];

const step = fc.integer({ min: -40, max: 40 }).map((value) => value / 8);

function createGeometries(hasHeights: boolean): fc.Arbitrary<string | null> {
  const mark = hasHeights ? ' Z' : '';
  const position = fc.tuple(step, step, step).map(([x, y, z]) => (hasHeights ? `${x} ${y} ${z}` : `${x} ${y}`));
  const line = fc.uniqueArray(position, { minLength: 2, maxLength: 6 }).map((each) => `(${each.join(', ')})`);
  const ring = (x: number, y: number, size: number, z: number) => {
    const corners = [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ];
    return `(${corners.map((corner) => (hasHeights ? [...corner, z] : corner).join(' ')).join(', ')})`;
  };
  const polygon = fc
    .tuple(step, step, step, fc.integer({ min: 1, max: 9 }), fc.boolean())
    .map(
      ([x, y, z, size, hasHole]) => `(${ring(x, y, size, z)}${hasHole ? `, ${ring(x + 0.25, y + 0.25, 0.5, z)}` : ''})`,
    );
  const several = (part: fc.Arbitrary<string>) =>
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `(${parts.join(', ')})`);
  const tag = (type: string, body: fc.Arbitrary<string>) => body.map((each) => `${type}${mark} ${each}`);
  const single = fc.oneof(
    tag(
      'POINT',
      position.map((each) => `(${each})`),
    ),
    tag('LINESTRING', line),
    tag('POLYGON', polygon),
    tag('MULTIPOINT', several(position.map((each) => `(${each})`))),
    tag('MULTILINESTRING', several(line)),
    tag('MULTIPOLYGON', several(polygon)),
  );
  const collection = tag('GEOMETRYCOLLECTION', several(single));
  const empty = fc.constantFrom('POINT', 'LINESTRING', 'POLYGON', 'MULTIPOINT', 'MULTIPOLYGON', 'GEOMETRYCOLLECTION');
  return fc.oneof(
    { weight: 12, arbitrary: single },
    { weight: 3, arbitrary: collection },
    { weight: 1, arbitrary: tag('GEOMETRYCOLLECTION', several(collection)) },
    { weight: 1, arbitrary: empty.map((type) => `${type}${mark} EMPTY`) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const columns = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 12 })
  .chain((chosen) =>
    fc.tuple(...chosen.map((name) => fc.record({ name: fc.constant(name), type: fc.constantFrom(...listTypes()) }))),
  );

function listTypes(): readonly ColumnType[] {
  return Object.keys(columnTypes) as ColumnType[];
}

export const randomTables: fc.Arbitrary<RandomTable> = fc.tuple(fc.boolean(), columns).chain(([hasHeights, chosen]) => {
  const row = fc.tuple(...chosen.map(({ type }) => fc.option(columnTypes[type].values, { freq: 5 })));
  const feature = fc.record({ geometry: createGeometries(hasHeights), row });
  return fc
    .tuple(fc.array(feature, { maxLength: 25 }), fc.subarray(chosen.map((_, index) => index)))
    .map(([features, hidden]) => ({
      hasHeights,
      columns: chosen,
      geometries: features.map(({ geometry }) => geometry),
      rows: features.map((each) => each.row),
      hidden,
    }));
});
