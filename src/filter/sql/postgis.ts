/** PostgreSQL with PostGIS, whose spatial relations match the built-in ones. */
import { encodeWkb } from '../../geometry/wkb-encode.ts';
import type { GeometryOperand, ResolvedDistance, ResolvedRelation } from '../model/resolved-filter.ts';
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
import { qualifyName, quoteName } from './quote-sql.ts';

/** The schema is that of the PostGIS extension. */
export function createPostgisDialect(schema = 'public'): SqlDialect {
  return {
    ...postgresScalars,
    writeRelation: (column, relation) => writeRelation(schema, column, relation),
    writeDistance: (column, distance) => writeDistance(schema, column, distance),
  };
}

function writeRelation(
  schema: string,
  column: SqlColumn,
  { relation, right, byBoxes }: ResolvedRelation,
): Condition | undefined {
  const other = writeGeometry(schema, column, right);
  if (other === undefined || right.kind !== 'geometry') return undefined;
  if (byBoxes) return { sql: writeOrderedBoxOverlap(schema, column, other), isExact: true };
  if (relation === 'intersects') return writeIntersects(schema, column, right, other);
  if (relation === 'disjoint') {
    const condition = writeIntersects(schema, column, right, other);
    return condition.isExact ? { sql: ['NOT ', ...condition.sql], isExact: true } : undefined;
  }
  const own: Fragment = [writeColumnName(column)];
  if (right.geometry.type === 'GeometryCollection')
    return { sql: ['CASE WHEN ', ...own, ' IS NOT NULL THEN FALSE END'], isExact: true };
  const relates =
    typeof relation === 'object'
      ? writeCall(schema, 'st_relate', own, other, [...createParameter(relation.pattern), '::text'])
      : writeCall(schema, `st_${relation}`, own, other);
  // For collections and empty geometries the functions fail or use their own definition.
  const none: Fragment = [...writeCollectionTest(schema, own), ' OR ', ...writeCall(schema, 'st_isempty', own)];
  const sql: Fragment = ['CASE WHEN ', ...none, ' THEN FALSE ELSE ', ...relates, ' END'];
  return {
    sql: isMeetingImplied(relation) ? ['(', ...writeBoxOverlap(schema, column, other), ' AND ', ...sql, ')'] : sql,
    isExact: true,
  };
}

function writeDistance(
  schema: string,
  column: SqlColumn,
  { operator, right, distance }: ResolvedDistance,
): Condition | undefined {
  const other = writeGeometry(schema, column, right);
  if (other === undefined) return undefined;
  const own: Fragment = [writeColumnName(column)];
  const near = writeCall(schema, 'st_dwithin', own, other, [...createParameter(String(distance)), '::float8']);
  if (operator === 'within') return { sql: near, isExact: true };
  return { sql: ['(NOT ', ...writeCall(schema, 'st_isempty', own), ' AND NOT ', ...near, ')'], isExact: true };
}

/**
 * Collections are tested by member, because PostGIS can report that a collection does not intersect a geometry that
 * one of its members intersects.
 */
function writeIntersects(schema: string, column: SqlColumn, right: GeometryOperand, other: Fragment): Condition {
  const own: Fragment = [writeColumnName(column)];
  const overlap = writeBoxOverlap(schema, column, other);
  if (right.kind === 'geometry' && right.geometry.type === 'GeometryCollection')
    return { sql: overlap, isExact: false };
  const plain = writeCall(schema, 'st_intersects', own, other);
  if (column.hasCollections === false) return { sql: plain, isExact: true };
  const parts: Fragment = [
    'EXISTS (SELECT 1 FROM ',
    ...writeCall(schema, 'st_dump', own),
    ' AS part WHERE ',
    ...writeCall(schema, 'st_intersects', ['part.geom'], other),
    ')',
  ];
  const isCollection = writeCollectionTest(schema, own);
  const decided: Fragment = ['CASE WHEN ', ...isCollection, ' THEN ', ...parts, ' ELSE ', ...plain, ' END'];
  return { sql: ['(', ...overlap, ' AND ', ...decided, ')'], isExact: true };
}

function writeCall(schema: string, name: string, ...inputs: readonly Fragment[]): Fragment {
  return [
    `${qualifyName(schema, name)}(`,
    ...inputs.flatMap((input, index) => [...(index === 0 ? [] : [', ']), ...input]),
    ')',
  ];
}

function writeGeometry(schema: string, column: SqlColumn, operand: GeometryOperand): Fragment | undefined {
  if (operand.kind !== 'geometry') return undefined;
  const bytes = encodeWkb(operand.geometry, { srid: column.srid ?? 0 });
  return writeCall(schema, 'st_geomfromewkb', createParameter(bytes));
}

function writeBoxOverlap(schema: string, column: SqlColumn, other: Fragment): Fragment {
  return [`${writeColumnName(column)} OPERATOR(${quoteName(schema)}.&&) `, ...other];
}

/**
 * The database reads few rows of a box in the order of the index, and more rows, or those of several boxes, in the order
 * of the table. Overlapping features would be drawn in another order on a small map, or across the antimeridian. It reads
 * alternatives in the order of the table, so the box has one that matches nothing. Other conditions stay outside of the
 * alternatives: they keep their indexes, also on tables without a spatial index.
 */
function writeOrderedBoxOverlap(schema: string, column: SqlColumn, other: Fragment): Fragment {
  const nothing: Fragment = [`'GEOMETRYCOLLECTION EMPTY'::${qualifyName(schema, 'geometry')}`];
  return ['(', ...writeBoxOverlap(schema, column, other), ' OR ', ...writeBoxOverlap(schema, column, nothing), ')'];
}

function writeCollectionTest(schema: string, own: Fragment): Fragment {
  return [...writeCall(schema, 'st_geometrytype', own), " = 'ST_GeometryCollection'"];
}
