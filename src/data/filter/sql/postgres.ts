/** PostgreSQL without PostGIS: geometries lie behind their boxes, which are the columns `minx` to `maxy` of their table. */
import type { Bounds } from '../../crs/bounds.ts';
import { grown } from '../predicate/boxes.ts';
import { columnName } from './column-name.ts';
import {
  type Condition,
  type Fragment,
  impliesMeeting,
  parameter,
  type SqlColumn,
  type SqlDialect,
} from './dialect.ts';
import { postgisDialect } from './postgis.ts';

export const postgresDialect: SqlDialect = {
  ...postgisDialect(),
  relation(column, { relation, right, byBoxes }) {
    if (right.kind !== 'geometry' || !impliesMeeting(relation)) return undefined;
    return { ...meets(column, right.bounds), isExact: byBoxes ?? false };
  },
  distance(column, { operator, right, distance }) {
    return right.kind === 'geometry' && operator === 'within'
      ? meets(column, grown(right.bounds, distance))
      : undefined;
  },
};

/** What an index over these boxes is made of. */
export function boxSql(column: (name: string) => string): string {
  return `box(point(${column('minx')}, ${column('miny')}), point(${column('maxx')}, ${column('maxy')}))`;
}

/** The index finds boxes that are very near as well; the comparisons leave them out. Geometries are less than their boxes. */
function meets(geometry: SqlColumn, { minX, minY, maxX, maxY }: Bounds): Condition {
  const column = (name: string): string => columnName({ ...geometry, name });
  const [left, lower, right, upper] = [minX, minY, maxX, maxY].map(
    (value): Fragment => [...parameter(String(value)), '::float8'],
  ) as [Fragment, Fragment, Fragment, Fragment];
  return {
    sql: [
      ...[`(${boxSql(column)} && box(point(`, ...left, ', ', ...lower, '), point(', ...right, ', ', ...upper, '))'],
      ...[` AND ${column('maxx')} >= `, ...left, ` AND ${column('minx')} <= `, ...right],
      ...[` AND ${column('maxy')} >= `, ...lower, ` AND ${column('miny')} <= `, ...upper, ')'],
    ],
    isExact: false,
  };
}
