/** A table or view of the system catalogue, found by its exact name. */
import type { ClientBase } from 'pg';
import { qualifyName } from '../../../filter/sql/quote-sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { TypeSummary } from '../../port/port.ts';
import type { DeclaredGeometry } from '../../port/sql-view.ts';
import { MAX_IDENTIFIER_BYTES } from '../connection/parameters.ts';
import type { CatalogColumn } from './columns.ts';

export interface Table {
  readonly name: string;
  /** The SQL after FROM. */
  readonly relation: string;
  /** Set for an SQL view, which is not in the catalogue and only runs in its own transaction. */
  readonly declared?: readonly DeclaredGeometry[];
  readonly columns: readonly CatalogColumn[];
  /** The row count of the last ANALYZE; undefined without one. */
  readonly estimatedRows?: number;
}

/** Returns the key columns in key order. */
export function listKeyColumns(table: Table): readonly CatalogColumn[] {
  const keys = table.columns.filter((column) => column.keyPosition !== undefined);
  return keys.sort((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0));
}

/** Tables, views, materialised views, foreign and partitioned tables with at least one readable column. */
const isReadable = `c.relkind = ANY ('{r,v,m,f,p}'::"char"[]) AND has_any_column_privilege(c.oid, 'SELECT')`;

const tableQuery = `
  SELECT c.reltuples AS rows, a.attname AS name, t.typname AS type_name, tn.nspname AS type_schema,
    COALESCE(made_of.modifier, a.atttypmod) AS modifier,
    a.attnotnull OR COALESCE(made_of.is_required, false) AS is_required,
    array_position(i.indkey::int2[], a.attnum) AS key_position
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND has_column_privilege(c.oid, a.attnum, 'SELECT')
  LEFT JOIN pg_catalog.pg_type own ON own.oid = a.atttypid
  LEFT JOIN LATERAL ${writeDomainBaseQuery('own')} AS made_of ON true
  LEFT JOIN pg_catalog.pg_type t ON t.oid = COALESCE(made_of.oid, own.oid)
  LEFT JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
  WHERE n.nspname = $1 AND c.relname = $2 AND ${isReadable}
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
      WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY a.attnum`;

/**
 * Lists all relations at once: extension membership and column types are looked up in the direction that PostgreSQL
 * indexes. Every column of a type that is not built in depends on that type, because DROP TYPE must find it.
 */
const listQuery = `
  WITH RECURSIVE geometries AS (
    SELECT oid FROM pg_catalog.pg_type WHERE typname IN ('geometry', 'geography')
    UNION
    SELECT d.oid FROM geometries g JOIN pg_catalog.pg_type d ON d.typbasetype = g.oid AND d.typtype = 'd'
  )
  SELECT c.relname AS name, c.oid IN (
    SELECT d.objid FROM pg_catalog.pg_depend d
    WHERE d.refclassid = 'pg_catalog.pg_type'::regclass AND d.refobjid = ANY (ARRAY(SELECT oid FROM geometries))
      AND d.classid = 'pg_catalog.pg_class'::regclass AND d.objsubid > 0
      AND has_column_privilege(d.objid, d.objsubid::int2, 'SELECT')
  ) AS has_geometry
  FROM pg_catalog.pg_class c
  WHERE c.relnamespace = (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = $1) AND ${isReadable}
    AND c.oid NOT IN (SELECT d.objid FROM pg_catalog.pg_depend d
      WHERE d.refclassid = 'pg_catalog.pg_extension'::regclass AND d.classid = 'pg_catalog.pg_class'::regclass
        AND d.deptype = 'e')`;

interface ColumnRow {
  readonly rows: number;
  readonly name: string | null;
  readonly type_name: string | null;
  readonly type_schema: string | null;
  readonly modifier: number | null;
  readonly is_required: boolean | null;
  readonly key_position: number | null;
}

export async function findTable(client: ClientBase, schema: string, name: string): Promise<Table | undefined> {
  if (!canBeName(name)) return undefined;
  // Named, so that it is planned once per connection: planning takes longer than execution.
  const { rows } = await client.query<ColumnRow>({ name: 'graticule-table', text: tableQuery, values: [schema, name] });
  const [first] = rows;
  if (first === undefined) return undefined;
  // Older servers return 0 for a table that was never analysed.
  const isAnalysed = first.rows > 0;
  return {
    name,
    relation: qualifyName(schema, name),
    columns: rows.flatMap(toColumns),
    ...(isAnalysed ? { estimatedRows: Math.round(first.rows) } : {}),
  };
}

export async function listTables(client: ClientBase, schema: string): Promise<readonly TypeSummary[]> {
  const { rows } = await client.query<{ name: string; has_geometry: boolean }>(listQuery, [schema]);
  if (rows.length === 0) await requireSchema(client, schema);
  return rows
    .map(({ name, has_geometry }) => ({ name, hasGeometry: has_geometry }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A misspelt schema must not look like an empty one. */
async function requireSchema(client: ClientBase, schema: string): Promise<void> {
  const found = await client.query('SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema]);
  if (found.rowCount === 0)
    throw problem('store-refuses', { name: schema, reason: 'the schema does not exist', step: 'tables' });
}

/** A longer name would be truncated in the comparison and match another table. */
export function canBeName(name: string): boolean {
  return name !== '' && name.isWellFormed() && !name.includes('\0') && Buffer.byteLength(name) <= MAX_IDENTIFIER_BYTES;
}

function toColumns(row: ColumnRow): readonly CatalogColumn[] {
  const { name, type_name, type_schema, modifier, is_required, key_position } = row;
  if (name === null || type_name === null || type_schema === null) return [];
  return [
    {
      name,
      typeName: type_name,
      typeSchema: type_schema,
      modifier: modifier ?? -1,
      isRequired: is_required === true,
      // Starts at 0 in the catalogue.
      ...(key_position === null ? {} : { keyPosition: key_position + 1 }),
    },
  ];
}

/**
 * Writes a subquery with the `oid` and `modifier` of the base type of a domain; domains can be nested, and each can
 * be NOT NULL. It returns no row for other types.
 */
export function writeDomainBaseQuery(type: string): string {
  return `(
    WITH RECURSIVE below AS (
      SELECT ${type}.typbasetype AS oid, ${type}.typtypmod AS modifier, ${type}.typnotnull AS is_required, 1 AS depth
      WHERE ${type}.typtype = 'd'
      UNION ALL
      SELECT d.typbasetype, d.typtypmod, d.typnotnull OR below.is_required, below.depth + 1
      FROM below JOIN pg_catalog.pg_type d ON d.oid = below.oid WHERE d.typtype = 'd'
    )
    SELECT oid, modifier, is_required FROM below ORDER BY depth DESC LIMIT 1
  )`;
}
