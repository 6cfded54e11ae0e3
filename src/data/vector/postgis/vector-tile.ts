/** Lets the database make the layer of a vector tile: it has all that is needed, and features need not leave it one by one. */
import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { errorCode } from '../../../lib/error-code.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { SqlFilter, SqlParameter } from '../../filter/sql.ts';
import type { SourceTile } from '../port.ts';
import { qualified, quoted } from '../quoted-sql.ts';
import type { SqlView } from '../sql-view.ts';
import { type CatalogColumn, declaredForm, valueAttribute } from './columns.ts';
import type { Connections } from './connections.ts';
import { estimateRows } from './estimate.ts';
import { inQuery, oneStatement } from './query-table.ts';
import type { Place } from './read.ts';
import { isOutdated, recentTable, tableOfNow } from './recent-table.ts';
import { conditionFor } from './sql-table.ts';
import { keyColumns, type Table } from './table.ts';

/** In pixels: what is at least so large is shown however crowded a tile is. */
const LARGE_PIXELS = 4;

/** Hashes of keys are looked at in so many steps. */
const SAMPLE_STEPS = 1_048_576;

/** Undefined where a part of it is for us to decide, or the database cannot say it as we do. */
export async function vectorTileOf(
  place: Place,
  named: string | SqlView,
  tile: SourceTile,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (typeof named !== 'string') {
    const made = await place.connections.ask(signal, (client) =>
      inQuery(client, named, async (table) => {
        const parts = partsOf(table, tile);
        return parts === undefined ? undefined : ask(client, writeTile(table, tile, parts, { limit: tile.limit }));
      }),
    );
    return made === 'outdated' ? undefined : made?.bytes;
  }
  const recent = await recentTable(place, named, signal);
  const made = await tileOfTable(place, recent, tile, signal);
  if (made !== 'outdated') return made;
  const current = await tableOfNow(place, named, signal);
  const again = await tileOfTable(place, current, tile, signal);
  return again === 'outdated' ? undefined : again;
}

/** How uneven features may be spread before it is found out that they are too many for a tile. */
const CROWDING = 4;

async function tileOfTable(
  place: Place,
  table: Table,
  tile: SourceTile,
  signal: AbortSignal,
): Promise<Uint8Array | undefined | 'outdated'> {
  const parts = partsOf(table, tile);
  if (parts === undefined) return undefined;
  const { limit } = tile;
  const make = (how: Sampling, isUsual = false) => {
    const statement = writeTile(table, tile, parts, how);
    const known = isUsual ? prepared(place.connections, statement) : statement;
    return place.connections.ask(signal, (client) => ask(client, known));
  };
  const mayBeMany = (table.estimatedRows ?? 0) > limit && keyColumns(table).length > 0;
  if (mayBeMany && (evenly(table, tile) ?? Number.POSITIVE_INFINITY) * CROWDING <= limit) {
    // One more than there may be tells whether there are more.
    const made = await make({ limit: limit + 1 }, parts.condition === undefined);
    if (made === undefined || made === 'outdated') return made;
    if (made.rows <= limit) return made.bytes;
  }
  const share = mayBeMany ? await sampledShare(place, table, tile, parts, signal) : undefined;
  const made = await make({ limit, share });
  return made === undefined || made === 'outdated' ? made : made.bytes;
}

/** How many features a tile would have if they were spread evenly over where they are; undefined where that is not known. */
function evenly({ estimatedRows = 0 }: Table, { box, extent }: SourceTile): number | undefined {
  if (extent === undefined) return undefined;
  const part = (low: number, high: number, least: number, most: number): number =>
    most > least ? Math.max(0, Math.min(high, most) - Math.max(low, least)) / (most - least) : 1;
  return (
    estimatedRows *
    part(box.minX, box.maxX, extent.minX, extent.maxX) *
    part(box.minY, box.maxY, extent.minY, extent.maxY)
  );
}

/** More would fill the memory of the database. */
const MOST_PREPARED = 100;

/** By the texts of statements. */
const preparedNames = new WeakMap<Connections, Map<string, string>>();

/** The database plans it once for each connection: for tiles of few features, which it finds by the index in any case. */
function prepared(connections: Connections, statement: TileStatement): TileStatement {
  const names = preparedNames.get(connections) ?? new Map<string, string>();
  preparedNames.set(connections, names);
  const { text } = statement;
  if (!names.has(text) && names.size < MOST_PREPARED) names.set(text, `tile-${hash('sha256', text).slice(0, 32)}`);
  const name = names.get(text);
  return name === undefined ? statement : { ...statement, name };
}

/** How many features are taken at most, and which share of the smaller ones; undefined for all of these. */
interface Sampling {
  readonly limit: number;
  readonly share?: number | undefined;
}

interface TileParts {
  readonly drawn: CatalogColumn;
  readonly values: readonly string[];
  readonly condition: SqlFilter | undefined;
}

function partsOf(table: Table, { geometry, attributes, filter }: SourceTile): TileParts | undefined {
  const byName = new Map(table.columns.map((each) => [each.name, each]));
  const drawn = byName.get(geometry.name);
  if (drawn?.typeName !== 'geometry') return undefined;
  const condition = filter && conditionFor(table, filter);
  if (condition?.remainder !== undefined) return undefined;
  const values = attributes.flatMap(({ name, as }) => {
    const column = byName.get(name);
    const value = column && shownValue(column);
    return value === undefined ? [] : [`${value} AS ${quoted(as)}`];
  });
  return { drawn, values, condition };
}

/** As we write the value ourselves; undefined for what tiles do not have. */
function shownValue(column: CatalogColumn): string | undefined {
  const name = quoted(column.name);
  const attribute = valueAttribute(column);
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
    // A short float would be read as the nearest long one, which has more digits.
    case 'float':
      return `${name}::text::float8`;
    case 'date':
    case 'timestamp': {
      // Milliseconds always, and microseconds where there are some.
      const text = `pg_catalog.to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
      return `CASE WHEN ${name} >= '0001-01-01' AND ${name} < '10000-01-01' THEN pg_catalog.regexp_replace(${text}, '000Z$', 'Z') END`;
    }
    default:
      return `${name}::text`;
  }
}

/** How many of the smaller features are shown, where there are too many to show all; undefined where there are not. */
async function sampledShare(
  { connections }: Place,
  table: Table,
  { box, limit }: SourceTile,
  { drawn, condition }: TileParts,
  signal: AbortSignal,
): Promise<number | undefined> {
  if ((table.estimatedRows ?? 0) <= limit || keyColumns(table).length === 0) return undefined;
  const parameters: SqlParameter[] = [...(condition?.parameters ?? [])];
  const sql = [...(condition === undefined ? [] : [condition.sql]), meets(drawn, box, parameters)].join(' AND ');
  const rows = await estimateRows(connections, table, { sql, parameters }, signal);
  return rows <= limit ? undefined : limit / rows;
}

interface TileStatement {
  /** By which a connection knows it again; undefined for what it need not know. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly SqlParameter[];
}

function writeTile(
  table: Table,
  tile: SourceTile,
  { drawn, values, condition }: TileParts,
  { limit, share }: Sampling,
): TileStatement {
  const { frame, layer, attributes } = tile;
  const parameters: SqlParameter[] = [...(condition?.parameters ?? [])];
  const call = (name: string, ...inputs: readonly string[]) =>
    `${qualified(drawn.typeSchema, name)}(${inputs.join(', ')})`;
  const taken = new Set(attributes.map(({ as }) => as));
  const [geometry, id] = [freeName('geometry', taken), freeName('id', taken)];
  const conditions = [...(condition === undefined ? [] : [condition.sql]), meets(drawn, tile.box, parameters)];
  const sample = share === undefined ? undefined : sampled(table, drawn, tile, share, parameters);
  const shape = call(
    'st_asmvtgeom',
    placedGeometry(drawn, tile, call),
    `${call('st_makeenvelope', ...boxInputs(frame.bounds, parameters), String(frame.epsg))}::${qualified(drawn.typeSchema, 'box2d')}`,
    String(frame.extent),
    String(frame.buffer),
    'true',
  );
  const key = featureNumber(table);
  const selected = [...(key === undefined ? [] : [`${key} AS ${quoted(id)}`]), ...values];
  const where = [...conditions, ...(sample === undefined ? [] : [`(${sample.isLarge} OR ${sample.isDrawn})`])];
  const largeFirst = sample === undefined ? '' : ` ORDER BY (${sample.isLarge}) DESC`;
  const found = `SELECT * FROM ${table.relation} WHERE ${where.join(' AND ')}${largeFirst} LIMIT ${Math.trunc(limit)}`;
  const rows = `SELECT ${[...selected, `${shape} AS ${quoted(geometry)}`].join(', ')} FROM (${found}) AS found${members(drawn, call)}`;
  parameters.push(layer, geometry, ...(key === undefined ? [] : [id]));
  const names = [layer, geometry, ...(key === undefined ? [] : [id])].map(
    (_, index, all) => `$${parameters.length - all.length + index + 1}::text`,
  );
  const inputs = ['tile', names[0] ?? '', String(frame.extent), ...names.slice(1)];
  return {
    text: `SELECT ${call('st_asmvt', ...inputs)} AS tile, pg_catalog.count(*)::int4 AS rows FROM (${rows}) AS tile`,
    values: parameters,
  };
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  return taken.has(wanted) ? freeName(`${wanted}_`, taken) : wanted;
}

function boxInputs({ minX, minY, maxX, maxY }: Bounds, parameters: SqlParameter[]): readonly string[] {
  return [minX, minY, maxX, maxY].map((each) => {
    parameters.push(String(each));
    return `$${parameters.length}::float8`;
  });
}

/** By boxes alone, which the index knows: whatever is outside of the tile then has no shape in it. */
function meets(drawn: CatalogColumn, box: Bounds, parameters: SqlParameter[]): string {
  const { typeSchema, name } = drawn;
  const srid = Math.max(0, declaredForm(drawn)?.srid ?? 0);
  const envelope = `${qualified(typeSchema, 'st_makeenvelope')}(${[...boxInputs(box, parameters), srid].join(', ')})`;
  return `${quoted(name)} OPERATOR(${quoted(typeSchema)}.&&) ${envelope}`;
}

/** The larger features, and of the others those whose key says so: the same ones in tiles side by side, and when asked again. */
function sampled(
  table: Table,
  drawn: CatalogColumn,
  { box, frame }: SourceTile,
  share: number,
  parameters: SqlParameter[],
): { readonly isLarge: string; readonly isDrawn: string } {
  const { typeSchema } = drawn;
  const inBox = (name: string) =>
    `${qualified(typeSchema, name)}(${qualified(typeSchema, 'box2d')}(${quoted(drawn.name)}))`;
  const limit = (low: number, high: number): string => {
    parameters.push(String(((high - low) * LARGE_PIXELS) / frame.pixels));
    return `$${parameters.length}::float8`;
  };
  const isWide = `${inBox('st_xmax')} - ${inBox('st_xmin')} > ${limit(box.minX, box.maxX)}`;
  const isHigh = `${inBox('st_ymax')} - ${inBox('st_ymin')} > ${limit(box.minY, box.maxY)}`;
  const key = keyColumns(table)
    .map(({ name }) => `${quoted(name)}::text`)
    .join(` || '.' || `);
  parameters.push(String(Math.max(1, Math.round(share * SAMPLE_STEPS))));
  const isDrawn = `(pg_catalog.hashtextextended(${key}, 0) & ${SAMPLE_STEPS - 1}) < $${parameters.length}::int8`;
  return { isLarge: `${isWide} OR ${isHigh}`, isDrawn };
}

/** What each member of a collection is called; columns may have any other name. */
const MEMBER = quoted('member of the collection');

type Call = (name: string, ...inputs: readonly string[]) => string;

/** In the system of the tile; what people say of its own is believed over what the database has. */
function placedGeometry(drawn: CatalogColumn, { geometry, frame }: SourceTile, call: Call): string {
  const own = mayBeCollection(drawn) ? MEMBER : quoted(drawn.name);
  const isDeclared = declaredForm(drawn)?.srid === geometry.epsg;
  const known = isDeclared ? own : call('st_setsrid', own, String(geometry.epsg));
  return geometry.epsg === frame.epsg ? known : call('st_transform', known, String(frame.epsg));
}

function mayBeCollection(drawn: CatalogColumn): boolean {
  const type = declaredForm(drawn)?.type ?? 'Geometry';
  return type === 'Geometry' || type === 'GeometryCollection';
}

/** Collections are features for each of their members, since tiles have none. */
function members(drawn: CatalogColumn, call: Call): string {
  if (!mayBeCollection(drawn)) return '';
  const own = quoted(drawn.name);
  const isCollection = `${call('st_geometrytype', own)} = 'ST_GeometryCollection'`;
  return ` CROSS JOIN LATERAL (
    SELECT ${own} AS ${MEMBER} WHERE NOT ${isCollection}
    UNION ALL SELECT (${call('st_dump', own)}).geom WHERE ${isCollection}
  ) AS part`;
}

const wholeNumbers: ReadonlySet<string> = new Set(['int2', 'int4']);

/** The number that a feature has in tiles: its key, where that is a number that all clients can read. */
function featureNumber(table: Table): string | undefined {
  const [key, ...others] = keyColumns(table);
  if (key === undefined || others.length > 0) return undefined;
  const name = quoted(key.name);
  if (wholeNumbers.has(key.typeName)) return name;
  return `CASE WHEN ${name}::text ~ '^[0-9]{1,15}$' THEN ${name}::text::int8 END`;
}

interface MadeByDatabase {
  readonly bytes: Uint8Array;
  /** What it was made of, seen or not. */
  readonly rows: number;
}

async function ask(
  client: PoolClient,
  { values, ...statement }: TileStatement,
): Promise<MadeByDatabase | undefined | 'outdated'> {
  try {
    const { rows } = await client.query<{ tile: Buffer | null; rows: number }>({
      ...statement,
      values: [...values],
      ...oneStatement,
    });
    return { bytes: rows[0]?.tile ?? new Uint8Array(0), rows: rows[0]?.rows ?? 0 };
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (beyondIt.test(code)) return undefined;
    if (isOutdated(error)) return 'outdated';
    throw error;
  }
}

/** What the database cannot do, we do: places without a counterpart, systems that it does not know, a PostGIS without tiles. */
const beyondIt = /^(?:XX000|22|42883)/;
