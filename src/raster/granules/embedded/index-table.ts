/**
 * The tables of one index: its granules with the versions that include them, and an R-tree over space, time and
 * elevation. A granule is identified by its `gid` and has one row, with an `id`, for each range of versions that
 * includes it.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { SqlColumn, SqlTable } from '../../../filter/sql/sql.ts';
import { toFilterSchema } from '../port/filter-schema.ts';
import type { GranuleAttribute, GranuleSchema, GranuleValueType } from '../port/port.ts';

/** The end version of a granule that was not removed. */
export const NOT_REMOVED = Number.MAX_SAFE_INTEGER;

/** An R-tree has five dimensions, two of which are x and y. */
const MAX_AXES = 3;

/** A domain as a dimension of the R-tree: `(value - origin) * factor`, scaled to about the length of x. */
export interface Axis {
  readonly origin: number;
  readonly factor: number;
}

export interface IndexTable {
  readonly number: number;
  readonly schema: GranuleSchema;
  /** One for each of `listAxisDomains`; undefined until the first granules determine the scale. */
  readonly axes: readonly Axis[] | undefined;
}

type ValueAttribute = Extract<GranuleAttribute, { role: 'value' }>;

export function listValueAttributes({ attributes }: GranuleSchema): readonly ValueAttribute[] {
  return attributes.filter((each) => each.role === 'value');
}

/** Columns are numbered, so that attributes may have any name. */
export function findColumn(schema: GranuleSchema, attribute: string): string | undefined {
  const role = schema.attributes.find(({ name }) => name === attribute)?.role;
  if (role === 'location' || role === 'imageindex') return role;
  const at = listValueAttributes(schema).findIndex(({ name }) => name === attribute);
  return at < 0 ? undefined : `v${at}`;
}

export function isText(type: GranuleValueType): boolean {
  return type === 'string';
}

/** Returns the attributes of each domain in the R-tree: those with measurable values. */
export function listAxisDomains(schema: GranuleSchema): readonly (readonly string[])[] {
  const measured = new Set(
    listValueAttributes(schema)
      .filter(({ type }) => !isText(type))
      .map(({ name }) => name),
  );
  return schema.domains
    .map(({ attributes }): readonly string[] => attributes)
    .filter((attributes) => attributes.every((each) => measured.has(each)))
    .slice(0, MAX_AXES);
}

export const formatGranulesTable = (number: number): string => `granules_${number}`;
export const formatBoxesTable = (number: number): string => `boxes_${number}`;

const columnTypes: Readonly<Record<GranuleValueType, string>> = {
  string: 'TEXT',
  integer: 'INTEGER',
  long: 'INTEGER',
  float: 'REAL',
  double: 'REAL',
  date: 'INTEGER',
  timestamp: 'INTEGER',
};

/** Describes the table for filter conditions, with the alias `g`. */
export function toSqlTable({ number, schema }: IndexTable, boxes: 'with boxes' | 'without boxes'): SqlTable {
  const storages = { text: 'text', number: 'double', instant: 'epochMs' } as const;
  const types = new Map(toFilterSchema(schema).attributes.map(({ name, type }) => [name, type]));
  const whole = new Set(
    schema.attributes
      .filter((each) => each.role === 'imageindex' || (each.role === 'value' && columnTypes[each.type] === 'INTEGER'))
      .map(({ name }) => name),
  );
  const toSqlColumn = ({ name, role }: GranuleAttribute): SqlColumn => {
    // A rectangle is stored as its bounds only.
    if (role === 'footprint')
      return {
        name: 'minx',
        storage: 'geometry',
        table: 'g',
        ...(boxes === 'with boxes' ? { spatialIndex: { table: formatBoxesTable(number), key: 'id' } } : {}),
      };
    const type = types.get(name);
    const storage = type === 'text' || type === 'instant' ? storages[type] : whole.has(name) ? 'integer' : 'double';
    return { name: findColumn(schema, name) ?? '', storage, table: 'g' };
  };
  return {
    columns: new Map(schema.attributes.map((each) => [each.name, toSqlColumn(each)])),
    identifiers: { prefix: `${schema.name}.`, columns: [{ name: 'gid', storage: 'integer', table: 'g' }] },
  };
}

/** Earlier versions may have an index of the same name with another schema. */
export function findIndex(database: DatabaseSync, mosaic: string, schema: GranuleSchema): IndexTable | undefined {
  const rows = database.prepare('SELECT number, schema, axes FROM indexes WHERE mosaic = ? AND name = ?');
  return rows
    .all(mosaic, schema.name)
    .map(toIndexTable)
    .find((table) => isDeepStrictEqual(table.schema, schema));
}

export function listIndexes(database: DatabaseSync, mosaic: string): readonly IndexTable[] {
  return database
    .prepare('SELECT number, schema, axes FROM indexes WHERE mosaic = ? ORDER BY number')
    .all(mosaic)
    .map(toIndexTable);
}

function toIndexTable(row: Readonly<Record<string, SQLOutputValue>>): IndexTable {
  return {
    number: Number(row['number']),
    // The server wrote both.
    schema: JSON.parse(String(row['schema'])) as GranuleSchema,
    axes: row['axes'] === null ? undefined : (JSON.parse(String(row['axes'])) as readonly Axis[]),
  };
}

export function createIndexTable(database: DatabaseSync, mosaic: string, schema: GranuleSchema): void {
  const { lastInsertRowid } = database
    .prepare('INSERT INTO indexes (mosaic, name, schema) VALUES (?, ?, ?)')
    .run(mosaic, schema.name, JSON.stringify(schema));
  const number = Number(lastInsertRowid);
  const table = formatGranulesTable(number);
  const columns = listValueAttributes(schema).map(({ type }, at) => `, v${at} ${columnTypes[type]}`);
  const axes = listAxisDomains(schema).map((_, at) => `, min${at}, max${at}`);
  const indexed = new Set(schema.domains.flatMap(({ attributes }): readonly string[] => attributes));
  database.exec(`
    CREATE TABLE ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, gid INTEGER, since INTEGER NOT NULL, until INTEGER NOT NULL,
      location TEXT NOT NULL, imageindex INTEGER NOT NULL, minx REAL NOT NULL, miny REAL NOT NULL, maxx REAL NOT NULL,
      maxy REAL NOT NULL, footprint BLOB${columns.join('')});
    CREATE INDEX ${table}_gid ON ${table} (gid);
    CREATE INDEX ${table}_location ON ${table} (location, imageindex);
    CREATE INDEX ${table}_removed ON ${table} (until) WHERE until < ${NOT_REMOVED};
    CREATE VIRTUAL TABLE ${formatBoxesTable(number)} USING rtree(id, minx, maxx, miny, maxy${axes.join('')});`);
  for (const name of indexed) {
    const column = findColumn(schema, name);
    if (column?.startsWith('v') === true) database.exec(`CREATE INDEX ${table}_${column} ON ${table} (${column})`);
  }
}

/** In earlier layouts rows were granules; now a granule that was removed and added again has another row. */
export function addGranuleNumbers(database: DatabaseSync, number: number): void {
  const table = formatGranulesTable(number);
  database.exec(`ALTER TABLE ${table} ADD COLUMN gid INTEGER; UPDATE ${table} SET gid = id;
    CREATE INDEX ${table}_gid ON ${table} (gid)`);
}

export function writeAxes(database: DatabaseSync, number: number, axes: readonly Axis[]): void {
  database.prepare('UPDATE indexes SET axes = ? WHERE number = ?').run(JSON.stringify(axes), number);
}

export function dropIndexTable(database: DatabaseSync, number: number): void {
  database.exec(
    `DROP TABLE IF EXISTS ${formatGranulesTable(number)}; DROP TABLE IF EXISTS ${formatBoxesTable(number)}`,
  );
  database.prepare('DELETE FROM indexes WHERE number = ?').run(number);
}
