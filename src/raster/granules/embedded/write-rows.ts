/** Changes rows of an index in a thread, in short transactions, so that only the new version includes the changes. */
import type { DatabaseSync } from 'node:sqlite';
import { selectLastPerLocation } from '../port/granule-location.ts';
import type { GranuleDraft } from '../port/port.ts';
import { runInTransaction } from './database.ts';
import {
  formatBoxesTable,
  formatGranulesTable,
  type IndexTable,
  listAxisDomains,
  NOT_REMOVED,
  writeAxes,
} from './index-table.ts';
import { computeAxes, computeDraftBounds, computeSpans, listRowColumns, toAxisValue, toRow } from './rows.ts';

/** The number of rows that are changed per step, which takes some milliseconds. */
const ROWS_PER_STEP = 1_000;

/** Must match the condition of the partial index. */
const WAS_REMOVED = `until < ${NOT_REMOVED}`;

export function addRows(
  database: DatabaseSync,
  table: IndexTable,
  version: number,
  drafts: readonly GranuleDraft[],
): void {
  runInTransaction(database, () => {
    const { number, schema } = table;
    const axes = table.axes ?? computeAxes(schema, drafts);
    if (table.axes === undefined) writeAxes(database, number, axes);
    const unique = selectLastPerLocation(schema, drafts);
    hideFormer(
      database,
      table,
      version,
      unique.map(({ location }) => location),
    );
    removeOwn(database, table, version, unique);
    const columns = listRowColumns(schema);
    const insertRow = database.prepare(
      `INSERT INTO ${formatGranulesTable(number)} (id, gid, since, until, ${columns.join(', ')})
       VALUES (?1, ?1, ${version}, ${NOT_REMOVED}, ${columns.map((_, at) => `?${at + 2}`).join(', ')})`,
    );
    const insertBox = database.prepare(
      `INSERT INTO ${formatBoxesTable(number)} VALUES (?, ?, ?, ?, ?${', ?, ?'.repeat(axes.length)})`,
    );
    const domains = listAxisDomains(schema);
    let id = findLastId(database, number);
    for (const draft of unique) {
      const bounds = computeDraftBounds(draft);
      id += 1;
      insertRow.run(id, ...toRow(schema, draft, bounds));
      const spans = computeSpans(domains, draft).flatMap(({ least, greatest }, at) => {
        const axis = axes[at];
        return axis === undefined ? [] : [toAxisValue(least, axis), toAxisValue(greatest, axis)];
      });
      insertBox.run(id, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY, ...spans);
    }
  });
}

/** Returns the highest id that the table has ever had. */
function findLastId(database: DatabaseSync, number: number): number {
  const row = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(formatGranulesTable(number));
  return Number(row?.['seq'] ?? 0);
}

/** Hides earlier granules of these locations from this version on. */
function hideFormer(
  database: DatabaseSync,
  { number }: IndexTable,
  version: number,
  locations: readonly string[],
): void {
  const hide = database.prepare(
    `UPDATE ${formatGranulesTable(number)} SET until = ${version}
     WHERE location = ? AND since < ${version} AND until = ${NOT_REMOVED}`,
  );
  for (const location of new Set(locations)) hide.run(location);
}

export function removeFormerRows(
  database: DatabaseSync,
  table: IndexTable,
  version: number,
  locations: readonly string[],
): void {
  runInTransaction(database, () => hideFormer(database, table, version, locations));
}

/** Deletes the granules that this version itself has inserted at the locations of the drafts. */
function removeOwn(
  database: DatabaseSync,
  { number }: IndexTable,
  version: number,
  drafts: readonly GranuleDraft[],
): void {
  const findOwn = database.prepare(
    `SELECT id FROM ${formatGranulesTable(number)}
     WHERE location = ? AND imageindex = ? AND since = ${version} AND until = ${NOT_REMOVED}`,
    { returnArrays: true },
  );
  const own: number[] = [];
  for (const { location, imageindex } of drafts) {
    for (const row of findOwn.all(location, imageindex)) own.push(Number(row[0]));
  }
  deleteRows(database, number, own);
}

function deleteRows(database: DatabaseSync, number: number, ids: readonly number[]): void {
  if (ids.length === 0) return;
  const deletions = [formatGranulesTable(number), formatBoxesTable(number)].map((name) =>
    database.prepare(`DELETE FROM ${name} WHERE id = ?`),
  );
  for (const id of ids) for (const deletion of deletions) deletion.run(id);
}

/** Removes them from this version on. */
export function removeRows(database: DatabaseSync, table: IndexTable, version: number, ids: readonly number[]): void {
  runInTransaction(database, () => {
    const name = formatGranulesTable(table.number);
    const list = JSON.stringify(ids);
    const own = database
      .prepare(`SELECT id FROM ${name} WHERE id IN (SELECT value FROM json_each(?)) AND since = ${version}`, {
        returnArrays: true,
      })
      .all(list);
    deleteRows(
      database,
      table.number,
      own.map((row) => Number(row[0])),
    );
    database.prepare(`UPDATE ${name} SET until = ${version} WHERE id IN (SELECT value FROM json_each(?))`).run(list);
  });
}

/**
 * Rolls back a step of a version and returns whether there is more. Its rows have the highest ids, so no search is
 * needed.
 */
export function rollbackStep(database: DatabaseSync, { number }: IndexTable, version: number): boolean {
  const name = formatGranulesTable(number);
  return runInTransaction(database, () => {
    const added = database
      .prepare(
        `SELECT id FROM (SELECT id, since FROM ${name} ORDER BY id DESC LIMIT ${ROWS_PER_STEP}) WHERE since = ${version}`,
        { returnArrays: true },
      )
      .all();
    deleteRows(
      database,
      number,
      added.map((row) => Number(row[0])),
    );
    const { changes } = database
      .prepare(
        `UPDATE ${name} SET until = ${NOT_REMOVED} WHERE id IN (SELECT id FROM ${name}
         WHERE until = ${version} AND ${WAS_REMOVED} LIMIT ${ROWS_PER_STEP})`,
      )
      .run();
    return added.length === ROWS_PER_STEP || Number(changes) === ROWS_PER_STEP;
  });
}

/**
 * A step of restoring an earlier version as a new one: additions of the versions in between are removed, and their
 * removals are inserted again as new rows. Returns the next position; undefined at the end.
 */
export function repeatStep(
  database: DatabaseSync,
  table: IndexTable,
  { from, version, after }: { readonly from: number; readonly version: number; readonly after: number },
): number | undefined {
  const name = formatGranulesTable(table.number);
  return runInTransaction(database, () => {
    const { changes } = database
      .prepare(
        `UPDATE ${name} SET until = ${version} WHERE id IN (SELECT id FROM ${name}
         WHERE id > ifnull((SELECT id FROM ${name} WHERE since <= ${from} ORDER BY id DESC LIMIT 1), 0)
           AND since < ${version} AND until = ${NOT_REMOVED} LIMIT ${ROWS_PER_STEP})`,
      )
      .run();
    if (Number(changes) === ROWS_PER_STEP) return after;
    const removed = database
      .prepare(
        `SELECT id FROM ${name} WHERE id > ? AND since <= ${from} AND until > ${from} AND until < ${version} AND ${WAS_REMOVED}
         ORDER BY id LIMIT ${ROWS_PER_STEP}`,
        { returnArrays: true },
      )
      .all(after)
      .map((row) => Number(row[0]));
    copyRows(database, table, version, removed);
    return removed.length === ROWS_PER_STEP ? removed.at(-1) : undefined;
  });
}

function copyRows(
  database: DatabaseSync,
  { number, schema }: IndexTable,
  version: number,
  ids: readonly number[],
): void {
  const columns = ['gid', ...listRowColumns(schema)].join(', ');
  const axes = listAxisDomains(schema).map((_, at) => `, min${at}, max${at}`);
  const copyRow = database.prepare(
    `INSERT INTO ${formatGranulesTable(number)} (since, until, ${columns})
     SELECT ${version}, ${NOT_REMOVED}, ${columns} FROM ${formatGranulesTable(number)} WHERE id = ?`,
  );
  const copyBox = database.prepare(
    `INSERT INTO ${formatBoxesTable(number)} SELECT ?, minx, maxx, miny, maxy${axes.join('')}
     FROM ${formatBoxesTable(number)} WHERE id = ?`,
  );
  for (const id of ids) copyBox.run(copyRow.run(id).lastInsertRowid, id);
}

/** Deletes some rows that are in none of these versions and in no later one. Returns whether there is more. */
export function clearStep(
  database: DatabaseSync,
  { number }: IndexTable,
  { kept, upTo }: { readonly kept: readonly number[]; readonly upTo: number },
): boolean {
  return runInTransaction(database, () => {
    const gone = database
      .prepare(
        `SELECT id FROM ${formatGranulesTable(number)} WHERE until <= ${upTo + 1} AND ${WAS_REMOVED}
           AND NOT EXISTS (SELECT 1 FROM json_each(?) AS kept WHERE kept.value >= since AND kept.value < until)
         LIMIT ${ROWS_PER_STEP}`,
        { returnArrays: true },
      )
      .all(JSON.stringify(kept));
    deleteRows(
      database,
      number,
      gone.map((row) => Number(row[0])),
    );
    return gone.length === ROWS_PER_STEP;
  });
}
