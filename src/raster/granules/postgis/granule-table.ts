/**
 * The PostGIS table of one index: a column for each attribute of the schema, with its name, so that other programs can
 * read it.
 */
import type { PoolClient } from 'pg';
import { qualifyName, quoteName, quoteText } from '../../../filter/sql/quote-sql.ts';
import type { SqlColumn, SqlTable } from '../../../filter/sql/sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Attribute, ValueType } from '../../../vector/port/port.ts';
import { canBeName } from '../../../vector/postgis/table/table.ts';
import { createTable, getPostgisSchema } from '../../../vector/postgis/write/create-table.ts';
import { createKeyName } from '../../../vector/support/new-table.ts';
import type { GranuleAttribute, GranuleSchema, GranuleValueType } from '../port/port.ts';

export interface GranuleTable {
  readonly schema: GranuleSchema;
  /** The qualified name for SQL. */
  readonly relation: string;
  /** The column with the numbers of the ids. */
  readonly key: string;
  /** The columns of the attributes with these roles. */
  readonly footprint: string;
  readonly location: string;
  readonly imageindex: string | undefined;
  /** The schema of the PostGIS extension. */
  readonly postgis: string;
  readonly srid: number;
}

/** The location of the indexes of a mosaic, and the note that marks them. */
export interface TableLocation {
  readonly schema: string;
  readonly mosaic: string;
}

/** A table without this comment does not belong to the mosaic. */
function formatNote({ mosaic }: TableLocation): string {
  return `Granules of an image mosaic, kept by Graticule: ${mosaic}`;
}

const vectorTypes: Readonly<Record<GranuleValueType, ValueType>> = {
  string: 'string',
  integer: 'integer',
  long: 'long',
  float: 'float',
  double: 'double',
  date: 'timestamp',
  timestamp: 'timestamp',
};

function toVectorAttribute(attribute: GranuleAttribute): Attribute {
  const { name } = attribute;
  switch (attribute.role) {
    case 'footprint':
      return { name, nillable: true, kind: 'geometry', type: 'Polygon', dimension: 'XY', crs: attribute.crs };
    case 'location':
      return { name, nillable: true, kind: 'value', type: 'string' };
    case 'imageindex':
      return { name, nillable: true, kind: 'value', type: 'integer' };
    case 'value':
      return { name, nillable: true, kind: 'value', type: vectorTypes[attribute.type] };
  }
}

/** Returns undefined if the mosaic has no such table. */
export async function findGranuleTable(
  client: PoolClient,
  place: TableLocation,
  schema: GranuleSchema,
): Promise<GranuleTable | undefined> {
  const table = await readGranuleTable(client, place, schema);
  return table?.note === formatNote(place) ? table : undefined;
}

async function readGranuleTable(
  client: PoolClient,
  place: TableLocation,
  schema: GranuleSchema,
): Promise<(GranuleTable & { readonly note: string | null }) | undefined> {
  if (!canBeName(schema.name)) return undefined;
  const { rows } = await client.query<{ note: string | null; modifier: number | null; postgis: string | null }>(
    `SELECT obj_description(c.oid, 'pg_class') AS note, a.atttypmod AS modifier,
       (SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = 'postgis') AS postgis
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
     LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = $3 AND NOT a.attisdropped
     WHERE s.nspname = $1 AND c.relname = $2`,
    [place.schema, schema.name, findColumnByRole(schema, 'footprint') ?? ''],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    note: row.note,
    schema,
    relation: qualifyName(place.schema, schema.name),
    key: createKeyName(schema.attributes.map(toVectorAttribute)),
    footprint: findColumnByRole(schema, 'footprint') ?? '',
    location: findColumnByRole(schema, 'location') ?? '',
    imageindex: findColumnByRole(schema, 'imageindex'),
    postgis: row.postgis ?? 'public',
    // The PostGIS type modifier: a signed 21-bit SRID above 8 bits for type and dimensions.
    srid: ((row.modifier ?? 0) << 3) >> 11,
  };
}

function findColumnByRole({ attributes }: GranuleSchema, role: GranuleAttribute['role']): string | undefined {
  return attributes.find((each) => each.role === role)?.name;
}

/** Runs inside a transaction. */
export async function createGranuleTable(
  client: PoolClient,
  place: TableLocation,
  schema: GranuleSchema,
): Promise<void> {
  const former = await readGranuleTable(client, place, schema);
  if (former !== undefined) {
    if (former.note !== formatNote(place)) {
      const reason = 'a table or view of that name already exists and is not the index of this mosaic';
      throw problem('table-refused', { name: schema.name, reason });
    }
    return;
  }
  await createTable(client, place.schema, { name: schema.name, attributes: schema.attributes.map(toVectorAttribute) });
  const relation = qualifyName(place.schema, schema.name);
  const indexed = new Set([
    findColumnByRole(schema, 'location') ?? '',
    ...schema.domains.flatMap((each) => [...each.attributes]),
  ]);
  for (const name of indexed) await client.query(`CREATE INDEX ON ${relation} (${quoteName(name)})`);
  await client.query(`COMMENT ON TABLE ${relation} IS ${quoteText(formatNote(place))}`);
}

export async function dropGranuleTables(client: PoolClient, place: TableLocation): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
     WHERE s.nspname = $1 AND c.relkind = 'r' AND obj_description(c.oid, 'pg_class') = $2`,
    [place.schema, formatNote(place)],
  );
  for (const { name } of rows) await client.query(`DROP TABLE ${qualifyName(place.schema, name)}`);
}

/** Rejects a database that cannot store granules. */
export async function checkDatabase(client: PoolClient, schema: string): Promise<void> {
  const name = 'granules';
  await getPostgisSchema(client, name);
  const { rows } = await client.query<{ may: boolean | null }>(
    `SELECT has_schema_privilege(n.oid, 'CREATE') AS may FROM pg_catalog.pg_namespace n WHERE n.nspname = $1`,
    [schema],
  );
  const [row] = rows;
  if (row === undefined)
    throw problem('table-refused', { name, reason: `schema '${schema}' does not exist in the database` });
  if (row.may !== true) {
    throw problem('table-refused', {
      name,
      reason: `the database user is not allowed to create tables in schema '${schema}'`,
    });
  }
}

const storages: Readonly<Record<GranuleValueType, SqlColumn['storage']>> = {
  string: 'text',
  integer: 'integer',
  long: 'integer',
  float: 'double',
  double: 'double',
  date: 'timestamp',
  timestamp: 'timestamp',
};

/** Describes the table for filter conditions. */
export function toSqlTable({ schema, key, srid }: GranuleTable): SqlTable {
  const toSqlColumn = (attribute: GranuleAttribute): SqlColumn => {
    const { name } = attribute;
    switch (attribute.role) {
      case 'footprint':
        return { name, storage: 'geometry', srid, hasCollections: false };
      case 'location':
        return { name, storage: 'text' };
      case 'imageindex':
        return { name, storage: 'integer' };
      case 'value':
        return { name, storage: storages[attribute.type] };
    }
  };
  return {
    columns: new Map(schema.attributes.map((each) => [each.name, toSqlColumn(each)])),
    identifiers: { prefix: `${schema.name}.`, columns: [{ name: key, storage: 'integer' }] },
  };
}
