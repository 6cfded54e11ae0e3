/** PostgreSQL with PostGIS, whose spatial relations match the built-in ones. */

import { encodeWkb } from '../../geometry/wkb-encode.ts';
import { formatExactMoment } from '../model/moment.ts';
import type { GeometryOperand, ScalarConstant } from '../model/resolved-filter.ts';
import { writeColumnName } from './column-name.ts';
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
import { qualifyName, quoteName } from './quote-sql.ts';

const [leastLong, greatestLong] = [-(2n ** 63n), 2n ** 63n - 1n];

/** The schema is that of the PostGIS extension. */
export function createPostgisDialect(schema = 'public'): SqlDialect {
  const writeCall = (name: string, ...inputs: readonly Fragment[]): Fragment => [
    `${qualifyName(schema, name)}(`,
    ...inputs.flatMap((input, index) => [...(index === 0 ? [] : [', ']), ...input]),
    ')',
  ];
  const writeGeometry = (column: SqlColumn, operand: GeometryOperand): Fragment | undefined =>
    operand.kind === 'geometry'
      ? writeCall('st_geomfromewkb', createParameter(encodeWkb(operand.geometry, { srid: column.srid ?? 0 })))
      : undefined;
  const writeBoxOverlap = (column: SqlColumn, other: Fragment): Fragment => [
    `${writeColumnName(column)} OPERATOR(${quoteName(schema)}.&&) `,
    ...other,
  ];

  const writeCollectionTest = (own: Fragment): Fragment => [
    ...writeCall('st_geometrytype', own),
    " = 'ST_GeometryCollection'",
  ];

  /**
   * Collections are tested by member, because PostGIS can report that a collection does not intersect a geometry that
   * one of its members intersects.
   */
  const writeIntersects = (column: SqlColumn, right: GeometryOperand, other: Fragment): Condition => {
    const own: Fragment = [writeColumnName(column)];
    if (right.kind === 'geometry' && right.geometry.type === 'GeometryCollection')
      return { sql: writeBoxOverlap(column, other), isExact: false };
    const plain = writeCall('st_intersects', own, other);
    if (column.hasCollections === false) return { sql: plain, isExact: true };
    const parts: Fragment = [
      'EXISTS (SELECT 1 FROM ',
      ...writeCall('st_dump', own),
      ' AS part WHERE ',
      ...writeCall('st_intersects', ['part.geom'], other),
      ')',
    ];
    const decided: Fragment = [
      'CASE WHEN ',
      ...writeCollectionTest(own),
      ' THEN ',
      ...parts,
      ' ELSE ',
      ...plain,
      ' END',
    ];
    return { sql: ['(', ...writeBoxOverlap(column, other), ' AND ', ...decided, ')'], isExact: true };
  };

  const dialect: SqlDialect = {
    maxParameters: 60_000,
    maxConditions: 1_000,
    writePlaceholder: (index) => `$${index}`,
    writeConstant(constant, storage) {
      const sent = toSendable(constant, storage);
      return sent === undefined ? undefined : [...createParameter(sent.text), `::${sent.type}`];
    },
    writeComparison(operator, left, right, { storage, columns }) {
      const sign = comparisonSigns[operator];
      if (operator === 'equal') return [...left, ` ${sign} `, ...right];
      if (storage === 'text')
        return [...left, ...(operator === 'notEqual' ? [] : [' COLLATE "C"']), ` ${sign} `, ...right];
      // NaN counts as null, but is greater than all numbers in PostgreSQL.
      const guards = columns
        .filter((column) => column.storage === 'double' || column.storage === 'decimal')
        .map((column) => ` AND ${writeColumnName(column)} <> 'NaN'`);
      return [...left, ` ${sign} `, ...right, ...guards];
    },
    // An overflow would fail the whole statement.
    writeArithmetic: () => undefined,
    writeLike(column, parts, matchCase) {
      const { start, isWhole } = splitSimpleStart(parts);
      const { text, isExact } = writeLikePattern(start, matchCase);
      if (!isSendable(text)) return undefined;
      const sql = [
        `${writeColumnName(column)} ${matchCase ? 'LIKE' : 'ILIKE'} `,
        ...createParameter(text),
        "::text ESCAPE '\\'",
      ];
      return { sql, isExact: isExact && isWhole };
    },
    writeMembership(column, list) {
      const sent = list.map((each) => toSendable(each, column.storage));
      const [first] = sent;
      if (first === undefined || !sent.every((each) => each !== undefined)) return undefined;
      const type = sent.find((each) => each.type !== first.type)?.type === undefined ? first.type : 'numeric';
      return [`${writeColumnName(column)} = ANY(`, ...createParameter(sent.map(({ text }) => text)), `::${type}[])`];
    },
    writeRelation(column, { relation, right, byBoxes }) {
      const other = writeGeometry(column, right);
      if (other === undefined || right.kind !== 'geometry') return undefined;
      if (byBoxes) return { sql: writeBoxOverlap(column, other), isExact: true };
      if (relation === 'intersects') return writeIntersects(column, right, other);
      if (relation === 'disjoint') {
        const condition = writeIntersects(column, right, other);
        return condition.isExact ? { sql: ['NOT ', ...condition.sql], isExact: true } : undefined;
      }
      const own: Fragment = [writeColumnName(column)];
      if (right.geometry.type === 'GeometryCollection')
        return { sql: ['CASE WHEN ', ...own, ' IS NOT NULL THEN FALSE END'], isExact: true };
      const relates =
        typeof relation === 'object'
          ? writeCall('st_relate', own, other, [...createParameter(relation.pattern), '::text'])
          : writeCall(`st_${relation}`, own, other);
      // For collections and empty geometries the functions fail or use their own definition.
      const none: Fragment = [...writeCollectionTest(own), ' OR ', ...writeCall('st_isempty', own)];
      const sql: Fragment = ['CASE WHEN ', ...none, ' THEN FALSE ELSE ', ...relates, ' END'];
      return {
        sql: isMeetingImplied(relation) ? ['(', ...writeBoxOverlap(column, other), ' AND ', ...sql, ')'] : sql,
        isExact: true,
      };
    },
    writeDistance(column, { operator, right, distance }) {
      const other = writeGeometry(column, right);
      if (other === undefined) return undefined;
      const own: Fragment = [writeColumnName(column)];
      const near = writeCall('st_dwithin', own, other, [...createParameter(String(distance)), '::float8']);
      if (operator === 'within') return { sql: near, isExact: true };
      return { sql: ['(NOT ', ...writeCall('st_isempty', own), ' AND NOT ', ...near, ')'], isExact: true };
    },
  };
  return dialect;
}

/** Sends text, which the cast to the type parses. */
function toSendable(
  { type, value }: ScalarConstant,
  storage: ColumnStorage,
): { readonly text: string; readonly type: string } | undefined {
  switch (storage) {
    case 'text':
      return type === 'text' && isSendable(String(value)) ? { text: String(value), type: 'text' } : undefined;
    // UUIDs in another spelling match no row, because ids are written in canonical form.
    case 'uuid':
      return type === 'text' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value))
        ? { text: String(value), type: 'uuid' }
        : undefined;
    case 'boolean':
      return type === 'boolean' ? { text: String(value), type: 'boolean' } : undefined;
    case 'integer':
      return type === 'number' ? { text: String(value), type: isLong(value) ? 'int8' : 'numeric' } : undefined;
    case 'double':
      return type === 'number' ? { text: String(value), type: 'float8' } : undefined;
    case 'decimal':
      return type === 'number' || type === 'decimal' ? { text: String(value), type: 'numeric' } : undefined;
    case 'timestamptz': {
      const text = type === 'moment' ? toSendableMoment(value) : undefined;
      return text === undefined ? undefined : { text, type: 'timestamptz' };
    }
    // The time zone must not depend on the session.
    case 'timestamp':
    case 'date': {
      const text = type === 'moment' ? toSendableMoment(value) : undefined;
      return text === undefined ? undefined : { text: text.slice(0, -1), type: 'timestamp' };
    }
    case 'epochMs':
      return type === 'moment' && typeof value === 'number'
        ? { text: String(value), type: isLong(value) ? 'int8' : 'numeric' }
        : undefined;
    default:
      return undefined;
  }
}

/** PostgreSQL would round beyond microseconds. */
function toSendableMoment(value: ScalarConstant['value']): string | undefined {
  const text = formatExactMoment(typeof value === 'string' ? value : Number(value));
  return /\.\d{7,}Z$/.test(text) ? undefined : text;
}

/** Indexes on integers are used only for integer constants. */
function isLong(value: ScalarConstant['value']): boolean {
  if (typeof value === 'bigint') return value >= leastLong && value <= greatestLong;
  return Number.isSafeInteger(value);
}
