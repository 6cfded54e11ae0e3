/** PostgreSQL without PostGIS: geometries have their boxes in the columns `minx` to `maxy` of their table. */
import type { Bounds } from '../../crs/bounds.ts';
import { expandBounds } from '../predicate/boxes.ts';
import { writeColumnName } from './column-name.ts';
import {
  type Condition,
  createParameter,
  type Fragment,
  isMeetingImplied,
  type SqlColumn,
  type SqlDialect,
} from './dialect.ts';
import { postgresScalars } from './postgres-scalars.ts';

export const postgresDialect: SqlDialect = {
  ...postgresScalars,
  writeRelation(column, { relation, right, byBoxes }) {
    if (right.kind !== 'geometry' || !isMeetingImplied(relation)) return undefined;
    return { ...writeBoxOverlap(column, right.bounds), isExact: byBoxes ?? false };
  },
  writeDistance(column, { operator, right, distance }) {
    return right.kind === 'geometry' && operator === 'within'
      ? writeBoxOverlap(column, expandBounds(right.bounds, distance))
      : undefined;
  },
};

/** Writes the indexed expression for these boxes. */
export function writeBoxSql(column: (name: string) => string): string {
  return `box(point(${column('minx')}, ${column('miny')}), point(${column('maxx')}, ${column('maxy')}))`;
}

/**
 * The index also finds boxes that are merely close; the comparisons exclude them. Boxes are a superset of their
 * geometries.
 */
function writeBoxOverlap(geometry: SqlColumn, { minX, minY, maxX, maxY }: Bounds): Condition {
  const writeColumn = (name: string): string => writeColumnName({ ...geometry, name });
  const [left, lower, right, upper] = [minX, minY, maxX, maxY].map(
    (value): Fragment => [...createParameter(String(value)), '::float8'],
  ) as [Fragment, Fragment, Fragment, Fragment];
  return {
    sql: [
      ...[
        `(${writeBoxSql(writeColumn)} && box(point(`,
        ...left,
        ', ',
        ...lower,
        '), point(',
        ...right,
        ', ',
        ...upper,
        '))',
      ],
      ...[` AND ${writeColumn('maxx')} >= `, ...left, ` AND ${writeColumn('minx')} <= `, ...right],
      ...[` AND ${writeColumn('maxy')} >= `, ...lower, ` AND ${writeColumn('miny')} <= `, ...upper, ')'],
    ],
    isExact: false,
  };
}
