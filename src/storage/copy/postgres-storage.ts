/** A PostgreSQL storage as the source or the target of a copy, in one transaction each. */

import type { ObjectStore } from '../objects/port.ts';
import { readIntegerColumn } from '../port/columns.ts';
import type { PostgresLocation } from '../postgres/connection/location.ts';
import { PostgresSession } from '../postgres/connection/session.ts';
import { migrate } from '../postgres/migrations.ts';
import { readBoundStore } from '../postgres/nodes/bind-object-store.ts';
import type { CopiedRow, CopiedTable, CopySource, CopyTarget } from './tables.ts';

const ROWS_AT_ONCE = 2_000;
const PIECE_BYTES = 1024 * 1024;

/** A statement may have to read every row. */
const ANSWER_MS = 3_600_000;

/** A node that reported within this time may be running. */
const ALIVE_MS = 20_000;

const UNLIMITED = 'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0';

const NUMBERS: ReadonlySet<string> = new Set(
  'age version created_at_ms modified_at_ms record_age sequence at_ms undoes ordinal since body_version'.split(' '),
);

const findObject = 'SELECT object, bytes FROM blobs WHERE shelf = $1 AND hash = $2';

/** Nodes delete the object when they start. */
const dropObject = `WITH dropped AS (DELETE FROM blobs WHERE shelf = $1 AND hash = $2 RETURNING shelf, hash, object)
  INSERT INTO object_leftovers (shelf, hash, object, is_deleted, created_at)
  SELECT shelf, hash, object, true, clock_timestamp() FROM dropped`;

/** Reads one snapshot of a migrated database, also while nodes are using it. `objects` is the store of its larger files. */
export async function openPostgresSource(place: PostgresLocation, objects?: ObjectStore): Promise<CopySource> {
  const session = await PostgresSession.open(place, 'reads', ANSWER_MS);
  try {
    await session.run(`${UNLIMITED}; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    const source = createSource(session, objects);
    // The first statement takes the snapshot.
    await source.readHead();
    return source;
  } catch (error) {
    session.end();
    throw error;
  }
}

/**
 * The database must be empty. It is locked against other writers until it is closed. Files that were uploaded to its
 * object store remain; those that the source does not have are collected by its nodes.
 */
export async function openPostgresTarget(place: PostgresLocation, hasObjects = false): Promise<CopyTarget> {
  const session = await beginCopySession(place);
  try {
    const [counts] = (
      await session.run(
        'SELECT sequence FROM head FOR UPDATE; SELECT (SELECT count(*) FROM records) + (SELECT count(*) FROM changes)',
      )
    ).slice(-1);
    if (readIntegerColumn(counts?.[0]?.[0]) > 0) throw new Error('the database is not empty');
    if (!hasObjects && (await readBoundStore(session, place.schema)) !== undefined) {
      throw new Error('an interrupted copy has uploaded files to an object store. Set --to-blobs to its address');
    }
    await session.run(
      `ALTER TABLE records ALTER CONSTRAINT records_parent_fkey DEFERRABLE INITIALLY DEFERRED;
       DELETE FROM kind_shapes; DELETE FROM notes; DELETE FROM kept_replies;
       DELETE FROM blobs WHERE object IS NULL`,
    );
  } catch (error) {
    session.end();
    throw error;
  }
  return {
    ...createSource(session),
    async insert({ name, columns }, rows) {
      const given = columns.map((column, at) => `$${at + 1}::${NUMBERS.has(column) ? 'bigint' : 'text'}[]`);
      // The nonce of a commit with a lost response is not needed any more.
      const [more, value] = name === 'changes' ? [', nonce', ", 'copied'"] : ['', ''];
      const text = `INSERT INTO ${name} (${columns.join(', ')}${more}) SELECT *${value} FROM unnest(${given.join(', ')})`;
      await session.query(
        { name: `copy_${name}`, text },
        columns.map((_, at) => rows.map((row) => row[at] ?? null)),
      );
    },
    async setHead({ sequence, atMs, announced }) {
      await session.run(
        `UPDATE head SET sequence = ${sequence}, at_ms = ${atMs}, announced = ${announced}, commits = commits + 1;
         SELECT setval(pg_get_serial_sequence('records', 'age'), coalesce((SELECT max(age) FROM records), 0) + 1, false)`,
      );
    },
    async put(shelf, { hash, bytes }, pieces) {
      const [[object] = []] = await session.query({ name: 'copied_object', text: findObject }, [shelf, hash]);
      if (typeof object === 'string') {
        if (bytes !== null) return;
        // The file was purged after an interrupted copy had uploaded it.
        await session.query({ name: 'copy_purge', text: dropObject }, [shelf, hash]);
      }
      const insert = `INSERT INTO blobs (shelf, hash, bytes, put_at_ms)
        VALUES ($1, $2, $3, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;
      await session.query({ name: 'copy_blob', text: insert }, [shelf, hash, bytes]);
      if (bytes === null) return;
      let n = 0;
      for await (const piece of splitIntoPieces(pieces)) {
        const text = 'INSERT INTO blob_pieces (shelf, hash, n, bytes) VALUES ($1, $2, $3, $4)';
        await session.query({ name: 'copy_piece', text }, [shelf, hash, n, piece]);
        n += 1;
      }
    },
    async commit() {
      await session.run(
        `SET CONSTRAINTS ALL IMMEDIATE;
         ALTER TABLE records ALTER CONSTRAINT records_parent_fkey NOT DEFERRABLE`,
      );
      if (!(await session.commit())) throw new Error('the database rolled back the copy');
    },
  };
}

/** Creates the schema if it is missing. */
async function beginCopySession(place: PostgresLocation): Promise<PostgresSession> {
  const session = await PostgresSession.open(place, 'writes', ANSWER_MS);
  try {
    await migrate(session, place.schema);
    const results = await session.run(
      `${UNLIMITED};
       BEGIN ISOLATION LEVEL REPEATABLE READ;
       SELECT count(*) FROM nodes WHERE seen_at_ms > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ALIVE_MS}`,
    );
    const alive = readIntegerColumn(results.at(-1)?.[0]?.[0]);
    if (alive > 0)
      throw new Error(`${alive === 1 ? '1 node is' : `${alive} nodes are`} using the database; stop every node first`);
    return session;
  } catch (error) {
    session.end();
    throw error;
  }
}

function createSource(session: PostgresSession, objects?: ObjectStore): CopySource {
  async function* fetchRows(name: string, select: string): AsyncGenerator<readonly CopiedRow[]> {
    await session.run(`DECLARE ${name} NO SCROLL CURSOR FOR ${select}`);
    for (;;) {
      const [rows = []] = await session.run(`FETCH ${ROWS_AT_ONCE} FROM ${name}`);
      if (rows.length > 0) yield rows as readonly CopiedRow[];
      if (rows.length < ROWS_AT_ONCE) break;
    }
    await session.run(`CLOSE ${name}`);
  }
  return {
    async readHead() {
      const [[row] = []] = await session.run('SELECT sequence, at_ms, announced FROM head');
      return {
        sequence: readIntegerColumn(row?.[0]),
        atMs: readIntegerColumn(row?.[1]),
        announced: readIntegerColumn(row?.[2]),
      };
    },
    readRows: ({ name, columns, order }: CopiedTable) =>
      fetchRows(`copied_${name}`, `SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`),
    async *listBlobs(shelf) {
      const rows = fetchRows(`copied_${shelf}`, `SELECT hash, bytes FROM blobs WHERE shelf = '${shelf}' ORDER BY hash`);
      for await (const piece of rows) {
        for (const [hash, bytes] of piece) yield { hash: String(hash), bytes: bytes === null ? null : Number(bytes) };
      }
    },
    async *read(shelf, hash) {
      const [[object, bytes] = []] = await session.query({ name: 'copied_object', text: findObject }, [shelf, hash]);
      if (typeof object === 'string') {
        if (objects === undefined) {
          throw new Error('the files of the database are in an object store. Set --from-blobs to its address');
        }
        yield* objects.read(object, readIntegerColumn(bytes));
        return;
      }
      const text = 'SELECT bytes FROM blob_pieces WHERE shelf = $1 AND hash = $2 AND n = $3';
      for (let n = 0; ; n += 1) {
        const [row] = await session.query({ name: 'copied_piece', text }, [shelf, hash, n]);
        if (!Buffer.isBuffer(row?.[0])) return;
        yield row[0];
      }
    },
    async close() {
      session.end();
    },
  };
}

/** An empty blob has one empty piece. */
async function* splitIntoPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting = Buffer.alloc(0);
  let count = 0;
  for await (const some of bytes) {
    waiting = Buffer.concat([waiting, some]);
    for (; waiting.length >= PIECE_BYTES; waiting = waiting.subarray(PIECE_BYTES)) {
      count += 1;
      yield waiting.subarray(0, PIECE_BYTES);
    }
  }
  if (waiting.length > 0 || count === 0) yield waiting;
}
