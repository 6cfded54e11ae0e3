/**
 * Checks the query plan of a view before it runs, because SQLite cannot be interrupted and a view can run for years.
 */
import type { DatabaseSync } from 'node:sqlite';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import { problem } from '../../lib/problems/problem.ts';

/** One row per row of the other table, so the cost stays linear. */
const singleRow = /^SEARCH .* USING INTEGER PRIMARY KEY \(rowid=\?\)(?: LEFT-JOIN)?$/;

/** Rejects views with nested table scans or other views. */
export function checkViewPlan(database: DatabaseSync, file: string, view: string): void {
  if (canGrow(database, view)) throw createRefusal(file, view);
  const steps = database.prepare(`EXPLAIN QUERY PLAN SELECT * FROM ${quoteName(view)}`).all();
  const loops = new Map<unknown, number>();
  for (const { parent, detail } of steps) {
    const text = String(detail);
    if (/CORRELATED|VIRTUAL TABLE/.test(text)) throw createRefusal(file, view);
    if (/^(?:SCAN|SEARCH) /.test(text) && !singleRow.test(text) && !/^SCAN CONSTANT ROW/.test(text)) {
      const count = (loops.get(parent) ?? 0) + 1;
      if (count > 1) throw createRefusal(file, view);
      loops.set(parent, count);
    }
  }
}

/**
 * Nested views and common table expressions can double with each level, already while the plan is made. Any mention
 * of another view is therefore rejected, even if it is harmless.
 */
function canGrow(database: DatabaseSync, view: string): boolean {
  const views = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").all();
  const definition = views.find(({ name }) => foldName(name) === foldName(view));
  const text = foldName(definition?.['sql']);
  const words = new Set(text.split(/[^\p{L}\p{N}_$]+/u));
  const isMentioned = (name: string): boolean => (/^[\w$]+$/.test(name) ? words.has(name) : text.includes(name));
  return (
    words.has('with') || views.some(({ name }) => foldName(name) !== foldName(view) && isMentioned(foldName(name)))
  );
}

/** Removes case and quotes, which are optional in names. */
function foldName(value: unknown): string {
  return String(value)
    .replace(/["'`[\]]/g, '')
    .toLowerCase();
}

function createRefusal(file: string, view: string): Error {
  const reason = `its view '${view}' uses a join that may take too long; only tables and joins by primary key are supported`;
  return problem('vector-file-unsupported', { file, reason });
}
