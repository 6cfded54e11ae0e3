/** Writes tables and features in one transaction of PostgreSQL: readers see what was there until it is committed. */

import { qualifyName } from '../../../filter/sql/quote-sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { WriteSession } from '../../port/port.ts';
import { matchColumns } from '../../support/match-columns.ts';
import type { PostgisContext } from '../read/read.ts';
import { describeTable } from '../table/describe.ts';
import { findTable } from '../table/table.ts';
import { createTable } from './create-table.ts';
import { editRows } from './edit-rows.ts';
import { insertBatches } from './insert-batches.ts';
import { listWritableColumns } from './writable-columns.ts';
import { toWriteProblem } from './write-failure.ts';

/** Everything was checked before; whoever waits for the end of it keeps others waiting. */
const COMMIT_TIMEOUT_MS = 5_000;

export async function startWriting(
  { connections, settings, filterRunner }: PostgisContext,
  signal: AbortSignal,
): Promise<WriteSession> {
  const { schema } = settings;
  const taken = await connections.acquire(signal);
  const { client } = taken;

  /** Lets go at once when the signal says so, or when a time is over. */
  const runGuarded = async <T>(work: Promise<T>, timeoutMs?: number): Promise<T> => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => undefined);
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => reject(new Error('timeout expired')), timeoutMs);
    try {
      return await taken.rejectOnAbort(Promise.race([work, late]));
    } catch (error) {
      throw connections.toError(error, signal);
    } finally {
      clearTimeout(timer);
    }
  };

  const write: WriteSession['write'] = async (features, mode) => {
    let table = await findTable(client, schema, features.name);
    if (table === undefined) {
      await createTable(client, schema, features);
      table = await findTable(client, schema, features.name);
    } else if (mode === 'overwrite') {
      // Not TRUNCATE, which would keep every reader waiting until the end.
      await client.query(`DELETE FROM ${qualifyName(schema, table.name)}`).catch((error: unknown) => {
        throw toWriteProblem(error, features.name, 'the new features');
      });
    }
    if (table === undefined) throw problem('vector-type-unknown', { name: features.name });
    const columns = await listWritableColumns(client, schema, table, features.attributes);
    const matches = await matchColumns(table.name, features.attributes, columns);
    await insertBatches(client, { schema, name: table.name }, matches, features.batches);
    // Rules that are checked at the end are checked now, while there is still time to tell.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE').catch((error: unknown) => {
      throw toWriteProblem(error, features.name, 'the new features');
    });
    return table.name;
  };

  try {
    await runGuarded(client.query('BEGIN READ WRITE'));
  } catch (error) {
    taken.release(true);
    throw error;
  }
  let isEnded = false;
  const edits = editRows(client, settings, (filter, access) => filterRunner.start(filter, access, signal));
  return {
    createType: (type) => runGuarded(createTable(client, schema, type)),
    write: (features, mode) => runGuarded(write(features, mode)),
    insert: (name, features) => runGuarded(edits.insert(name, features)),
    update: (name, changes, filter) => runGuarded(edits.update(name, changes, filter)),
    remove: (name, filter) => runGuarded(edits.remove(name, filter)),
    find: (name, filter) => runGuarded(edits.find(name, filter)),
    describe: (name) =>
      runGuarded(
        (async () => {
          const table = await findTable(client, schema, name);
          return table && describeTable(client, table, { ...settings, isInTransaction: true });
        })(),
      ),
    commit: async () => {
      isEnded = true;
      try {
        await runGuarded(client.query('COMMIT'), COMMIT_TIMEOUT_MS);
        taken.release(false);
      } catch (error) {
        taken.release(true);
        throw error;
      }
    },
    rollback: async () => {
      // A connection that was given back is somebody else's.
      if (isEnded) return;
      isEnded = true;
      const isDone = await runGuarded(client.query('ROLLBACK'), COMMIT_TIMEOUT_MS).then(
        () => true,
        () => false,
      );
      // The database takes back whatever a connection that is closed had not committed.
      taken.release(!isDone);
    },
  };
}
