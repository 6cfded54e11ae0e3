/**
 * MySQL and MariaDB. Texts are compared as bytes of UTF-8, whatever their collation; the condition in the collation of the
 * column selects a superset and uses its index. Spatial conditions select by boxes.
 */
import type { Bounds } from '../../crs/bounds.ts';
import { encodeWkb } from '../../geometry/wkb-encode.ts';
import type { PatternPart } from '../evaluate/values/like-pattern.ts';
import { formatExactMoment } from '../model/moment.ts';
import type { ScalarConstant } from '../model/resolved-filter.ts';
import { expandBounds } from '../predicate/boxes.ts';
import {
  type ColumnStorage,
  type Condition,
  comparisonSigns,
  createParameter,
  type Fragment,
  isMeetingImplied,
  isSendable,
  type SqlColumn,
  type SqlDialect,
  splitSimpleStart,
  writeLikePattern,
} from './dialect.ts';
import { toPlainDecimal } from './plain-decimal.ts';
import { quoteNameWithBackticks } from './quote-sql.ts';

/** The two databases differ in spatial functions. */
export type MysqlFlavour = 'mysql' | 'mariadb';

const [leastLong, greatestLong] = [-(2n ** 63n), 2n ** 63n - 1n];

export function createMysqlDialect(flavour: MysqlFlavour): SqlDialect {
  return {
    maxParameters: 60_000,
    maxConditions: 1_000,
    isPositional: true,
    writePlaceholder: () => '?',
    writeColumn,
    writeNullTest: (column) =>
      isMoment(column.storage) ? [`TO_DAYS(${writeColumn(column)}) IS NULL`] : [`${writeColumn(column)} IS NULL`],
    writeConstant,
    writeComparison(operator, left, right, { storage, columns }) {
      const sign = comparisonSigns[operator];
      if (storage === 'text') {
        const exact = [...writeBytes(left), ` ${sign} `, ...writeBytes(right)];
        const isIndexed = operator === 'equal' && usesIndex(columns, [...left, ...right]);
        return isIndexed ? ['(', ...left, ' = ', ...right, ' AND ', ...exact, ')'] : exact;
      }
      if (storage === 'boolean') return [...writeTruth(left), ` ${sign} `, ...writeTruth(right)];
      if (!isMoment(storage) || (operator === 'equal' && columns.length < 2)) return [...left, ` ${sign} `, ...right];
      // Zero dates count as null, but are less than all others.
      const guards = columns.map((column) => ` AND TO_DAYS(${writeColumn(column)}) IS NOT NULL`);
      return [...left, ` ${sign} `, ...right, ...guards];
    },
    // An overflow would fail the whole statement.
    writeArithmetic: () => undefined,
    writeLike,
    writeMembership,
    writeRelation(column, { relation, right, byBoxes }) {
      if (right.kind !== 'geometry' || !isMeetingImplied(relation)) return undefined;
      const sql = writeBoxOverlap(flavour, column, right.bounds);
      const isPointInBox = relation === 'intersects' && right.isBox === true && column.hasOnlyPoints === true;
      return sql && { sql, isExact: byBoxes === true || isPointInBox };
    },
    writeDistance(column, { operator, right, distance }) {
      if (right.kind !== 'geometry' || operator !== 'within') return undefined;
      const sql = writeBoxOverlap(flavour, column, expandBounds(right.bounds, distance));
      return sql && { sql, isExact: false };
    },
  };
}

function writeColumn({ table, name }: SqlColumn): string {
  const column = quoteNameWithBackticks(name);
  return table === undefined ? column : `${quoteNameWithBackticks(table)}.${column}`;
}

function isMoment(storage: ColumnStorage): boolean {
  return storage === 'timestamp' || storage === 'date';
}

function writeBytes(text: Fragment): Fragment {
  return ['CAST(CONVERT(', ...text, ' USING utf8mb4) AS BINARY)'];
}

/** Any number but 0 is true. */
function writeTruth(value: Fragment): Fragment {
  return ['(', ...value, ' <> 0)'];
}

/** A constant that the character set of a column lacks cannot be compared in its collation. */
function usesIndex(columns: readonly SqlColumn[], sides: Fragment): boolean {
  const constants = sides.flatMap((part) => (typeof part === 'object' ? [part.parameter] : []));
  return (
    columns.length === 1 &&
    (columns[0]?.isUnicode === true || constants.every((each) => typeof each === 'string' && isAscii(each)))
  );
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function writeConstant({ type, value }: ScalarConstant, storage: ColumnStorage): Fragment | undefined {
  switch (storage) {
    case 'text':
      return type === 'text' && isSendable(String(value)) ? createParameter(String(value)) : undefined;
    case 'boolean':
      return type === 'boolean' ? createParameter(value === true ? 1 : 0) : undefined;
    case 'integer':
      if (type !== 'number') return undefined;
      return isLong(value) ? ['CAST(', ...createParameter(String(value)), ' AS SIGNED)'] : writeDecimal(value);
    case 'double':
      return type === 'number' && typeof value === 'number' && Number.isFinite(value)
        ? createParameter(value)
        : undefined;
    case 'decimal':
      return type === 'number' || type === 'decimal' ? writeDecimal(value) : undefined;
    case 'timestamp':
    case 'date': {
      const text = type === 'moment' ? formatExactMoment(typeof value === 'string' ? value : Number(value)) : '';
      // The database would round beyond microseconds.
      if (text === '' || /\.\d{7,}Z$/.test(text)) return undefined;
      return ['CAST(', ...createParameter(text.slice(0, -1).replace('T', ' ')), ' AS DATETIME(6))'];
    }
    default:
      return undefined;
  }
}

function isLong(value: ScalarConstant['value']): boolean {
  if (typeof value === 'bigint') return value >= leastLong && value <= greatestLong;
  return Number.isSafeInteger(value);
}

/** Returns undefined for a number that has more digits than the decimals of the database. */
function writeDecimal(value: ScalarConstant['value']): Fragment | undefined {
  const decimal = toPlainDecimal(String(value));
  if (decimal === undefined) return undefined;
  const { text, digits, decimals } = decimal;
  return digits > 65 || decimals > 30
    ? undefined
    : ['CAST(', ...createParameter(text), ` AS DECIMAL(${Math.max(digits, 1)}, ${decimals}))`];
}

/** The escape character is the backslash, which literals need in another form in some modes of a session. */
const ESCAPED = " ESCAPE x'5C'";

function writeLike(column: SqlColumn, parts: readonly PatternPart[], matchCase: boolean): Condition | undefined {
  const { start, isWhole } = splitSimpleStart(parts);
  const { text, isExact } = writeLikePattern(start, matchCase);
  if (!isSendable(text)) return undefined;
  const name = writeColumn(column);
  const unicode = `CONVERT(${name} USING utf8mb4)`;
  // Patterns contain only ASCII letters if the case is ignored; other letters are wildcards.
  if (!matchCase) {
    const pattern = createParameter(text.toLowerCase());
    return {
      sql: [`LOWER(${unicode}) COLLATE utf8mb4_bin LIKE `, ...pattern, ESCAPED],
      isExact: isExact && isWhole,
    };
  }
  const exact: Fragment = [`${unicode} COLLATE utf8mb4_bin LIKE `, ...createParameter(text), ESCAPED];
  const sql: Fragment =
    column.isUnicode === true ? [`(${name} LIKE `, ...createParameter(text), ESCAPED, ' AND ', ...exact, ')'] : exact;
  return { sql, isExact: isWhole };
}

function writeMembership(column: SqlColumn, list: readonly ScalarConstant[]): Fragment | undefined {
  const possible = list.filter((each) => !isImpossible(each, column.storage));
  const sent = possible.map((each) => writeListed(each, column.storage));
  if (!sent.every((each) => each !== undefined)) return undefined;
  if (sent.length === 0) return ['FALSE'];
  const own: Fragment = [writeColumn(column)];
  const isIn = (name: Fragment, write: (each: Fragment) => Fragment): Fragment => [
    ...name,
    ' IN (',
    ...sent.flatMap((each, index) => (index === 0 ? write(each) : [', ', ...write(each)])),
    ')',
  ];
  if (column.storage === 'boolean') return isIn(writeTruth(own), writeTruth);
  if (column.storage !== 'text') return isIn(own, (each) => each);
  const exact = isIn(writeBytes(own), writeBytes);
  return usesIndex([column], sent.flat()) ? ['(', ...isIn(own, (each) => each), ' AND ', ...exact, ')'] : exact;
}

/** A part of an identifier is text; an unsigned integer matches only in the form in which identifiers are written. */
function isImpossible({ type, value }: ScalarConstant, storage: ColumnStorage): boolean {
  return storage === 'decimal' && type === 'text' && !/^(?:0|[1-9]\d{0,19})$/.test(String(value));
}

function writeListed(constant: ScalarConstant, storage: ColumnStorage): Fragment | undefined {
  const isIdentifier = storage === 'decimal' && constant.type === 'text';
  return isIdentifier ? writeDecimal(String(constant.value)) : writeConstant(constant, storage);
}

/** The widest box whose geographic envelope contains it. */
const MAX_GEOGRAPHIC_WIDTH = 180;

/**
 * MariaDB and planar columns of MySQL compare numbers. MySQL measures geographic coordinates on the ellipsoid, where an
 * edge over more than half of the Earth runs the other way round; boxes are planar, so the column is compared without
 * its reference system, and the index serves only points.
 */
function writeBoxOverlap(flavour: MysqlFlavour, column: SqlColumn, box: Bounds): Fragment | undefined {
  if (!Object.values(box).every(Number.isFinite)) return undefined;
  const { srid = 0 } = column;
  const own = writeColumn(column);
  const writeOverlap = (one: string, other: Bounds, number: number, order = ''): Fragment => [
    `MBRIntersects(${one}, ST_GeomFromWKB(`,
    ...createParameter(encodeBox(other)),
    `, ${Math.trunc(number)}${order}))`,
  ];
  if (flavour === 'mariadb') return writeOverlap(own, box, srid);
  if (column.boxes === 'planar') return writeOverlap(own, box, srid);
  const exact = writeOverlap(`ST_SRID(${own}, 0)`, box, 0);
  const earth = {
    minX: Math.max(box.minX, -180),
    minY: Math.max(box.minY, -90),
    maxX: Math.min(box.maxX, 180),
    maxY: Math.min(box.maxY, 90),
  };
  const isNarrow = earth.minX <= earth.maxX && earth.minY <= earth.maxY;
  if (
    column.boxes !== 'geographic' ||
    !column.hasOnlyPoints ||
    !isNarrow ||
    earth.maxX - earth.minX >= MAX_GEOGRAPHIC_WIDTH
  )
    return exact;
  return ['(', ...writeOverlap(own, earth, srid, ", 'axis-order=long-lat'"), ' AND ', ...exact, ')'];
}

function encodeBox({ minX, minY, maxX, maxY }: Bounds): Uint8Array {
  return encodeWkb({
    type: 'Polygon',
    dimension: 'XY',
    ordinates: Float64Array.of(minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY),
    ends: [5],
    parts: [1],
  });
}
