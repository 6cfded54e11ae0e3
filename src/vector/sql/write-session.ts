/** Writes tables and features in one transaction, so that readers see the old data until the commit. */
import { randomUUID } from 'node:crypto';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, IncomingFeatures, NewFeatureType, WriteSession } from '../port/port.ts';
import { type ColumnMatch, matchColumns, toRow } from '../support/match-columns.ts';
import { describeTable } from './describe.ts';
import type { DatabaseDialect, SqlContext } from './dialect.ts';
import { RowEdits, requireWritable } from './edit-rows.ts';
import { requireTable } from './relation.ts';
import type { BoundValue, SqlSession } from './session.ts';
import type { AcquiredSession } from './session-pool.ts';
import type { Table } from './table.ts';
import { listWritableColumns, type WritableColumn } from './writable-columns.ts';

/** Everything is already validated, and a commit that waits blocks others. */
const COMMIT_TIMEOUT_MS = 5_000;

/** Rows and characters per statement; servers limit the size of a message. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 2_097_152;

/** The start of the names of tables that are not committed. Listings leave them out. */
export const UNCOMMITTED_PREFIX = 'graticule_new_';

export async function startWriting(place: SqlContext, signal: AbortSignal): Promise<WriteSession> {
  const taken = await place.pool.acquire(signal);
  const writing = new SqlWriteSession(place, taken, signal);
  try {
    await writing.begin();
    return writing;
  } catch (error) {
    taken.release(true);
    throw error;
  }
}

/**
 * Where creating a table commits a transaction, new tables are created on another connection under a name of their own,
 * and are renamed by the commit.
 */
class SqlWriteSession implements WriteSession {
  readonly #place: SqlContext;
  readonly #taken: AcquiredSession;
  readonly #signal: AbortSignal;
  readonly #session: SqlSession;
  readonly #dialect: DatabaseDialect;
  readonly #edits: RowEdits;
  /** The present names of new tables. */
  readonly #created = new Map<string, string>();
  #isEnded = false;

  constructor(place: SqlContext, taken: AcquiredSession, signal: AbortSignal) {
    this.#place = place;
    this.#taken = taken;
    this.#signal = signal;
    this.#session = taken.session;
    this.#dialect = place.getDialect(taken.session);
    this.#edits = new RowEdits({
      session: taken.session,
      dialect: this.#dialect,
      exposesPrimaryKeys: place.exposesPrimaryKeys,
      startMatching: (filter, access) => place.filterRunner.start(filter, access, signal),
      resolveName: (name) => this.#resolveName(name),
    });
  }

  async begin(): Promise<void> {
    for (const statement of this.#dialect.beginWriting) await this.#runGuarded(this.#session.run(statement));
  }

  createType(type: NewFeatureType): Promise<void> {
    return this.#runGuarded(this.#createTable(type));
  }

  write(features: IncomingFeatures, mode: 'append' | 'overwrite'): Promise<string> {
    return this.#runGuarded(this.#write(features, mode));
  }

  insert: WriteSession['insert'] = (name, features) => this.#runGuarded(this.#edits.insert(name, features));
  update: WriteSession['update'] = (name, changes, filter) =>
    this.#runGuarded(this.#edits.update(name, changes, filter));
  remove: WriteSession['remove'] = (name, filter) => this.#runGuarded(this.#edits.remove(name, filter));
  find: WriteSession['find'] = (name, filter) => this.#runGuarded(this.#edits.find(name, filter));

  describe: WriteSession['describe'] = (name) =>
    this.#runGuarded(
      (async () => {
        const table = await this.#dialect.findTable(this.#session, this.#resolveName(name));
        const { exposesPrimaryKeys } = this.#place;
        return table && describeTable(this.#dialect, this.#session, { ...table, name }, exposesPrimaryKeys);
      })(),
    );

  async commit(): Promise<void> {
    this.#isEnded = true;
    try {
      await this.#runGuarded(this.#session.run('COMMIT'), COMMIT_TIMEOUT_MS);
      this.#taken.release(false);
    } catch (error) {
      this.#taken.release(true);
      await this.#dropTables();
      throw error;
    }
    const renamed: string[] = [];
    try {
      for (const [name, present] of this.#created) {
        await this.#onOtherSession((session) => this.#dialect.renameTable(session, present, name));
        renamed.push(name);
      }
    } catch (error) {
      for (const name of renamed) this.#created.delete(name);
      await this.#dropTables();
      throw error;
    }
  }

  async rollback(): Promise<void> {
    // A released session belongs to another caller.
    if (this.#isEnded) return;
    this.#isEnded = true;
    const isDone = await this.#runGuarded(this.#session.run('ROLLBACK'), COMMIT_TIMEOUT_MS).then(
      () => true,
      () => false,
    );
    // The database rolls back the uncommitted changes of a closed connection.
    this.#taken.release(!isDone);
    await this.#dropTables();
  }

  /** Rejects immediately on abort or timeout. */
  async #runGuarded<T>(work: Promise<T>, timeoutMs?: number): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => undefined);
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), timeoutMs);
    try {
      return await this.#taken.rejectOnAbort(Promise.race([work, late]));
    } catch (error) {
      throw this.#place.pool.toError(error, this.#signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #resolveName(name: string): string {
    return this.#created.get(name) ?? name;
  }

  async #createTable(type: NewFeatureType): Promise<void> {
    const { name } = type;
    if (this.#created.has(name) || (await this.#dialect.findTable(this.#session, name)) !== undefined)
      throw problem('table-exists', { name });
    const present = `${UNCOMMITTED_PREFIX}${randomUUID().replaceAll('-', '')}`;
    await this.#onOtherSession((session) => this.#dialect.createTable(session, type, present));
    this.#created.set(name, present);
  }

  async #write(features: IncomingFeatures, mode: 'append' | 'overwrite'): Promise<string> {
    const { name } = features;
    let table = await this.#dialect.findTable(this.#session, this.#resolveName(name));
    if (table === undefined) {
      await this.#createTable(features);
      table = await requireTable(this.#dialect, this.#session, this.#resolveName(name));
    } else if (mode === 'overwrite') {
      requireWritable(table, name);
      await this.#session.change(`DELETE FROM ${table.relation}`).catch((error: unknown) => {
        throw this.#dialect.toWriteProblem(error, name, 'the new features');
      });
    }
    requireWritable(table, name);
    const columns = await listWritableColumns(this.#dialect, this.#session, table, features.attributes);
    const matches = await matchColumns(name, features.attributes, columns);
    await this.#insertBatches({ ...table, name }, matches, features);
    return name;
  }

  async #insertBatches(
    table: Table,
    matches: readonly ColumnMatch<WritableColumn>[],
    { batches, progress }: IncomingFeatures,
  ): Promise<void> {
    const names = matches.map(({ column }) => this.#dialect.quoteName(column.name)).join(', ');
    const row = `(${matches.map(({ column }) => column.target.writeAssigned(column.srid)).join(', ')})`;
    const insert = async (features: readonly Feature[], values: readonly BoundValue[]): Promise<void> => {
      const rows = features.map(() => row).join(', ');
      const [first, last] = [features[0]?.id ?? '', features.at(-1)?.id ?? ''];
      await this.#session.change(`INSERT INTO ${table.relation} (${names}) VALUES ${rows}`, values).catch((error) => {
        const some = first === last ? `the feature '${first}'` : `one of the features '${first}' to '${last}'`;
        throw this.#dialect.toWriteProblem(error, table.name, some);
      });
      progress?.();
    };
    const maxRows = Math.max(
      1,
      Math.min(BATCH_ROWS, Math.floor(this.#dialect.filters.maxParameters / (matches.length || 1))),
    );
    for await (const batch of batches) {
      let [features, values, characters]: [Feature[], BoundValue[], number] = [[], [], 0];
      for (const [index, feature] of batch.entries()) {
        features.push(feature);
        for (const [at, value] of toRow(table.name, matches, feature).entries()) {
          const target = matches[at]?.column.target;
          const bound = target === undefined ? null : this.#dialect.toBoundValue(value, target.content);
          values.push(bound);
          characters += typeof bound === 'string' || bound instanceof Uint8Array ? bound.length : 8;
        }
        if (features.length >= maxRows || characters >= BATCH_CHARACTERS || index === batch.length - 1) {
          await insert(features, values);
          [features, values, characters] = [[], [], 0];
        }
      }
    }
  }

  #onOtherSession<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#place.pool.withSession(this.#signal, work);
  }

  /** What remains after a failure has a name that listings leave out. */
  async #dropTables(): Promise<void> {
    for (const present of this.#created.values()) {
      const signal = AbortSignal.timeout(COMMIT_TIMEOUT_MS);
      await this.#place.pool
        .withSession(signal, (session) => this.#dialect.dropTable(session, present))
        .catch(() => undefined);
    }
  }
}
