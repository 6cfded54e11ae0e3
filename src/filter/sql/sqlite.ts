/** SQLite dialect for mosaic indexes and GeoPackages, with boxes in R-trees. */
import type { Bounds } from '../../crs/bounds.ts';
import type { PatternPart } from '../evaluate/values/like-pattern.ts';
import type { ScalarConstant } from '../model/resolved-filter.ts';
import { expandBounds } from '../predicate/boxes.ts';
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
import { quoteName } from './quote-sql.ts';

/** Longer lists of fractional numbers are evaluated in memory, because JSON could round them differently. */
const maxListedNumbers = 500;

const signs = { add: '+', subtract: '-', multiply: '*', divide: '/' } as const;

export const sqliteDialect: SqlDialect = {
  maxParameters: 32_000,
  maxConditions: Number.POSITIVE_INFINITY,
  writePlaceholder: (index) => `?${index}`,
  writeConstant: writeConstant,
  writeComparison(operator, left, right, { storage }) {
    // Compares text by bytes, regardless of the collation of the column.
    return [...left, storage === 'text' ? ' COLLATE BINARY ' : ' ', `${comparisonSigns[operator]} `, ...right];
  },
  writeArithmetic(operator, left, right) {
    // Avoids integer division and integer overflow.
    const [one, other] = [left, right].map((side): Fragment => ['CAST(', ...side, ' AS REAL)']);
    return ['nullif(nullif((', ...(one ?? []), ` ${signs[operator]} `, ...(other ?? []), '), 9e999), -9e999)'];
  },
  writeLike: writeLike,
  writeMembership(column, list) {
    const values = list.map((each) => writeConstant(each, column.storage)?.[0]);
    const sent = values.flatMap((each) => (typeof each === 'object' ? [each.parameter] : []));
    if (sent.length < values.length) return undefined;
    const collation = column.storage === 'text' ? ' COLLATE BINARY' : '';
    const name = `${writeColumnName(column)}${collation}`;
    if (sent.every((each) => typeof each === 'string'))
      return [`${name} IN (SELECT value FROM json_each(`, ...createParameter(JSON.stringify(sent)), '))'];
    if (sent.every((each) => typeof each === 'bigint' || Number.isSafeInteger(each)))
      return [`${name} IN (SELECT value FROM json_each(`, ...createParameter(`[${sent.join(',')}]`), '))'];
    if (sent.length > maxListedNumbers) return undefined;
    return [
      `${name} IN (`,
      ...sent.flatMap((each, index) => [...(index === 0 ? [] : [', ']), ...createParameter(each)]),
      ')',
    ];
  },
  writeRelation(column, { relation, right, byBoxes }) {
    if (right.kind !== 'geometry' || !isMeetingImplied(relation)) return undefined;
    const condition = writeBoxOverlap(column, right.bounds);
    return condition !== undefined && byBoxes ? { ...condition, isExact: true } : condition;
  },
  writeDistance(column, { operator, right, distance }) {
    return right.kind === 'geometry' && operator === 'within'
      ? writeBoxOverlap(column, expandBounds(right.bounds, distance))
      : undefined;
  },
};

function writeConstant({ type, value }: ScalarConstant, storage: ColumnStorage): Fragment | undefined {
  switch (type) {
    case 'text':
      return storage === 'text' && isSendable(String(value)) ? createParameter(String(value)) : undefined;
    case 'boolean':
      return storage === 'boolean' ? createParameter(value === true ? 1 : 0) : undefined;
    case 'number':
    case 'decimal':
      if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
      return storage === 'integer' || storage === 'double' ? createParameter(value) : undefined;
    case 'moment':
      return storage === 'epochMs' && typeof value === 'number' ? createParameter(value) : undefined;
  }
}

/** GLOB is case-sensitive and uses indexes; LIKE ignores the case of ASCII. */
function writeLike(column: SqlColumn, parts: readonly PatternPart[], matchCase: boolean): Condition | undefined {
  const { start, isWhole } = splitSimpleStart(parts);
  if (!matchCase) {
    const { text, isExact } = writeLikePattern(start, false);
    if (!isSendable(text)) return undefined;
    return {
      sql: [`${writeColumnName(column)} LIKE `, ...createParameter(text), " ESCAPE '\\'"],
      isExact: isExact && isWhole,
    };
  }
  const text = start
    .map((part) => (part.kind === 'any' ? '*' : part.kind === 'one' ? '?' : part.text.replace(/[*?[]/, '[$&]')))
    .join('');
  return isSendable(text)
    ? { sql: [`${writeColumnName(column)} GLOB `, ...createParameter(text)], isExact: isWhole }
    : undefined;
}

/** The index rounds boxes outwards, and boxes are a superset of their geometries. */
function writeBoxOverlap(
  { spatialIndex, table }: SqlColumn,
  { minX, minY, maxX, maxY }: Bounds,
): Condition | undefined {
  if (spatialIndex === undefined) return undefined;
  const key = writeColumnName({
    name: spatialIndex.key,
    storage: 'integer',
    ...(table === undefined ? {} : { table }),
  });
  return {
    sql: [
      `${key} IN (SELECT id FROM ${quoteName(spatialIndex.table)} WHERE maxx >= `,
      ...createParameter(minX),
      ' AND minx <= ',
      ...createParameter(maxX),
      ' AND maxy >= ',
      ...createParameter(minY),
      ' AND miny <= ',
      ...createParameter(maxY),
      ')',
    ],
    isExact: false,
  };
}
