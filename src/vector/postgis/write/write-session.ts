/** Writes tables and features in one transaction, so that readers see the old data until the commit. */

import { qualifyName } from '../../../filter/sql/quote-sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { WriteSession } from '../../port/port.ts';
import { matchColumns } from '../../support/match-columns.ts';
import type { PostgisContext } from '../read/read.ts';
import { describeTable } from '../table/describe.ts';
import { findTable } from '../table/table.ts';
import { createTable } from './create-table.ts';
import { RowEdits } from './edit-rows.ts';
import { insertBatches } from './insert-batches.ts';
import { listWritableColumns } from './writable-columns.ts';
import { toWriteProblem } from './write-failure.ts';

/** Everything is already validated, and a commit that waits blocks others. */
const COMMIT_TIMEOUT_MS = 5_000;

export async function startWriting(
  { connections, settings, filterRunner }: PostgisContext,
  signal: AbortSignal,
): Promise<WriteSession> {
  const { schema } = settings;
  const taken = await connections.acquire(signal);
  const { client } = taken;

  /** Rejects immediately on abort or timeout. */
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
      // Not TRUNCATE, which would block every reader until the end.
      await client.query(`DELETE FROM ${qualifyName(schema, table.name)}`).catch((error: unknown) => {
        throw toWriteProblem(error, features.name, 'the new features');
      });
    }
    if (table === undefined) throw problem('vector-type-unknown', { name: features.name });
    const columns = await listWritableColumns(client, schema, table, features.attributes);
    const matches = await matchColumns(table.name, features.attributes, columns);
    await insertBatches(client, { schema, name: table.name }, matches, features.batches);
    // Checks deferred constraints now, while errors can still be reported.
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
  const edits = new RowEdits(client, settings, (filter, access) => filterRunner.start(filter, access, signal));
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
      // A released connection belongs to another session.
      if (isEnded) return;
      isEnded = true;
      const isDone = await runGuarded(client.query('ROLLBACK'), COMMIT_TIMEOUT_MS).then(
        () => true,
        () => false,
      );
      // The database rolls back the uncommitted changes of a closed connection.
      taken.release(!isDone);
    },
  };
}
