/** Query plans of the storage statements in the default configuration of PostgreSQL. */
import { expect, onTestFinished, test } from 'vitest';
import { PostgresSession } from '../../src/storage/postgres/connection/session.ts';
import { prepareStatement } from '../../src/storage/postgres/connection/statement.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { ChangeLogReader } from '../../src/storage/postgres/rows/change-log.ts';
import { SELECT_HEAD, toHead } from '../../src/storage/postgres/rows/head.ts';
import { readNote, readReply } from '../../src/storage/postgres/rows/notes-and-replies.ts';
import { PostgresRowReader } from '../../src/storage/postgres/rows/record-rows.ts';
import { PostgresRowTransaction } from '../../src/storage/postgres/rows/row-transaction.ts';
import { author, draft, insert } from '../contract/storage/place.ts';
import { plainKinds } from '../support/plain-kinds.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

describeWithPostgis('database of nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);

  /** With so few rows a scan costs less than an index, so sequential scans are disabled. */
  async function openSmall(): Promise<PostgresSession> {
    const place = places.take();
    const storage = await openPostgresStorage({ location: place, kinds: plainKinds('workspace') });
    const acme = await insert(storage, draft('acme', { keys: { tag: ['red'] }, files: ['f1'] }));
    await storage.write(author, (transaction) =>
      transaction.update(acme.id, draft('acme', { keys: { tag: ['red'] } })),
    );
    await storage.notes.write('greeting', 'hello');
    await storage.close();
    const tables = await postgis.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [place.schema]);
    for (const { tablename } of tables) await postgis.query(`ANALYZE ${place.schema}.${String(tablename)}`);
    const session = await PostgresSession.open(place, 'writes');
    onTestFinished(async () => {
      session.end();
      await places.giveBack(place);
    });
    return session;
  }

  test('has the default PostgreSQL settings that affect plans', async () => {
    const changed = await postgis.query(
      `SELECT name FROM pg_settings WHERE setting <> boot_val
       AND (name IN ('jit', 'synchronous_commit') OR name ~ '_cost$|^enable_|^jit_')`,
    );

    expect(changed).toEqual([]);
  });

  test('JIT-compiles no statement of a node', async () => {
    const session = await openSmall();

    expect(await session.run('SHOW jit')).toEqual([[['off']]]);
  });

  test('reads and writes by an index, even while tables are small', async () => {
    const session = await openSmall();
    await useEveryHotStatement(session);

    await session.run('SET plan_cache_mode = force_generic_plan');
    const [statements = []] = await session.run(
      'SELECT name, cardinality(parameter_types) FROM pg_prepared_statements ORDER BY name',
    );
    expect(statements.length).toBeGreaterThan(25);
    for (const [name, count] of statements) {
      const values = Array.from({ length: Number(count) }, () => 'NULL').join(', ');
      const [lines = []] = await session.run(`EXPLAIN EXECUTE ${String(name)}${values === '' ? '' : `(${values})`}`);
      const plan = lines.flat().join('\n');
      expect(plan, String(name)).not.toContain('JIT:');
      expect(plan, String(name)).not.toContain('Seq Scan');
    }
  });
});

async function useEveryHotStatement(session: PostgresSession): Promise<void> {
  const { query: ask } = session;
  const head = toHead((await ask(prepareStatement('head', SELECT_HEAD), []))[0]);
  const rows = new PostgresRowReader(ask);
  const acme = await rows.find('workspace', null, 'acme');
  const id = acme?.id ?? '';
  await rows.get(id);
  for (const after of [undefined, 'a']) {
    await rows.list('workspace', null, after, 5);
    await rows.listNames('workspace', id, after, 5);
    await rows.listKeyValues('workspace', 'tag', { after, limit: 5 });
    await rows.listOfKind('workspace', after === undefined ? undefined : { parent: null, name: after }, 5);
  }
  await rows.listByKey('workspace', 'tag', 'red', { after: 0, limit: 5 });
  await rows.listChildren(id, 5);
  await rows.countChildren(id);
  await rows.count('workspace');
  await rows.findAge(id);
  const log = new ChangeLogReader(ask);
  await log.listEntries({ after: 0 }, 5);
  await log.listEntries({ isNewestFirst: true }, 5);
  await log.listChangeItems(1, -1, 5);
  await log.listEntryNumbers(id, 0, 5);
  for (const side of ['up to', 'after'] as const) await log.findItem(id, 1, side);
  await log.isFileReferenced('f1', 0);
  await log.isFileInUse('f1');
  await readNote(ask, 'greeting');
  await readReply(ask, 'ann', 'key');

  await session.run('BEGIN');
  const transaction = new PostgresRowTransaction(session, head, {
    nonce: 'nonce',
    checkCommit: async () => undefined,
    onCommitted: async () => undefined,
  });
  const record = { ...draft('next'), id: 'workspace-x', version: 3, createdAtMs: 0, modifiedAtMs: 0 };
  const parts = { text: '{}', keys: { tag: ['blue'] }, files: ['f2'] };
  const change = { kind: 'workspace', id: record.id, before: null, after: record, files: ['f2'], text: '{}' };
  await transaction.beginStep();
  await transaction.insert(record, parts);
  await transaction.openChange(3, 0, author);
  await transaction.logItems(3, 0, [change]);
  await transaction.listFiles(record.id);
  await transaction.update(record, parts);
  await transaction.pruneItems(3);
  await transaction.remove(record.id);
  await transaction.writeNote('greeting', 'again');
  await transaction.storeReply({ who: 'ann', key: 'key', atMs: 0, request: '', reply: '' }, 0);
  await transaction.isHeld({ what: 'webhooks', holder: 'one' });
  await transaction.moveHead({ position: 3, atMs: 0, announced: 0 });
  await transaction.commitStep();
  await transaction.commit();
}
