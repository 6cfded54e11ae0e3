/** SQLite: the index of mosaics and GeoPackages, with boxes in R-trees. */
import type { Bounds } from '../../crs/bounds.ts';
import { quoted } from '../../vector/quoted-sql.ts';
import type { PatternPart } from '../evaluate/like-pattern.ts';
import { grown } from '../predicate/boxes.ts';
import type { ScalarConstant } from '../resolved-filter.ts';
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

/** A longer list of numbers with fractions is decided in memory: as JSON they might be rounded otherwise. */
const maxListedNumbers = 500;

const signs = { add: '+', subtract: '-', multiply: '*', divide: '/' } as const;

export const sqliteDialect: SqlDialect = {
  maxParameters: 32_000,
  maxConditions: Number.POSITIVE_INFINITY,
  placeholder: (index) => `?${index}`,
  constant,
  compare(operator, left, right, storage) {
    if (operator === 'notEqual')
      return ['(', ...sqliteDialect.compare('equal', left, right, storage, []), ') IS NOT TRUE'];
    // Text by its bytes, whatever order the column was made with.
    return [...left, storage === 'text' ? ' COLLATE BINARY ' : ' ', `${comparisonSigns[operator]} `, ...right];
  },
  arithmetic(operator, left, right) {
    // Whole numbers would be divided without their fractions, and overflow is infinite here.
    const [one, other] = [left, right].map((side): Fragment => ['CAST(', ...side, ' AS REAL)']);
    return ['nullif(nullif((', ...(one ?? []), ` ${signs[operator]} `, ...(other ?? []), '), 9e999), -9e999)'];
  },
  like,
  membership(column, list) {
    const values = list.map((each) => constant(each, column.storage)?.[0]);
    const sent = values.flatMap((each) => (typeof each === 'object' ? [each.parameter] : []));
    if (sent.length < values.length) return undefined;
    const collation = column.storage === 'text' ? ' COLLATE BINARY' : '';
    const name = `${columnName(column)}${collation}`;
    if (sent.every((each) => typeof each === 'string'))
      return [`${name} IN (SELECT value FROM json_each(`, ...parameter(JSON.stringify(sent)), '))'];
    if (sent.every((each) => typeof each === 'bigint' || Number.isSafeInteger(each)))
      return [`${name} IN (SELECT value FROM json_each(`, ...parameter(`[${sent.join(',')}]`), '))'];
    if (sent.length > maxListedNumbers) return undefined;
    return [
      `${name} IN (`,
      ...sent.flatMap((each, index) => [...(index === 0 ? [] : [', ']), ...parameter(each)]),
      ')',
    ];
  },
  relation(column, { relation, right, byBoxes }) {
    if (right.kind !== 'geometry' || !impliesMeeting(relation)) return undefined;
    const condition = meets(column, right.bounds);
    return condition !== undefined && byBoxes ? { ...condition, isExact: true } : condition;
  },
  distance(column, { operator, right, distance }) {
    return right.kind === 'geometry' && operator === 'within'
      ? meets(column, grown(right.bounds, distance))
      : undefined;
  },
};

function constant({ type, value }: ScalarConstant, storage: ColumnStorage): Fragment | undefined {
  switch (type) {
    case 'text':
      return storage === 'text' && isSendable(String(value)) ? parameter(String(value)) : undefined;
    case 'boolean':
      return storage === 'boolean' ? parameter(value === true ? 1 : 0) : undefined;
    case 'number':
    case 'decimal':
      if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
      return storage === 'integer' || storage === 'double' ? parameter(value) : undefined;
    case 'moment':
      return storage === 'epochMs' && typeof value === 'number' ? parameter(value) : undefined;
  }
}

/** GLOB tells upper from lower case and uses indexes; LIKE ignores the case of ASCII. */
function like(column: SqlColumn, parts: readonly PatternPart[], matchCase: boolean): Condition | undefined {
  const { start, isWhole } = simpleStart(parts);
  if (!matchCase) {
    const { text, isExact } = likeText(start, false);
    if (!isSendable(text)) return undefined;
    return { sql: [`${columnName(column)} LIKE `, ...parameter(text), " ESCAPE '\\'"], isExact: isExact && isWhole };
  }
  const text = start
    .map((part) => (part.kind === 'any' ? '*' : part.kind === 'one' ? '?' : part.text.replace(/[*?[]/, '[$&]')))
    .join('');
  return isSendable(text) ? { sql: [`${columnName(column)} GLOB `, ...parameter(text)], isExact: isWhole } : undefined;
}

/** Boxes are rounded outwards in the index, and geometries are less than their boxes. */
function meets({ spatialIndex, table }: SqlColumn, { minX, minY, maxX, maxY }: Bounds): Condition | undefined {
  if (spatialIndex === undefined) return undefined;
  const key = columnName({ name: spatialIndex.key, storage: 'integer', ...(table === undefined ? {} : { table }) });
  return {
    sql: [
      `${key} IN (SELECT id FROM ${quoted(spatialIndex.table)} WHERE maxx >= `,
      ...parameter(minX),
      ' AND minx <= ',
      ...parameter(maxX),
      ' AND maxy >= ',
      ...parameter(minY),
      ' AND miny <= ',
      ...parameter(maxY),
      ')',
    ],
    isExact: false,
  };
}
