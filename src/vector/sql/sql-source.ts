/** The tables and views of an SQL database behind the vector port. */

import type { TypeSummary, VectorSource } from '../port/port.ts';
import { describeTable } from './describe.ts';
import type { SqlContext } from './dialect.ts';
import { getTable, readTable, selectRows } from './read.ts';
import { withRelation } from './relation.ts';
import { computeRowBounds, computeStatistics, countRows } from './summarise.ts';
import { startWriting, UNCOMMITTED_PREFIX } from './write-session.ts';

/** Connects on first use. */
export function createSqlSource(place: SqlContext): VectorSource {
  const { pool, getDialect, exposesPrimaryKeys } = place;
  return {
    filters: true,
    listTypes: (signal) =>
      pool.withSession(signal, async (session) => (await getDialect(session).listTables(session)).filter(isCommitted)),
    listDetailedTypes: (signal) =>
      pool.withSession(signal, async (session) =>
        (await getDialect(session).listDetailedTables(session)).filter(isCommitted),
      ),
    describe: (name, signal) =>
      pool.withSession(signal, async (session) => {
        const dialect = getDialect(session);
        const table = await dialect.findTable(session, name);
        return table && describeTable(dialect, session, table, exposesPrimaryKeys);
      }),
    describeView: (view, signal) =>
      pool.withSession(signal, async (session) => {
        const dialect = getDialect(session);
        return withRelation(dialect, session, view, (table) =>
          describeTable(dialect, session, table, exposesPrimaryKeys),
        );
      }),
    read: (name, query, signal) => readTable(place, name, query, signal),
    readView: (view, query, signal) => readTable(place, view, query, signal),
    select: (of, query, signal) => selectRows(place, of, query, signal),
    count: (of, filter, signal) => countRows(place, of, filter, signal),
    estimateCount: async (of, filter, signal) =>
      filter === undefined && typeof of === 'string'
        ? (await getTable(place, of, signal)).table.estimatedRows
        : undefined,
    bounds: (of, filter, signal) => computeRowBounds(place, of, filter, signal),
    computeStatistics: (of, request, signal) => computeStatistics(place, of, request, signal),
    startWriting: (signal) => startWriting(place, signal),
    connections: () => pool.getCounts(),
    isAwaited: () => pool.getCounts().waiting > 0,
    close: () => pool.close(),
  };
}

function isCommitted({ name }: TypeSummary): boolean {
  return !name.startsWith(UNCOMMITTED_PREFIX);
}
