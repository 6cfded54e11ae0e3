/** Uses an SQL view like a table: the columns are those that the database reports for the query. */
import type { MysqlFlavour } from '../../../filter/sql/sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { SqlView } from '../../port/sql-view.ts';
import type { ResultColumn, SqlSession } from '../../sql/session.ts';
import type { Table } from '../../sql/table.ts';
import { findStatementMessage } from '../connection/failure.ts';
import { type CatalogColumn, createTableColumn, findColumnGeometry } from './columns.ts';
import { isGeographicSrid } from './table.ts';

/** Longer messages of the database are cut off. */
const MAX_MESSAGE = 300;

export async function createQueryTable(session: SqlSession, flavour: MysqlFlavour, view: SqlView): Promise<Table> {
  // The database runs their content, so that they could close the bracket.
  if (/\/\*M?!/i.test(view.sql)) throw createInvalidProblem('the sql must not contain executable comments (/*! … */)');
  // The line break ends a trailing comment, which would hide the bracket.
  const relation = `(${view.sql}\n) AS vtable`;
  const found = await session.readColumns(`SELECT * FROM ${relation} LIMIT 0`);
  const columns: CatalogColumn[] = [];
  for (const column of found) {
    const catalogColumn = toCatalogColumn(column, view);
    const { srid } = catalogColumn;
    const isGeographic = flavour === 'mysql' && srid !== undefined && (await isGeographicSrid(session, srid));
    columns.push({ ...catalogColumn, isGeographic });
  }
  const objection = validateColumns(columns, view);
  if (objection !== undefined) throw createInvalidProblem(objection);
  return {
    name: view.name,
    relation,
    columns: columns.map((column) => {
      const made = createTableColumn(flavour, column);
      // The database does not promise that keys of a query are unique in their collation.
      return { ...made, keyOrder: made.order };
    }),
    objection: 'it is based on an SQL query',
  };
}

function toCatalogColumn(column: ResultColumn, { keyColumns, geometries }: SqlView): CatalogColumn {
  const { name } = column;
  const position = keyColumns.indexOf(name);
  const declared = geometries.find((each) => each.name === name);
  const type = findType(column);
  const isSmall = column.lengthBytes === 1 && (type === 'tinyint' || type === 'bit');
  return {
    name,
    type: type === 'geometry' ? (declared?.type ?? type).toLowerCase() : type,
    fullType: `${type}${isSmall ? '(1)' : ''}${column.isUnsigned ? ' unsigned' : ''}`,
    isRequired: false,
    isGenerated: false,
    maxLength: undefined,
    // Results have the character set of the connection, whatever that of the column is.
    charset: undefined,
    srid: type === 'geometry' ? declared?.srid : undefined,
    isGeographic: false,
    keyPosition: position < 0 ? undefined : position + 1,
  };
}

/** The names of types by their numbers in the protocol. */
const types: Readonly<Record<number, string>> = {
  ...{ 0: 'decimal', 1: 'tinyint', 2: 'smallint', 3: 'int', 4: 'float', 5: 'double', 7: 'timestamp', 8: 'bigint' },
  ...{ 9: 'mediumint', 10: 'date', 11: 'time', 12: 'datetime', 13: 'year', 14: 'date', 16: 'bit' },
  ...{ 245: 'json', 246: 'decimal', 255: 'geometry' },
};

/** Texts and bytes have the same numbers. */
function findType({ type, isBinary }: ResultColumn): string {
  return types[type] ?? (isBinary ? 'blob' : 'text');
}

function validateColumns(columns: readonly CatalogColumn[], view: SqlView): string | undefined {
  const byName = new Map(columns.map((column) => [column.name, column]));
  if (byName.size < columns.length) return 'the query returns two columns with the same name';
  const missing = [...view.keyColumns, ...view.geometries.map(({ name }) => name)].find((name) => !byName.has(name));
  if (missing !== undefined) return `the query returns no column '${excerpt(missing)}'`;
  const plain = view.geometries.find(({ name }) => findColumnGeometry(byName.get(name)?.type ?? '') === undefined);
  return plain === undefined ? undefined : `the column '${excerpt(plain.name)}' of the query is not a geometry`;
}

function createInvalidProblem(reason: string) {
  return problem('virtual-table-invalid', { reason });
}

/** Errors of the query contain the message of the database; other errors are returned unchanged. */
export function toViewProblem(error: unknown, { name }: SqlView): unknown {
  const found = findStatementMessage(error);
  if (found === undefined) return error;
  const message = found
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_MESSAGE)
    .toWellFormed();
  return problem('virtual-table-refused', { name: excerpt(name), message: `${message.replace(/\.$/, '')}.` });
}
