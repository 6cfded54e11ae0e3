/** The columns of a table for writing. */
import type { PoolClient } from 'pg';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { Attribute } from '../../port/port.ts';
import type { TargetColumn } from '../../support/match-columns.ts';
import {
  type CatalogColumn,
  createValueAttribute,
  type GeometryForm,
  isGeometryColumn,
  parseDeclaredForm,
} from '../table/columns.ts';
import { findConstrainedForm, readCrs } from '../table/describe.ts';
import type { Table } from '../table/table.ts';
import { getPostgisSchema, resolveSrid } from './create-table.ts';

export type WritableColumn = TargetColumn & {
  readonly catalog: CatalogColumn;
  /** The SRID of written geometries; 0 for values. */
  readonly srid: number;
};

export async function listWritableColumns(
  client: PoolClient,
  schema: string,
  table: Table,
  attributes: readonly Attribute[],
): Promise<readonly WritableColumn[]> {
  const columns: WritableColumn[] = [];
  for (const column of table.columns) {
    const { name } = column;
    if (isGeometryColumn(column)) {
      columns.push(await createGeometryColumn(client, schema, table, { column, attributes }));
    } else {
      const attribute = createValueAttribute(column);
      const type = attribute.kind === 'value' ? attribute.type : 'string';
      columns.push({ name, kind: 'value', type, catalog: column, srid: 0 });
    }
  }
  return columns;
}

/** A column without a declared SRID uses that of its existing rows, or of the new data if it is empty. */
async function createGeometryColumn(
  client: PoolClient,
  schema: string,
  table: Table,
  { column, attributes }: { readonly column: CatalogColumn; readonly attributes: readonly Attribute[] },
): Promise<WritableColumn> {
  const { name } = column;
  const declared = parseDeclaredForm(column) ?? (await findConstrainedForm(client, table, column, schema));
  // Geography reports XY if nothing is declared.
  const says = column.modifier < 0 && column.typeName === 'geography' ? undefined : declared;
  const form: Pick<GeometryForm, 'type'> & Partial<GeometryForm> = {
    type: declared?.type ?? 'Geometry',
    ...(says === undefined ? {} : { dimension: says.dimension }),
  };
  const srid = (declared?.srid ?? 0) || (await findSrid(client, schema, table, column));
  if (srid !== undefined) {
    return { name, kind: 'geometry', ...form, crs: await readCrs(client, column, srid), catalog: column, srid };
  }
  const incoming = attributes.find((attribute) => attribute.kind === 'geometry');
  const taken =
    incoming?.kind === 'geometry' ? await resolveSrid(client, await getPostgisSchema(client, table.name), incoming) : 0;
  return { name, kind: 'geometry', ...form, catalog: column, srid: taken };
}

async function findSrid(
  client: PoolClient,
  schema: string,
  table: Table,
  column: CatalogColumn,
): Promise<number | undefined> {
  const { rows } = await client.query<{ srid: number }>(
    `SELECT ${qualifyName(column.typeSchema, 'st_srid')}(${quoteName(column.name)}) AS srid
     FROM ${qualifyName(schema, table.name)} WHERE ${quoteName(column.name)} IS NOT NULL LIMIT 1`,
  );
  return rows[0]?.srid;
}
