/** Lets the database make the layer of a vector tile: it has all that is needed, and features need not leave it one by one. */
import type { PoolClient } from 'pg';
import { errorCode } from '../../../lib/error-code.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { SqlFilter, SqlParameter } from '../../filter/sql.ts';
import type { SourceTile } from '../port.ts';
import { qualified, quoted } from '../quoted-sql.ts';
import type { SqlView } from '../sql-view.ts';
import { type CatalogColumn, declaredForm, valueAttribute } from './columns.ts';
import { estimateRows } from './estimate.ts';
import { inQuery, oneStatement } from './query-table.ts';
import { type Place, tableNamed } from './read.ts';
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
  const { connections } = place;
  if (typeof named !== 'string') {
    return connections.ask(signal, (client) =>
      inQuery(client, named, async (table) => {
        const parts = partsOf(table, tile);
        return parts && ask(client, writeTile(table, tile, parts, undefined));
      }),
    );
  }
  const table = await tableNamed(place, named, signal);
  const parts = partsOf(table, tile);
  if (parts === undefined) return undefined;
  const share = await sampledShare(place, table, tile, parts, signal);
  return connections.ask(signal, (client) => ask(client, writeTile(table, tile, parts, share)));
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
  readonly text: string;
  readonly values: readonly SqlParameter[];
}

function writeTile(
  table: Table,
  tile: SourceTile,
  { drawn, values, condition }: TileParts,
  share: number | undefined,
): TileStatement {
  const { frame, layer, limit, attributes } = tile;
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
  return { text: `SELECT ${call('st_asmvt', ...inputs)} AS tile FROM (${rows}) AS tile`, values: parameters };
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

async function ask(client: PoolClient, { text, values }: TileStatement): Promise<Uint8Array | undefined> {
  try {
    const { rows } = await client.query<{ tile: Buffer }>({ text, values: [...values], ...oneStatement });
    return rows[0]?.tile ?? new Uint8Array(0);
  } catch (error) {
    if (beyondIt.test(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** What the database cannot do, we do: places without a counterpart, systems that it does not know, a PostGIS without tiles. */
const beyondIt = /^(?:XX000|22|42883)/;
