/** Changes rows of an index in its thread, each time in one short transaction, so that a version shows them and others do not. */
import type { DatabaseSync } from 'node:sqlite';
import { lastOfEachPlace } from '../place.ts';
import type { GranuleDraft } from '../port.ts';
import { inTransaction } from './database.ts';
import { axisDomains, boxesTable, granulesTable, type IndexTable, STILL_THERE, writeAxes } from './index-table.ts';
import { alongAxes, axesFor, draftBounds, onAxis, rowColumns, rowOf } from './rows.ts';

/** Rows that are taken away in one step: some milliseconds. */
const ROWS_A_STEP = 1_000;

/** In these words an index leads to such rows. */
const WAS_REMOVED = `until < ${STILL_THERE}`;

export function addRows(
  database: DatabaseSync,
  table: IndexTable,
  version: number,
  drafts: readonly GranuleDraft[],
): void {
  inTransaction(database, () => {
    const { number, schema } = table;
    const axes = table.axes ?? axesFor(schema, drafts);
    if (table.axes === undefined) writeAxes(database, number, axes);
    const kept = lastOfEachPlace(schema, drafts);
    hideFormer(
      database,
      table,
      version,
      kept.map(({ location }) => location),
    );
    removeOwn(database, table, version, kept);
    const columns = rowColumns(schema);
    const insertRow = database.prepare(
      `INSERT INTO ${granulesTable(number)} (id, gid, since, until, ${columns.join(', ')})
       VALUES (?1, ?1, ${version}, ${STILL_THERE}, ${columns.map((_, at) => `?${at + 2}`).join(', ')})`,
    );
    const insertBox = database.prepare(
      `INSERT INTO ${boxesTable(number)} VALUES (?, ?, ?, ?, ?${', ?, ?'.repeat(axes.length)})`,
    );
    const domains = axisDomains(schema);
    let id = lastId(database, number);
    for (const draft of kept) {
      const bounds = draftBounds(draft);
      id += 1;
      insertRow.run(id, ...rowOf(schema, draft, bounds));
      const spans = alongAxes(domains, draft).flatMap(({ least, greatest }, at) => {
        const axis = axes[at];
        return axis === undefined ? [] : [onAxis(least, axis), onAxis(greatest, axis)];
      });
      insertBox.run(id, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY, ...spans);
    }
  });
}

/** The greatest that a row of the table has ever had. */
function lastId(database: DatabaseSync, number: number): number {
  const row = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(granulesTable(number));
  return Number(row?.['seq'] ?? 0);
}

/** What was there of these locations before this version goes with it. */
function hideFormer(
  database: DatabaseSync,
  { number }: IndexTable,
  version: number,
  locations: readonly string[],
): void {
  const hide = database.prepare(
    `UPDATE ${granulesTable(number)} SET until = ${version}
     WHERE location = ? AND since < ${version} AND until = ${STILL_THERE}`,
  );
  for (const location of new Set(locations)) hide.run(location);
}

export function removeFormerRows(
  database: DatabaseSync,
  table: IndexTable,
  version: number,
  locations: readonly string[],
): void {
  inTransaction(database, () => hideFormer(database, table, version, locations));
}

/** What this version itself has put in the places of the drafts goes at once. */
function removeOwn(
  database: DatabaseSync,
  { number }: IndexTable,
  version: number,
  drafts: readonly GranuleDraft[],
): void {
  const findOwn = database.prepare(
    `SELECT id FROM ${granulesTable(number)}
     WHERE location = ? AND imageindex = ? AND since = ${version} AND until = ${STILL_THERE}`,
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
  const deletions = [granulesTable(number), boxesTable(number)].map((name) =>
    database.prepare(`DELETE FROM ${name} WHERE id = ?`),
  );
  for (const id of ids) for (const deletion of deletions) deletion.run(id);
}

/** From this version on they are not shown any more. */
export function removeRows(database: DatabaseSync, table: IndexTable, version: number, ids: readonly number[]): void {
  inTransaction(database, () => {
    const name = granulesTable(table.number);
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
 * Takes back a step of what was done under that version, and tells whether there is more. What was put in last has the
 * greatest ids, so that nothing has to be searched for.
 */
export function takeBackStep(database: DatabaseSync, { number }: IndexTable, version: number): boolean {
  const name = granulesTable(number);
  return inTransaction(database, () => {
    const added = database
      .prepare(
        `SELECT id FROM (SELECT id, since FROM ${name} ORDER BY id DESC LIMIT ${ROWS_A_STEP}) WHERE since = ${version}`,
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
        `UPDATE ${name} SET until = ${STILL_THERE} WHERE id IN (SELECT id FROM ${name}
         WHERE until = ${version} AND ${WAS_REMOVED} LIMIT ${ROWS_A_STEP})`,
      )
      .run();
    return added.length === ROWS_A_STEP || Number(changes) === ROWS_A_STEP;
  });
}

/**
 * A step of making a version show what an earlier one does, although others came in between: what they have added is gone
 * with it, and what they have removed is there again, in new rows. Gives where the next step goes on; undefined at the end.
 */
export function repeatStep(
  database: DatabaseSync,
  table: IndexTable,
  { from, version, after }: { readonly from: number; readonly version: number; readonly after: number },
): number | undefined {
  const name = granulesTable(table.number);
  return inTransaction(database, () => {
    const { changes } = database
      .prepare(
        `UPDATE ${name} SET until = ${version} WHERE id IN (SELECT id FROM ${name}
         WHERE id > ifnull((SELECT id FROM ${name} WHERE since <= ${from} ORDER BY id DESC LIMIT 1), 0)
           AND since < ${version} AND until = ${STILL_THERE} LIMIT ${ROWS_A_STEP})`,
      )
      .run();
    if (Number(changes) === ROWS_A_STEP) return after;
    const removed = database
      .prepare(
        `SELECT id FROM ${name} WHERE id > ? AND since <= ${from} AND until > ${from} AND until < ${version} AND ${WAS_REMOVED}
         ORDER BY id LIMIT ${ROWS_A_STEP}`,
        { returnArrays: true },
      )
      .all(after)
      .map((row) => Number(row[0]));
    copyRows(database, table, version, removed);
    return removed.length === ROWS_A_STEP ? removed.at(-1) : undefined;
  });
}

function copyRows(
  database: DatabaseSync,
  { number, schema }: IndexTable,
  version: number,
  ids: readonly number[],
): void {
  const columns = ['gid', ...rowColumns(schema)].join(', ');
  const axes = axisDomains(schema).map((_, at) => `, min${at}, max${at}`);
  const copyRow = database.prepare(
    `INSERT INTO ${granulesTable(number)} (since, until, ${columns})
     SELECT ${version}, ${STILL_THERE}, ${columns} FROM ${granulesTable(number)} WHERE id = ?`,
  );
  const copyBox = database.prepare(
    `INSERT INTO ${boxesTable(number)} SELECT ?, minx, maxx, miny, maxy${axes.join('')}
     FROM ${boxesTable(number)} WHERE id = ?`,
  );
  for (const id of ids) copyBox.run(copyRow.run(id).lastInsertRowid, id);
}

/** Clears away a step of what none of these versions shows, nor any later than the last; tells whether there is more. */
export function clearStep(
  database: DatabaseSync,
  { number }: IndexTable,
  { kept, upTo }: { readonly kept: readonly number[]; readonly upTo: number },
): boolean {
  return inTransaction(database, () => {
    const gone = database
      .prepare(
        `SELECT id FROM ${granulesTable(number)} WHERE until <= ${upTo + 1} AND ${WAS_REMOVED}
           AND NOT EXISTS (SELECT 1 FROM json_each(?) AS kept WHERE kept.value >= since AND kept.value < until)
         LIMIT ${ROWS_A_STEP}`,
        { returnArrays: true },
      )
      .all(JSON.stringify(kept));
    deleteRows(
      database,
      number,
      gone.map((row) => Number(row[0])),
    );
    return gone.length === ROWS_A_STEP;
  });
}
