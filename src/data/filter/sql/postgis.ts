/** PostgreSQL with PostGIS, whose relations are exactly ours. */
import { qualified, quoted } from '../../vector/quoted-sql.ts';
import { encodeWkb } from '../../vector/wkb-encode.ts';
import { momentText } from '../moment.ts';
import type { GeometryOperand, ScalarConstant } from '../resolved-filter.ts';
import { columnName } from './column-name.ts';
import {
  type ColumnStorage,
  type Condition,
  comparisonSigns,
  type Fragment,
  impliesMeeting,
  isSendable,
  likeText,
  parameter,
  type SqlColumn,
  type SqlDialect,
  simpleStart,
} from './dialect.ts';

const [leastLong, greatestLong] = [-(2n ** 63n), 2n ** 63n - 1n];

/** The schema is that of the PostGIS extension. */
export function postgisDialect(schema = 'public'): SqlDialect {
  const call = (name: string, ...inputs: readonly Fragment[]): Fragment => [
    `${qualified(schema, name)}(`,
    ...inputs.flatMap((input, index) => [...(index === 0 ? [] : [', ']), ...input]),
    ')',
  ];
  const geometry = (column: SqlColumn, operand: GeometryOperand): Fragment | undefined =>
    operand.kind === 'geometry'
      ? call('st_geomfromewkb', parameter(encodeWkb(operand.geometry, { srid: column.srid ?? 0 })))
      : undefined;
  const meets = (column: SqlColumn, other: Fragment): Fragment => [
    `${columnName(column)} OPERATOR(${quoted(schema)}.&&) `,
    ...other,
  ];

  const isCollection = (own: Fragment): Fragment => [...call('st_geometrytype', own), " = 'ST_GeometryCollection'"];

  /** Collections are taken for their members: of the whole it may be said that it does not meet what one of them meets. */
  const intersects = (column: SqlColumn, right: GeometryOperand, other: Fragment): Condition => {
    const own: Fragment = [columnName(column)];
    if (right.kind === 'geometry' && right.geometry.type === 'GeometryCollection')
      return { sql: meets(column, other), isExact: false };
    const plain = call('st_intersects', own, other);
    if (column.hasCollections === false) return { sql: plain, isExact: true };
    const parts: Fragment = [
      'EXISTS (SELECT 1 FROM ',
      ...call('st_dump', own),
      ' AS part WHERE ',
      ...call('st_intersects', ['part.geom'], other),
      ')',
    ];
    const decided: Fragment = ['CASE WHEN ', ...isCollection(own), ' THEN ', ...parts, ' ELSE ', ...plain, ' END'];
    return { sql: ['(', ...meets(column, other), ' AND ', ...decided, ')'], isExact: true };
  };

  const dialect: SqlDialect = {
    maxParameters: 60_000,
    maxConditions: 1_000,
    placeholder: (index) => `$${index}`,
    constant(constant, storage) {
      const sent = sendable(constant, storage);
      return sent === undefined ? undefined : [...parameter(sent.text), `::${sent.type}`];
    },
    compare(operator, left, right, storage, columns) {
      if (operator === 'notEqual')
        return ['(', ...dialect.compare('equal', left, right, storage, columns), ') IS NOT TRUE'];
      const sign = comparisonSigns[operator];
      if (operator === 'equal') return [...left, ` ${sign} `, ...right];
      if (storage === 'text') return [...left, ` COLLATE "C" ${sign} `, ...right];
      // What is no number is greater than all here.
      const guards = columns
        .filter((column) => column.storage === 'double' || column.storage === 'decimal')
        .map((column) => ` AND ${columnName(column)} <> 'NaN'`);
      return [...left, ` ${sign} `, ...right, ...guards];
    },
    // An overflow would be an error of the whole statement.
    arithmetic: () => undefined,
    like(column, parts, matchCase) {
      const { start, isWhole } = simpleStart(parts);
      const { text, isExact } = likeText(start, matchCase);
      if (!isSendable(text)) return undefined;
      const sql = [`${columnName(column)} ${matchCase ? 'LIKE' : 'ILIKE'} `, ...parameter(text), "::text ESCAPE '\\'"];
      return { sql, isExact: isExact && isWhole };
    },
    membership(column, list) {
      const sent = list.map((each) => sendable(each, column.storage));
      const [first] = sent;
      if (first === undefined || !sent.every((each) => each !== undefined)) return undefined;
      const type = sent.find((each) => each.type !== first.type)?.type === undefined ? first.type : 'numeric';
      return [`${columnName(column)} = ANY(`, ...parameter(sent.map(({ text }) => text)), `::${type}[])`];
    },
    relation(column, { relation, right, byBoxes }) {
      const other = geometry(column, right);
      if (other === undefined || right.kind !== 'geometry') return undefined;
      if (byBoxes) return { sql: meets(column, other), isExact: true };
      if (relation === 'intersects') return intersects(column, right, other);
      if (relation === 'disjoint') {
        const condition = intersects(column, right, other);
        return condition.isExact ? { sql: ['NOT ', ...condition.sql], isExact: true } : undefined;
      }
      if (right.geometry.type === 'GeometryCollection') return { sql: ['FALSE'], isExact: true };
      const own: Fragment = [columnName(column)];
      const relates =
        typeof relation === 'object'
          ? call('st_relate', own, other, [...parameter(relation.pattern), '::text'])
          : call(`st_${relation}`, own, other);
      // In a collection or in nothing the functions would see an error or a relation of their own.
      const none: Fragment = [...isCollection(own), ' OR ', ...call('st_isempty', own)];
      const sql: Fragment = ['CASE WHEN ', ...none, ' THEN FALSE ELSE ', ...relates, ' END'];
      return {
        sql: impliesMeeting(relation) ? ['(', ...meets(column, other), ' AND ', ...sql, ')'] : sql,
        isExact: true,
      };
    },
    distance(column, { operator, right, distance }) {
      const other = geometry(column, right);
      if (other === undefined) return undefined;
      const own: Fragment = [columnName(column)];
      const near = call('st_dwithin', own, other, [...parameter(String(distance)), '::float8']);
      if (operator === 'within') return { sql: near, isExact: true };
      return { sql: ['(NOT ', ...call('st_isempty', own), ' AND NOT ', ...near, ')'], isExact: true };
    },
  };
  return dialect;
}

/** As text, which the type behind it reads. */
function sendable(
  { type, value }: ScalarConstant,
  storage: ColumnStorage,
): { readonly text: string; readonly type: string } | undefined {
  switch (storage) {
    case 'text':
      return type === 'text' && isSendable(String(value)) ? { text: String(value), type: 'text' } : undefined;
    // Others than these are equal to none that is read, since those are written so.
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
      const text = type === 'moment' ? sendableMoment(value) : undefined;
      return text === undefined ? undefined : { text, type: 'timestamptz' };
    }
    // The zone must not be that of the session.
    case 'timestamp':
    case 'date': {
      const text = type === 'moment' ? sendableMoment(value) : undefined;
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

/** Of more than microseconds the database would round. */
function sendableMoment(value: ScalarConstant['value']): string | undefined {
  const text = momentText(typeof value === 'string' ? value : Number(value));
  return /\.\d{7,}Z$/.test(text) ? undefined : text;
}

/** Indexes of whole numbers are used with whole numbers only. */
function isLong(value: ScalarConstant['value']): boolean {
  if (typeof value === 'bigint') return value >= leastLong && value <= greatestLong;
  return Number.isSafeInteger(value);
}
