/** Checks that a table is plain, so that storing a row has no side effects. */
import type { DatabaseSync } from 'node:sqlite';
import { problem } from '../../lib/problems/problem.ts';
import { harmlessFunctions } from './open-file.ts';
import { findIndex, formatIndexName } from './spatial-index.ts';
import type { Table } from './table.ts';

interface Trigger {
  readonly name: string;
  readonly sql: string;
}

export interface WritableParts {
  /** Its spatial index, if any. */
  readonly index?: string;
  /**
   * The triggers that maintain index and count; they are removed during writes, because their functions are not
   * available.
   */
  readonly triggers: readonly Trigger[];
}

export function readWritableParts(database: DatabaseSync, table: Table): WritableParts {
  const refuse = (reason: string) => problem('import-refused', { name: table.name, reason });
  if (table.isView) throw refuse('it is a view');
  const objects = database
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL')
    .all(table.name)
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }));
  const odd = objects.filter(({ type }) => type !== 'trigger').flatMap(({ sql }) => listUnsafeCalls(sql));
  if (odd.length > 0) throw refuse(`its definition calls functions that are not allowed: ${odd.join(', ')}`);
  const triggers = objects.filter(({ type }) => type === 'trigger');
  const foreign = triggers.find((trigger) => !isKnownTrigger(trigger, table));
  if (foreign !== undefined) throw refuse(`it has the custom trigger '${foreign.name}', which is not supported`);
  const index = table.geometry === undefined ? undefined : findIndex(database, table.name, table.geometry.name);
  if (index !== undefined && table.key === undefined)
    throw refuse('it has a spatial index, but no integer primary key');
  return { triggers, ...(index === undefined ? {} : { index }) };
}

/** Recreates the triggers unchanged. */
export function restoreTriggers(database: DatabaseSync, triggers: readonly Trigger[]): void {
  // Prepared, not executed as a script: only the first of several statements runs.
  for (const { sql } of triggers) database.prepare(sql).run();
}

/** Triggers of the format, and those with which GDAL counts features. */
function isKnownTrigger({ name, sql }: Trigger, table: Table): boolean {
  const lower = name.toLowerCase();
  const isOfIndex =
    table.geometry !== undefined &&
    lower.startsWith(`${formatIndexName(table.name, table.geometry.name).toLowerCase()}_`);
  const isCount = ['insert', 'delete'].some(
    (event) => lower === `trigger_${event}_feature_count_${table.name.toLowerCase()}`,
  );
  return (isOfIndex || isCount) && /^\s*CREATE\s+TRIGGER\b/i.test(sql);
}

/** Keywords that can precede a bracket. */
const syntax = new Set(
  'check|key|unique|default|references|as|in|and|or|not|on|exists|values|when|then|else|case|between|like|text|varchar|char|character|nchar|nvarchar|blob|numeric|decimal|int|integer|smallint|mediumint|tinyint|bigint|float|double|real|datetime|where'.split(
    '|',
  ),
);

/**
 * Checks, defaults and indexes can call functions, which a hostile file could use to run forever. Quoted function
 * names are also rejected.
 */
function listUnsafeCalls(sql: string): readonly string[] {
  const body = sql.slice(sql.indexOf('(') + 1);
  const bare = body
    .replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g, ' x ')
    .replaceAll(/\breferences\s+\w+\s*\(/gi, ' ');
  const called = [...bare.matchAll(/([\p{L}_][\p{L}\p{N}_$]*)\s*\(/gu)].map(([, name = '']) => name.toLowerCase());
  return [...new Set(called.filter((name) => !syntax.has(name) && !harmlessFunctions.has(name)))];
}
