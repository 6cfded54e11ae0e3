/** The conditions of PostgreSQL on texts, numbers, moments and other values without geometry. */
import { formatExactMoment } from '../model/moment.ts';
import type { ScalarConstant } from '../model/resolved-filter.ts';
import { writeColumnName } from './column-name.ts';
import {
  type ColumnStorage,
  comparisonSigns,
  createParameter,
  isSendable,
  type SqlDialect,
  splitSimpleStart,
  writeLikePattern,
} from './dialect.ts';

const [leastLong, greatestLong] = [-(2n ** 63n), 2n ** 63n - 1n];

export const postgresScalars: Omit<SqlDialect, 'writeRelation' | 'writeDistance'> = {
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
};

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
