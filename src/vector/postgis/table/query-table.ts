/** Uses an SQL view like a table: it runs read-only, and its effects on the connection are undone. */
import type { PoolClient } from 'pg';
import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { SqlView } from '../../port/sql-view.ts';
import { isStatementError } from '../connection/failure.ts';
import { type CatalogColumn, isGeometryColumn } from './columns.ts';
import { type Table, writeDomainBaseQuery } from './table.ts';

/** Sends statements with client SQL; in extended mode the database rejects a second statement. */
export const oneStatement = { queryMode: 'extended' } as const;

/** An explicit transaction, so that settings changed by the query are reverted. */
export const BEGIN = 'BEGIN READ ONLY';

/** Advisory locks can outlive the transaction. */
export const END = 'ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()';

/** The time limit for statements that describe a query; there is no estimate to fall back on. */
const STATEMENT_LIMIT_MS = 10_000;

/** Longer messages of the database are cut off. */
const MAX_MESSAGE = 300;

/** Runs `work` with the query described as a table; errors of the query contain the database message. */
export async function withQueryTable<T>(
  client: PoolClient,
  view: SqlView,
  work: (table: Table) => T | Promise<T>,
): Promise<T> {
  await client.query(`${BEGIN}; SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}`);
  try {
    return await work(await createQueryTable(client, view));
  } catch (error) {
    throw toRefusal(error, view) ?? error;
  } finally {
    // A lost connection needs no cleanup.
    await client.query(END).catch(() => undefined);
  }
}

async function createQueryTable(client: PoolClient, view: SqlView): Promise<Table> {
  const { name, geometries } = view;
  // The line break ends a trailing comment, which would hide the bracket.
  const relation = `(${view.sql}\n) AS vtable`;
  const { fields } = await client.query({ text: `SELECT * FROM ${relation} LIMIT 0`, ...oneStatement });
  const types = await readColumnTypes(client, [...new Set(fields.map(({ dataTypeID }) => dataTypeID))]);
  const keys = view.keyColumns;
  const columns = fields.map((field): CatalogColumn => {
    const type = types.get(field.dataTypeID);
    const position = keys.indexOf(field.name);
    return {
      name: field.name,
      typeName: type?.name ?? 'text',
      typeSchema: type?.schema ?? 'pg_catalog',
      modifier: type?.modifier ?? field.dataTypeModifier,
      isRequired: false,
      ...(position < 0 ? {} : { keyPosition: position + 1 }),
    };
  });
  const objection = validateColumns(columns, view);
  if (objection !== undefined) {
    throw problem('virtual-table-invalid', { reason: objection });
  }
  return { name, relation, columns, declared: geometries };
}

interface ColumnType {
  readonly name: string;
  readonly schema: string;
  /** The modifier of a domain; undefined if the column has its own. */
  readonly modifier?: number;
}

async function readColumnTypes(client: PoolClient, oids: readonly number[]): Promise<ReadonlyMap<number, ColumnType>> {
  const { rows } = await client.query<{ oid: number; name: string; schema: string; modifier: number | null }>(
    `SELECT own.oid, t.typname AS name, n.nspname AS schema, made_of.modifier
     FROM pg_catalog.pg_type own
     LEFT JOIN LATERAL ${writeDomainBaseQuery('own')} AS made_of ON true
     JOIN pg_catalog.pg_type t ON t.oid = COALESCE(made_of.oid, own.oid)
     JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
     WHERE own.oid = ANY ($1::oid[])`,
    [oids],
  );
  return new Map(
    rows.map(({ oid, modifier, ...type }) => [Number(oid), { ...type, ...(modifier === null ? {} : { modifier }) }]),
  );
}

function validateColumns(columns: readonly CatalogColumn[], view: SqlView): string | undefined {
  const byName = new Map(columns.map((column) => [column.name, column]));
  if (byName.size < columns.length) {
    return 'the query returns two columns with the same name';
  }
  const missing = [...view.keyColumns, ...view.geometries.map(({ name }) => name)].find((name) => !byName.has(name));
  if (missing !== undefined) {
    return `the query returns no column '${excerpt(missing)}'`;
  }
  const plain = view.geometries.find(({ name }) => !isGeometryColumn(byName.get(name) ?? { typeName: '' }));
  return plain === undefined ? undefined : `the column '${excerpt(plain.name)}' of the query is not a geometry`;
}

function toRefusal(error: unknown, { name }: SqlView): Error | undefined {
  if (!isStatementError(error)) {
    return undefined;
  }
  const message = error.message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_MESSAGE)
    .toWellFormed();
  return problem('virtual-table-refused', { name: excerpt(name), message: `${message.replace(/\.$/, '')}.` });
}
