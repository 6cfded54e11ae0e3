/** Lists tables with the declared form of their first geometry and the estimate of their rows, from the catalogue only. */
import type { ClientBase } from 'pg';
import { findCrs } from '../../../crs/resolve-crs.ts';
import type { DetailedTypeSummary } from '../../port/port.ts';
import { parseDeclaredForm } from './columns.ts';
import { listTables } from './table.ts';

interface GeometryRow {
  readonly name: string;
  readonly rows: number;
  readonly type_name: string | null;
  readonly modifier: number | null;
}

const formQuery = `
  SELECT DISTINCT ON (c.oid) c.relname AS name, c.reltuples AS rows, t.typname AS type_name, a.atttypmod AS modifier
  FROM pg_catalog.pg_class c
  LEFT JOIN (pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid AND t.typname IN ('geometry', 'geography')
  ) ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = $1)
    AND c.relkind = ANY ('{r,v,m,f,p}'::"char"[])
  ORDER BY c.oid, a.attnum`;

export async function listDetailedTables(client: ClientBase, schema: string): Promise<readonly DetailedTypeSummary[]> {
  const tables = await listTables(client, schema);
  const { rows } = await client.query<GeometryRow>(formQuery, [schema]);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const codes = new Map<number, string | undefined>();
  const detailed: DetailedTypeSummary[] = [];
  for (const table of tables) {
    const row = byName.get(table.name);
    const form = table.hasGeometry && row?.type_name != null ? readForm(row) : undefined;
    if (form !== undefined && !codes.has(form.srid)) codes.set(form.srid, await findCode(form.srid));
    const crsCode = form && codes.get(form.srid);
    detailed.push({
      ...table,
      ...(form === undefined ? {} : { geometryType: form.type }),
      ...(crsCode === undefined ? {} : { crsCode }),
      // Zero or less means that the table was never analysed.
      ...(row !== undefined && row.rows > 0 ? { estimatedCount: Math.round(row.rows) } : {}),
    });
  }
  return detailed;
}

function readForm({ type_name, modifier }: GeometryRow) {
  return parseDeclaredForm({ typeName: type_name ?? '', modifier: modifier ?? -1 });
}

/** Almost every database has the codes of EPSG under their own numbers; other codes are shown after the publication. */
async function findCode(srid: number): Promise<string | undefined> {
  return srid > 0 ? (await findCrs(`EPSG:${srid}`))?.code : undefined;
}
