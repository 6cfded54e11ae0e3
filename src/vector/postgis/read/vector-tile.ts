/** Creates vector tile layers in the database, so that features are not transferred one by one. */
import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Bounds } from '../../../crs/bounds.ts';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlFilter, SqlParameter } from '../../../filter/sql/sql.ts';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import type { SourceTile } from '../../port/port.ts';
import type { SqlView } from '../../port/sql-view.ts';
import type { Connections } from '../connection/connections.ts';
import { type CatalogColumn, createValueAttribute, parseDeclaredForm } from '../table/columns.ts';
import { estimateRows } from '../table/estimate.ts';
import { oneStatement, withQueryTable } from '../table/query-table.ts';
import { writeTableCondition } from '../table/sql-table.ts';
import { listKeyColumns, type Table } from '../table/table.ts';
import type { PostgisContext } from './read.ts';
import { getRecentTable, isOutdated, loadCurrentTable } from './recent-table.ts';
import { type Call, writeKeyHash, writeThinning } from './tile-thinning.ts';

/** In pixels: features of at least this size are always drawn. */
const LARGE_PIXELS = 4;

/** The resolution of sampling by key hashes. */
const SAMPLE_STEPS = 1_048_576;

/** Returns undefined if a part must be evaluated in memory, or the database cannot create an equivalent tile. */
export async function createVectorTile(
  place: PostgisContext,
  named: string | SqlView,
  tile: SourceTile,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (typeof named !== 'string') {
    const made = await place.connections.withClient(signal, (client) =>
      withQueryTable(client, named, async (table) => {
        const parts = findTileParts(table, tile);
        if (parts === undefined) return undefined;
        const jumps = writeJumpQuery(table, parts, tile, tile.box);
        if (jumps !== undefined && (await queryJumps(client, jumps))) return undefined;
        return reduceTile(tile, parts, { limit: tile.limit }, (how) =>
          queryDatabase(client, writeTileStatement(table, tile, parts, how)),
        );
      }),
    );
    return made === 'outdated' ? undefined : made?.bytes;
  }
  const recent = await getRecentTable(place, named, signal);
  const made = await createTableTile(place, recent, tile, signal);
  if (made !== 'outdated') return made;
  const current = await loadCurrentTable(place, named, signal);
  const again = await createTableTile(place, current, tile, signal);
  return again === 'outdated' ? undefined : again;
}

/** The tolerance for uneven distribution before a tile is checked for too many features. */
const CROWDING = 4;

async function createTableTile(
  place: PostgisContext,
  table: Table,
  tile: SourceTile,
  signal: AbortSignal,
): Promise<Uint8Array | undefined | 'outdated'> {
  const parts = findTileParts(table, tile);
  if (parts === undefined || (await hasJumps(place, table, { tile, parts }, signal))) return undefined;
  const { limit } = tile;
  const queryTile = (how: Sampling, isUsual = false) => {
    const statement = writeTileStatement(table, tile, parts, how);
    const known = isUsual ? prepareStatement(place.connections, statement) : statement;
    return place.connections.withClient(signal, (client) => queryDatabase(client, known));
  };
  const mayBeMany = (table.estimatedRows ?? 0) > limit && listKeyColumns(table).length > 0;
  if (mayBeMany && (estimateFeatures(table, tile) ?? Number.POSITIVE_INFINITY) * CROWDING <= limit) {
    // One more than the limit shows whether there are more.
    const made = await queryTile({ limit: limit + 1 }, parts.condition === undefined);
    if (made === undefined || made === 'outdated') return made;
    if (made.rows <= limit && made.bytes.length <= tile.maxBytes) return made.bytes;
  }
  const share = mayBeMany ? await computeSampledShare(place, table, { tile, parts }, signal) : undefined;
  const made = await reduceTile(tile, parts, { limit, share }, queryTile);
  return made === undefined || made === 'outdated' ? made : made.bytes;
}

/** Whether a table contains shapes that jump over the antimeridian, as long as its description is used. */
const tablesWithJumps = new WeakMap<Table, boolean>();

/** Whether a shape that jumps over the antimeridian may be in the tile; the built-in encoder draws it on both sides. */
async function hasJumps(
  { connections }: PostgisContext,
  table: Table,
  { tile, parts }: { readonly tile: SourceTile; readonly parts: TileParts },
  signal: AbortSignal,
): Promise<boolean> {
  const anywhere = writeJumpQuery(table, parts, tile, { minY: -ANY_Y, maxY: ANY_Y });
  const here = writeJumpQuery(table, parts, tile, tile.box);
  if (anywhere === undefined || here === undefined) return false;
  const query = (statement: TileStatement) => connections.withClient(signal, (client) => queryJumps(client, statement));
  try {
    const isKnown = tablesWithJumps.get(table) ?? (await query(anywhere));
    tablesWithJumps.set(table, isKnown);
    return isKnown && (await query(here));
  } catch (error) {
    if (isOutdated(error)) return false;
    throw error;
  }
}

/** Beyond the coordinates of any CRS. */
const ANY_Y = 1e12;

/** Returns undefined if the table cannot have such shapes. */
function writeJumpQuery(
  table: Table,
  { drawn }: TileParts,
  { jumps }: SourceTile,
  { minY, maxY }: Pick<Bounds, 'minY' | 'maxY'>,
): TileStatement | undefined {
  const type = parseDeclaredForm(drawn)?.type;
  if (jumps === undefined || type === 'Point' || type === 'MultiPoint') return undefined;
  const parameters: SqlParameter[] = [];
  const { west, east, minWidth } = jumps;
  const overlaps = [west, east].map((x) => writeBoxOverlap(drawn, { minX: x, maxX: x, minY, maxY }, parameters));
  const writeSide = (name: string): string => `${qualifyName(drawn.typeSchema, name)}(part.geom)`;
  const parts = `${qualifyName(drawn.typeSchema, 'st_dump')}(${quoteName(drawn.name)})`;
  parameters.push(String(minWidth));
  const isWide = `${writeSide('st_xmax')} - ${writeSide('st_xmin')} > $${parameters.length}::float8`;
  // The parts are in a query of their own, because the table can have columns of the same names.
  const hasWidePart = `EXISTS (SELECT 1 FROM ${parts} AS part WHERE ${isWide})`;
  const found = `SELECT 1 FROM ${table.relation} WHERE ${[...overlaps, hasWidePart].join(' AND ')}`;
  return { text: `SELECT EXISTS (${found}) AS found`, values: parameters };
}

async function queryJumps(client: PoolClient, { values, text }: TileStatement): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({ text, values: [...values], ...oneStatement });
  return rows[0]?.found === true;
}

/** Estimates differ from the actual size, so that several attempts may be necessary. */
const MAX_ATTEMPTS = 6;

/** The part of the size to aim for: texts that features share make their average size uncertain. */
const AIMED_SHARE = 0.95;

/** Repeats the query for fewer features until the tile fits. */
async function reduceTile(
  { maxBytes }: SourceTile,
  { drawn }: TileParts,
  how: Sampling,
  query: (how: Sampling) => Promise<DatabaseTile | undefined | 'outdated'>,
): Promise<DatabaseTile | undefined | 'outdated'> {
  const isPoint = parseDeclaredForm(drawn)?.type === 'Point';
  let made = await query(how);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (made === undefined || made === 'outdated' || made.bytes.length <= maxBytes) return made;
    // Simplification may be sufficient, but points cannot be simplified.
    const isSimplified = attempt === 0 && !isPoint;
    const thinnedTo = Math.max(1, Math.floor((maxBytes / made.bytes.length) * AIMED_SHARE * made.rows));
    made = await query({ ...how, isSimplified: true, ...(isSimplified ? {} : { thinnedTo }) });
  }
  return made;
}

/** Estimates the features of a tile for an even distribution over the extent; undefined if unknown. */
function estimateFeatures({ estimatedRows = 0 }: Table, { box, extent }: SourceTile): number | undefined {
  if (extent === undefined) return undefined;
  const computeOverlap = (low: number, high: number, least: number, most: number): number =>
    most > least ? Math.max(0, Math.min(high, most) - Math.max(low, least)) / (most - least) : 1;
  return (
    estimatedRows *
    computeOverlap(box.minX, box.maxX, extent.minX, extent.maxX) *
    computeOverlap(box.minY, box.maxY, extent.minY, extent.maxY)
  );
}

/** More would use too much memory in the database. */
const MOST_PREPARED = 100;

/** By statement text. */
const preparedNames = new WeakMap<Connections, Map<string, string>>();

/** Prepared once per connection: for tiles with few features, which are found by the index in any case. */
function prepareStatement(connections: Connections, statement: TileStatement): TileStatement {
  const names = preparedNames.get(connections) ?? new Map<string, string>();
  preparedNames.set(connections, names);
  const { text } = statement;
  if (!names.has(text) && names.size < MOST_PREPARED) names.set(text, `tile-${hash('sha256', text).slice(0, 32)}`);
  const name = names.get(text);
  return name === undefined ? statement : { ...statement, name };
}

interface Sampling {
  /** The maximum number of features. */
  readonly limit: number;
  /** The share of the smaller features; undefined for all. */
  readonly share?: number | undefined;
  readonly isSimplified?: boolean;
  /** The number of features after thinning by a grid; undefined without thinning. */
  readonly thinnedTo?: number;
}

interface TileParts {
  readonly drawn: CatalogColumn;
  readonly values: readonly string[];
  readonly condition: SqlFilter | undefined;
}

function findTileParts(table: Table, { geometry, attributes, filter }: SourceTile): TileParts | undefined {
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

/** Returns the share of smaller features to draw if there are too many; otherwise undefined. */
async function computeSampledShare(
  { connections }: PostgisContext,
  table: Table,
  { tile: { box, limit }, parts: { drawn, condition } }: { readonly tile: SourceTile; readonly parts: TileParts },
  signal: AbortSignal,
): Promise<number | undefined> {
  if ((table.estimatedRows ?? 0) <= limit || listKeyColumns(table).length === 0) return undefined;
  const parameters: SqlParameter[] = [...(condition?.parameters ?? [])];
  const sql = [...(condition === undefined ? [] : [condition.sql]), writeBoxOverlap(drawn, box, parameters)].join(
    ' AND ',
  );
  const rows = await estimateRows(connections, table, { sql, parameters }, signal);
  return rows <= limit ? undefined : limit / rows;
}

interface TileStatement {
  /** The name of a prepared statement; undefined if it is not prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly SqlParameter[];
}

function writeTileStatement(
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
function writeBoxOverlap(drawn: CatalogColumn, box: Bounds, parameters: SqlParameter[]): string {
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

interface DatabaseTile {
  readonly bytes: Uint8Array;
  /** The number of rows used, visible or not. */
  readonly rows: number;
}

async function queryDatabase(
  client: PoolClient,
  { values, ...statement }: TileStatement,
): Promise<DatabaseTile | undefined | 'outdated'> {
  try {
    const { rows } = await client.query<{ tile: Buffer | null; rows: number }>({
      ...statement,
      values: [...values],
      ...oneStatement,
    });
    return { bytes: rows[0]?.tile ?? new Uint8Array(0), rows: rows[0]?.rows ?? 0 };
  } catch (error) {
    const code = findErrorCode(error) ?? '';
    if (unsupportedErrorCodes.test(code)) return undefined;
    if (isOutdated(error)) return 'outdated';
    throw error;
  }
}

/**
 * Errors for which the built-in encoder is used: positions without a counterpart, unknown CRSs, and PostGIS without
 * tile support.
 */
const unsupportedErrorCodes = /^(?:XX000|22|42883)/;
