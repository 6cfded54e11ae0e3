/** Checks the plans of views before they run: SQLite cannot be interrupted, and a view can combine many rows. */
import type { DatabaseSync } from 'node:sqlite';
import { TileArchiveError } from './model/tile-archive.ts';

/** Rejects a view that computes values, or combines several rows of one table with several rows of another. */
export function checkLoops(
  database: DatabaseSync,
  view: string,
  statement: string,
  values: readonly number[] = [],
): void {
  const plan = explainPlan(database, statement, values);
  const scans = plan.filter((detail) => detail.startsWith('SCAN'));
  if (scans.length > 1) {
    throw createRefusal(
      `its view '${view}' reads all rows of several tables (${scans.join(', ').slice(0, 100)}); add an index, or create a table`,
    );
  }
  const loops = plan.filter((detail) => /^(?:SCAN|SEARCH) /.test(detail) && !findsOneRow(database, detail));
  if (loops.length > 1 || hasNullJoin(database, view)) {
    throw createRefusal(
      `its view '${view}' can combine many rows of several tables (${loops.join(', ').slice(0, 100)}); join by a unique index, or create a table`,
    );
  }
  const computed = listOperations(database, statement, values).find((name) => computing.test(name));
  if (computed !== undefined) {
    throw createRefusal(`its view '${view}' computes values (${computed}); select columns, or create a table`);
  }
}

export function explainPlan(
  database: DatabaseSync,
  statement: string,
  values: readonly number[] = [],
): readonly string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${statement}`)
    .all(...values)
    .map(({ detail }) => String(detail));
}

/** Operations that take long for large values, and those of subqueries, groups and temporary tables. */
const computing = /^(?:Function|PureFunc|Concat|Agg|Program|InitCoroutine|Sorter|OpenEphemeral|OpenAutoindex|VOpen)/;

function listOperations(database: DatabaseSync, statement: string, values: readonly number[]): readonly string[] {
  return database
    .prepare(`EXPLAIN ${statement}`)
    .all(...values)
    .map(({ opcode }) => String(opcode));
}

/** Whether a step of a plan finds at most one row: by the key, or by all columns of a unique index. */
function findsOneRow(database: DatabaseSync, detail: string): boolean {
  const [, index, conditions = ''] =
    / USING (?:(?:COVERING )?INDEX (.+?)|(?:INTEGER )?PRIMARY KEY) \((.*)\)(?: LEFT-JOIN)?$/.exec(detail) ?? [];
  const terms = conditions.split(' AND ');
  if (terms.some((term) => !/[^<>]=\?$/.test(term))) return false;
  if (index === undefined) return terms[0] === 'rowid=?';
  const isUnique = index.startsWith('sqlite_autoindex_') || isUniqueIndex(database, index);
  const [{ columns } = {}] = database.prepare('SELECT count(*) AS columns FROM pragma_index_info(?)').all(index);
  return isUnique && columns === terms.length;
}

function isUniqueIndex(database: DatabaseSync, name: string): boolean {
  const [row] = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?").all(name);
  return /^CREATE UNIQUE INDEX /i.test(String(row?.['sql']));
}

/** A unique index can have many rows with null, which only IS finds. */
function hasNullJoin(database: DatabaseSync, view: string): boolean {
  const [row] = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?").all(view);
  return /\bIS\b(?!\s+(?:NOT\s+)?NULL\b)/i.test(String(row?.['sql']));
}

function createRefusal(reason: string): Error {
  return new TileArchiveError(reason, { isUnsupported: true });
}
