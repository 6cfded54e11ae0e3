/** Writes the statements that create vector tile layers in the database. */
import type { Bounds } from '../../../crs/bounds.ts';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlFilter, SqlParameter } from '../../../filter/sql/sql.ts';
import type { SourceTile } from '../../port/port.ts';
import { type CatalogColumn, createValueAttribute, parseDeclaredForm } from '../table/columns.ts';
import { writeTableCondition } from '../table/sql-table.ts';
import { listKeyColumns, type Table } from '../table/table.ts';
import { type Call, writeKeyHash, writeThinning } from './tile-thinning.ts';

/** In pixels: features of at least this size are always drawn. */
const LARGE_PIXELS = 4;

/** The resolution of sampling by key hashes. */
const SAMPLE_STEPS = 1_048_576;

export interface Sampling {
  /** The maximum number of features. */
  readonly limit: number;
  /** The share of the smaller features; undefined for all. */
  readonly share?: number | undefined;
  readonly isSimplified?: boolean;
  /** The number of features after thinning by a grid; undefined without thinning. */
  readonly thinnedTo?: number;
}

export interface TileParts {
  readonly drawn: CatalogColumn;
  readonly values: readonly string[];
  readonly condition: SqlFilter | undefined;
}

export function findTileParts(table: Table, { geometry, attributes, filter }: SourceTile): TileParts | undefined {
  const byName = new Map(table.columns.map((each) => [each.name, each]));
  const drawn = byName.get(geometry.name);
  if (drawn?.typeName !== 'geometry') return undefined;
  const condition = filter && writeTableCondition(table, filter);
  if (condition?.remainder !== undefined) return undefined;
  const values = attributes.flatMap(({ name, as }) => {
    const column = byName.get(name);
    const value = column && writeTileValue(column);
    return value === undefined ? [] : [`${value} AS ${quoteName(as)}`];
  });
  return { drawn, values, condition };
}

/** Writes a value like the built-in encoder; undefined for types that tiles do not support. */
function writeTileValue(column: CatalogColumn): string | undefined {
  const name = quoteName(column.name);
  const attribute = createValueAttribute(column);
  switch (attribute.type) {
    case 'bytes':
      return undefined;
    case 'boolean':
    case 'short':
    case 'integer':
    case 'double':
      return name;
    case 'long':
      return `${name}::int8`;
    // A float4 would be converted to the nearest double, which has more digits.
    case 'float':
      return `${name}::text::float8`;
    case 'date':
      return writeWithinYears(name, `pg_catalog.to_char(${name}, 'YYYY-MM-DD')`);
    case 'timestamp': {
      // Always milliseconds, and microseconds only if not zero.
      const text = `pg_catalog.to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
      return writeWithinYears(name, `pg_catalog.regexp_replace(${text}, '000Z$', 'Z')`);
    }
    default:
      return `${name}::text`;
  }
}

function writeWithinYears(name: string, text: string): string {
  return `CASE WHEN ${name} >= '0001-01-01' AND ${name} < '10000-01-01' THEN ${text} END`;
}

export interface TileStatement {
  /** The name of a prepared statement; undefined if it is not prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly SqlParameter[];
}

export function writeTileStatement(
  table: Table,
  tile: SourceTile,
  { drawn, values, condition }: TileParts,
  { limit, share, isSimplified = false, thinnedTo }: Sampling,
): TileStatement {
  const { frame, layer, attributes } = tile;
  const parameters: SqlParameter[] = [...(condition?.parameters ?? [])];
  const writeCall = (name: string, ...inputs: readonly string[]) =>
    `${qualifyName(drawn.typeSchema, name)}(${inputs.join(', ')})`;
  const taken = new Set(attributes.map(({ as }) => as));
  const [geometry, id] = [createUniqueName('geometry', taken), createUniqueName('id', taken)];
  const conditions = [
    ...(condition === undefined ? [] : [condition.sql]),
    writeBoxOverlap(drawn, tile.box, parameters),
  ];
  const sample = share === undefined ? undefined : writeSampling(table, drawn, { tile, share }, parameters);
  const shape = writeCall(
    'st_asmvtgeom',
    isSimplified ? writeSimplified(drawn, tile, writeCall) : writeTileGeometry(drawn, tile, writeCall),
    `${writeCall('st_makeenvelope', ...writeBoxInputs(frame.bounds, parameters), String(frame.epsg))}::${qualifyName(drawn.typeSchema, 'box2d')}`,
    String(frame.extent),
    String(frame.buffer),
    'true',
  );
  const key = writeFeatureNumber(table);
  const selected = [...(key === undefined ? [] : [`${key} AS ${quoteName(id)}`]), ...values];
  const where = [...conditions, ...(sample === undefined ? [] : [`(${sample.isLarge} OR ${sample.isDrawn})`])];
  const largeFirst = sample === undefined ? '' : ` ORDER BY (${sample.isLarge}) DESC`;
  const every = `SELECT * FROM ${table.relation} WHERE ${where.join(' AND ')}${largeFirst} LIMIT ${Math.trunc(limit)}`;
  const found =
    thinnedTo === undefined ? every : writeThinning(every, table, { tile, drawn, thinnedTo, writeCall }, parameters);
  const rows = `SELECT ${[...selected, `${shape} AS ${quoteName(geometry)}`].join(', ')} FROM (${found}) AS found${writeMembers(drawn, writeCall)}`;
  parameters.push(layer, geometry, ...(key === undefined ? [] : [id]));
  const names = [layer, geometry, ...(key === undefined ? [] : [id])].map(
    (_, index, all) => `$${parameters.length - all.length + index + 1}::text`,
  );
  const inputs = ['tile', names[0] ?? '', String(frame.extent), ...names.slice(1)];
  return {
    text: `SELECT ${writeCall('st_asmvt', ...inputs)} AS tile, pg_catalog.count(*)::int4 AS rows FROM (${rows}) AS tile`,
    values: parameters,
  };
}

function createUniqueName(wanted: string, taken: ReadonlySet<string>): string {
  return taken.has(wanted) ? createUniqueName(`${wanted}_`, taken) : wanted;
}

function writeBoxInputs({ minX, minY, maxX, maxY }: Bounds, parameters: SqlParameter[]): readonly string[] {
  return [minX, minY, maxX, maxY].map((each) => {
    parameters.push(String(each));
    return `$${parameters.length}::float8`;
  });
}

/** Selects by boxes alone, which the index contains; features outside the tile have no shape in it. */
export function writeBoxOverlap(drawn: CatalogColumn, box: Bounds, parameters: SqlParameter[]): string {
  const { typeSchema, name } = drawn;
  const srid = Math.max(0, parseDeclaredForm(drawn)?.srid ?? 0);
  const envelope = `${qualifyName(typeSchema, 'st_makeenvelope')}(${[...writeBoxInputs(box, parameters), srid].join(', ')})`;
  return `${quoteName(name)} OPERATOR(${quoteName(typeSchema)}.&&) ${envelope}`;
}

/** Selects the larger features, and others by a hash of their key: the same in adjacent tiles and on repetition. */
function writeSampling(
  table: Table,
  drawn: CatalogColumn,
  { tile: { box, frame }, share }: { readonly tile: SourceTile; readonly share: number },
  parameters: SqlParameter[],
): { readonly isLarge: string; readonly isDrawn: string } {
  const { typeSchema } = drawn;
  const writeBoxCall = (name: string) =>
    `${qualifyName(typeSchema, name)}(${qualifyName(typeSchema, 'box2d')}(${quoteName(drawn.name)}))`;
  const writeLimit = (low: number, high: number): string => {
    parameters.push(String(((high - low) * LARGE_PIXELS) / frame.pixels));
    return `$${parameters.length}::float8`;
  };
  const isWide = `${writeBoxCall('st_xmax')} - ${writeBoxCall('st_xmin')} > ${writeLimit(box.minX, box.maxX)}`;
  const isHigh = `${writeBoxCall('st_ymax')} - ${writeBoxCall('st_ymin')} > ${writeLimit(box.minY, box.maxY)}`;
  parameters.push(String(Math.max(1, Math.round(share * SAMPLE_STEPS))));
  const isDrawn = `(${writeKeyHash(table)} & ${SAMPLE_STEPS - 1}) < $${parameters.length}::int8`;
  return { isLarge: `${isWide} OR ${isHigh}`, isDrawn };
}

/** The column name for members of a collection, which is unlikely to be used by a table. */
const MEMBER = quoteName('member of the collection');

/** Transforms to the CRS of the tile; the configured CRS takes precedence over the SRID in the database. */
function writeTileGeometry(drawn: CatalogColumn, { geometry, frame }: SourceTile, call: Call): string {
  const own = canBeCollection(drawn) ? MEMBER : quoteName(drawn.name);
  const isDeclared = parseDeclaredForm(drawn)?.srid === geometry.epsg;
  const known = isDeclared ? own : call('st_setsrid', own, String(geometry.epsg));
  return geometry.epsg === frame.epsg ? known : call('st_transform', known, String(frame.epsg));
}

/** Half a pixel, as in the built-in encoder. */
const SIMPLIFIED_PIXELS = 0.5;

function writeSimplified(drawn: CatalogColumn, tile: SourceTile, call: Call): string {
  const geometry = writeTileGeometry(drawn, tile, call);
  const { bounds, pixels } = tile.frame;
  const tolerance = ((bounds.maxX - bounds.minX) / pixels) * SIMPLIFIED_PIXELS;
  return parseDeclaredForm(drawn)?.type === 'Point'
    ? geometry
    : call('st_simplify', geometry, `${tolerance}::float8`, 'true');
}

function canBeCollection(drawn: CatalogColumn): boolean {
  const type = parseDeclaredForm(drawn)?.type ?? 'Geometry';
  return type === 'Geometry' || type === 'GeometryCollection';
}

/** Tiles do not support collections, so their members become features. */
function writeMembers(drawn: CatalogColumn, call: Call): string {
  if (!canBeCollection(drawn)) return '';
  const own = quoteName(drawn.name);
  const isCollection = `${call('st_geometrytype', own)} = 'ST_GeometryCollection'`;
  return ` CROSS JOIN LATERAL (
    SELECT ${own} AS ${MEMBER} WHERE NOT ${isCollection}
    UNION ALL SELECT (${call('st_dump', own)}).geom WHERE ${isCollection}
  ) AS part`;
}

const wholeNumbers: ReadonlySet<string> = new Set(['int2', 'int4']);

/** The numeric feature id in tiles: the key, if it is a number that all clients can read. */
function writeFeatureNumber(table: Table): string | undefined {
  const [key, ...others] = listKeyColumns(table);
  if (key === undefined || others.length > 0) return undefined;
  const name = quoteName(key.name);
  if (wholeNumbers.has(key.typeName)) return name;
  return `CASE WHEN ${name}::text ~ '^[0-9]{1,15}$' THEN ${name}::text::int8 END`;
}
