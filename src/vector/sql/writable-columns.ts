/** The columns of a table for writing. */
import type { Attribute } from '../port/port.ts';
import type { TargetColumn } from '../support/match-columns.ts';
import { detectSrid } from './describe.ts';
import type { DatabaseDialect, GeometryColumn } from './dialect.ts';
import type { SqlSession } from './session.ts';
import { isGeometryColumn, type Table, type TableColumn } from './table.ts';

export type WritableColumn = TargetColumn & {
  readonly target: TableColumn;
  /** The number of the reference system of written geometries; 0 for values. */
  readonly srid: number;
};

export async function listWritableColumns(
  dialect: DatabaseDialect,
  session: SqlSession,
  table: Table,
  attributes: readonly Attribute[],
): Promise<readonly WritableColumn[]> {
  const columns: WritableColumn[] = [];
  for (const target of table.columns.filter(({ isGenerated }) => isGenerated !== true)) {
    const { name, content } = target;
    if (isGeometryColumn(target)) {
      columns.push(await createGeometryTarget(dialect, session, table, { target, attributes }));
    } else if (content.kind === 'value') {
      columns.push({ name, kind: 'value', type: content.type, target, srid: 0 });
    }
  }
  return columns;
}

/** A column without a declared reference system has that of its rows, or of the new data if it is empty. */
async function createGeometryTarget(
  dialect: DatabaseDialect,
  session: SqlSession,
  table: Table,
  { target, attributes }: { readonly target: GeometryColumn; readonly attributes: readonly Attribute[] },
): Promise<WritableColumn> {
  const { name, content } = target;
  const form = { name, kind: 'geometry', type: content.type, dimension: 'XY', target } as const;
  const srid = content.srid ?? (await detectSrid(dialect, session, table, target));
  if (srid !== undefined && srid > 0) return { ...form, crs: await dialect.findCrs(session, srid), srid };
  if (srid === 0) return { ...form, crs: {}, srid };
  const incoming = attributes.find((attribute) => attribute.kind === 'geometry');
  const taken = incoming?.kind === 'geometry' ? await dialect.findSrid(session, incoming.crs) : 0;
  return { ...form, srid: taken ?? 0 };
}
