/** Describes a GeoPackage table; values that its catalogue lacks are read from its rows. */
import type { DatabaseSync } from 'node:sqlite';
import { resolveCrsReference } from '../../crs/resolve-crs-reference.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import type { Attribute, FeatureTypeDescription } from '../port/port.ts';
import { readFirstGeometry, survey } from './read.ts';
import type { GeometryColumn, Table } from './table.ts';

/** Counting scans the whole file, so rows of larger files are not counted. */
const COUNTED_BYTES = 134_217_728;

export async function describeTable(
  database: DatabaseSync,
  table: Table,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<FeatureTypeDescription> {
  const { geometry: drawn, columns, name } = table;
  const found =
    drawn === undefined || table.bounds !== undefined
      ? { bounds: drawn === undefined ? undefined : table.bounds, count: table.count }
      : await survey(database, table, drawn.name, signal);
  const crs = drawn === undefined ? {} : await resolveCrsReference(drawn.crs);
  const column = columns.find((each) => each.name === drawn?.name);
  const geometry =
    drawn &&
    column &&
    createGeometryAttribute({ ...drawn, crs }, column, await readSample(database, table, drawn, signal));
  const mayCount = !table.isView && sizeBytes <= COUNTED_BYTES;
  const count = found.count ?? (mayCount ? countRows(database, table) : undefined);
  return {
    name,
    attributes: columns.map((each) => (each.name === geometry?.name ? geometry : each)),
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.name }),
    ...(found.bounds === undefined ? {} : { bounds: found.bounds }),
    ...(count === undefined ? {} : { count }),
  };
}

function countRows(database: DatabaseSync, table: Table): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM ${quoteName(table.name)}`).get()?.['count']);
}

/** Optional dimensions are those of the first geometry. */
async function readSample(
  database: DatabaseSync,
  table: Table,
  { name, z, m }: GeometryColumn,
  signal: AbortSignal,
): Promise<Geometry | null> {
  return z === 2 || m === 2 ? readFirstGeometry(database, table, name, signal) : null;
}

function createGeometryAttribute(
  { type, crs, z, m }: GeometryColumn,
  { name, nillable }: Attribute,
  sample: Geometry | null,
): Attribute {
  const formatAxis = (rule: number, letter: 'Z' | 'M'): string =>
    rule === 1 || (rule === 2 && sample?.dimension.includes(letter)) ? letter : '';
  const dimension = dimensions[`XY${formatAxis(z, 'Z')}${formatAxis(m, 'M')}`] ?? 'XY';
  return { name, nillable, kind: 'geometry', type, dimension, crs };
}

const dimensions: Readonly<Record<string, Dimension>> = { XY: 'XY', XYZ: 'XYZ', XYM: 'XYM', XYZM: 'XYZM' };
