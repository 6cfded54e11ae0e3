/** Finds the rows that a type consists of: a table, or a query of a client that runs read-only. */
import { problem } from '../../lib/problems/problem.ts';
import type { SqlView } from '../port/sql-view.ts';
import type { DatabaseDialect } from './dialect.ts';
import type { SqlSession } from './session.ts';
import type { Table } from './table.ts';

/** The time limit for the description of a query. */
const DESCRIPTION_MS = 10_000;

/** Runs `work` with the table; errors of a query contain the message of the database. */
export async function withRelation<T>(
  dialect: DatabaseDialect,
  session: SqlSession,
  of: string | SqlView,
  work: (table: Table) => T | Promise<T>,
): Promise<T> {
  if (typeof of === 'string') return work(await requireTable(dialect, session, of));
  try {
    await beginViewing(dialect, session);
    return await work(await dialect.runLimited(session, DESCRIPTION_MS, () => dialect.describeQuery(session, of)));
  } catch (error) {
    throw dialect.toViewProblem(error, of);
  } finally {
    // A lost connection needs no cleanup.
    await endViewing(dialect, session).catch(() => undefined);
  }
}

export async function requireTable(dialect: DatabaseDialect, session: SqlSession, name: string): Promise<Table> {
  const table = await dialect.findTable(session, name);
  if (table === undefined) throw problem('vector-type-unknown', { name });
  return table;
}

export async function beginViewing({ beginViewing: statements }: DatabaseDialect, session: SqlSession): Promise<void> {
  for (const statement of statements) await session.run(statement);
}

/** Undoes what a query has done to its session. */
export async function endViewing({ endViewing: statements }: DatabaseDialect, session: SqlSession): Promise<void> {
  for (const statement of statements) await session.run(statement);
}
