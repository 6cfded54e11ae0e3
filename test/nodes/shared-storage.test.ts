/** Storages of several nodes on one schema, including lost connections at critical moments. */
import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { NameTaken, type Snapshot, type Storage, type WriteTransaction } from '../../src/storage/port/port.ts';
import { recordProgramVersion } from '../../src/storage/port/program-version.ts';
import type { PostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { author, draft, insert, namesOf } from '../contract/storage/place.ts';
import { plainKinds } from '../support/plain-kinds.ts';
import { openPostgresPlaces, placeIn } from '../support/postgres-places.ts';
import { startPostgresRelay } from '../support/postgres-relay.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

async function open(place: PostgresLocation): Promise<Storage> {
  const storage = await openPostgresStorage({ location: place, kinds: plainKinds('workspace') });
  onTestFinished(() => storage.close());
  return storage;
}

describeWithPostgis('storages of several nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);

  async function openTwo(): Promise<readonly [Storage, Storage]> {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    return [await open(place), await open(place)];
  }

  test('a schema of a newer version is rejected with the version to start', async () => {
    const place = placeIn(postgis, 'of_a_newer_version');
    const storage = await open(place);
    await recordProgramVersion(storage.notes, '9.1.0');
    await storage.close();
    await postgis.query(`UPDATE ${place.schema}.head SET schema_version = 999`);

    await expect(open(place)).rejects.toThrow(/schema version 999, .*: start Graticule 9\.1\.0 or later/);
  });

  test('a cached value is dropped on notice of a change by another node', async () => {
    const [one, other] = await openTwo();
    const acme = await insert(one, draft('acme', { body: { title: 'old' } }));
    await other.refresh();
    expect(await other.find('workspace', null, 'acme')).toMatchObject({ body: { title: 'old' } });
    expect(await other.find('workspace', null, 'later')).toBeUndefined();

    await one.write(author, async (transaction) => {
      await transaction.update(acme.id, draft('acme', { body: { title: 'new' } }));
      await transaction.insert(draft('later'));
    });
    await other.refresh();

    expect(await other.find('workspace', null, 'acme')).toMatchObject({ body: { title: 'new' } });
    expect(await other.find('workspace', null, 'later')).toBeDefined();
    expect(other.position()).toBe(2);
  });

  test('a write refreshes the cache with the earlier changes of other nodes', async () => {
    const [one, other] = await openTwo();
    const acme = await insert(one, draft('acme', { body: { title: 'old' } }));
    await other.refresh();
    await other.find('workspace', null, 'acme');

    await one.write(author, (transaction) => transaction.update(acme.id, draft('acme', { body: { title: 'new' } })));
    const mine = await insert(other, draft('mine'));

    expect(mine.version).toBe(3);
    expect(await other.find('workspace', null, 'acme')).toMatchObject({ body: { title: 'new' } });
  });

  test('changes are noticed even if they are too many to read one by one or were pruned from the log', async () => {
    const [one, other] = await openTwo();
    const first = await insert(one, draft('first', { body: { title: 'old' } }));
    const last = await insert(one, draft('last', { body: { title: 'old' } }));
    await other.refresh();
    for (const name of ['first', 'last']) await other.find('workspace', null, name);

    await one.write(author, async (transaction) => {
      for (let count = 0; count < 1_100; count += 1) await transaction.insert(draft(`w${count}`));
      await transaction.update(first.id, draft('first', { body: { title: 'new' } }));
    });
    await other.refresh();
    expect(await other.find('workspace', null, 'first')).toMatchObject({ body: { title: 'new' } });
    await one.write(author, (transaction) => transaction.update(last.id, draft('last', { body: { title: 'new' } })));
    await one.deleteChanges(Number.MAX_SAFE_INTEGER, 100);
    await other.refresh();

    expect(await other.find('workspace', null, 'last')).toMatchObject({ body: { title: 'new' } });
  });

  test('parallel increments of both nodes are all counted, and their numbers have no gaps', async () => {
    const nodes = await openTwo();
    const counter = await insert(nodes[0], draft('counter', { body: { value: 0 } }));

    const increments = Array.from({ length: 40 }, (_, index) =>
      nodes[index % 2]?.write(author, async (transaction) => {
        const value = Number((await transaction.get(counter.id))?.body['value']) + 1;
        await transaction.update(counter.id, draft('counter', { body: { value } }));
      }),
    );
    const changes = (await Promise.all(increments)).map((written) => written?.change ?? 0);

    expect(changes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
    for (const node of nodes) {
      await node.refresh();
      expect(await node.get(counter.id)).toMatchObject({ body: { value: 40 }, version: 41 });
    }
  });

  test('a draft is repeated when another node has changed its reads', async () => {
    const [one, other] = await openTwo();
    const acme = await insert(one, draft('acme', { body: { value: 0 } }));
    await other.refresh();
    let runs = 0;

    await other.writeBuffered(async (work) => {
      runs += 1;
      const value = Number((await work.get(acme.id))?.body['value']);
      if (runs === 1) {
        await one.write(author, (transaction) => transaction.update(acme.id, draft('acme', { body: { value: 5 } })));
      }
      await work.change(author, (transaction) =>
        transaction.update(acme.id, draft('acme', { body: { value: value + 1 } })),
      );
      return { result: undefined, author, shouldCommit: true, onRollback: async () => undefined };
    });

    expect(runs).toBe(2);
    expect(await other.get(acme.id)).toMatchObject({ body: { value: 6 } });
  });

  test('change times come from the database clock', async () => {
    const [one] = await openTwo();
    const [before] = await postgis.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');

    await insert(one, draft('acme'));

    const [entry] = await one.listChanges(0, 1);
    const [after] = await postgis.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
    // The tolerance is the duration of a round trip.
    expect(entry?.atMs).toBeGreaterThan(Number(before?.['ms']) - 1_000);
    expect(entry?.atMs).toBeLessThan(Number(after?.['ms']) + 1_000);
  });

  test('the storage recovers unnoticed after the database closes its connections', async () => {
    const [one] = await openTwo();
    await insert(one, draft('acme'));

    await endConnections();
    await one.refresh();

    expect(namesOf(await one.list('workspace', null))).toEqual(['acme']);
    await endConnections();
    expect((await insert(one, draft('next'))).version).toBe(2);
  });

  test('a change whose connection is closed midway fails alone, and leaves nothing', async () => {
    const [one, other] = await openTwo();

    const failing = one.write(author, async (transaction) => {
      await transaction.insert(draft('lost'));
      await endConnections();
      await transaction.insert(draft('lost too'));
    });

    await expect(failing).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect((await insert(other, draft('next'))).version).toBe(1);
    expect((await insert(one, draft('after'))).version).toBe(2);
    expect(namesOf(await one.list('workspace', null))).toEqual(['after', 'next']);
  });

  async function openThroughRelay() {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    const relay = await startPostgresRelay(postgis.connection);
    const { connection } = postgis;
    const storage = await open(placeIn({ connection: { ...connection, port: relay.port } }, place.schema));
    return { relay, storage, direct: () => open(place) };
  }

  test('a valid change that the database rejects fails alone, and leaves no gap', async () => {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    await (await openPostgresStorage({ location: place, kinds: plainKinds('workspace') })).close();
    await postgis.query(`ALTER TABLE ${place.schema}.records ADD CONSTRAINT odd CHECK (name <> 'odd')`);
    onTestFinished(async () => void (await postgis.query(`ALTER TABLE ${place.schema}.records DROP CONSTRAINT odd`)));
    const storage = await open(place);

    // Parallel writes are committed together. The fourth one fails by itself.
    const names = ['one', 'odd', 'two', 'one', 'three'];
    const ended = await Promise.allSettled(names.map((name) => insert(storage, draft(name))));
    await insert(storage, draft('last'));

    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(ended[1]).toMatchObject({ reason: { constraint: 'odd' } });
    expect(ended[3]).toMatchObject({ reason: expect.any(NameTaken) });
    expect(namesOf(await storage.list('workspace', null))).toEqual(['last', 'one', 'three', 'two']);
    expect((await storage.listChanges(0, 10)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  test('a change that the database rejects at its last statement has no number, even as the last of its group', async () => {
    const [one, other] = await openTwo();
    // Random and therefore incompressible: the value exceeds the index limit.
    const tooLong = randomBytes(6_000).toString('base64');
    const changes = [draft('one'), draft('two'), draft('three', { keys: { tag: [tooLong] } })];

    const ended = await Promise.allSettled(changes.map((each) => insert(one, each)));
    const kept = [one.position(), (await one.listChanges(0, 10)).map(({ sequence }) => sequence)];
    const next = await insert(other, draft('four'));

    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(ended[2]).toMatchObject({ reason: { code: 'key-too-long' } });
    expect(kept).toEqual([2, [1, 2]]);
    expect(next.version).toBe(3);
  });

  test('a dry run of a draft predicts rejections by the database, and leaves nothing', async () => {
    const [one] = await openTwo();
    const attempt = (isKept: boolean, tag: string) =>
      one.writeBuffered(async (work) => {
        await work.change(author, (transaction) => transaction.insert(draft('acme', { keys: { tag: [tag] } })));
        return { result: 'made', author, shouldCommit: isKept, onRollback: async () => undefined };
      });
    const tooLong = randomBytes(6_000).toString('base64');

    for (const isKept of [false, true]) {
      await expect(attempt(isKept, tooLong)).rejects.toMatchObject({ code: 'key-too-long' });
    }
    // Compressed, this value is below the limit.
    expect(await attempt(false, 'long '.repeat(1_000))).toEqual({ result: 'made', change: null });

    expect(await one.listNames('workspace', null)).toEqual([]);
    expect((await insert(one, draft('next'))).version).toBe(1);
  });

  test('a write sees other writes of the same group, whether they were sent or not', async () => {
    const [one] = await openTwo();
    const read = <T>(work: (transaction: WriteTransaction) => Promise<T>) => one.write(author, work);

    const [, byName, byKey, none, child, listed] = await Promise.all([
      insert(one, draft('acme', { keys: { tag: ['red'] } })),
      read((transaction) => transaction.find('workspace', null, 'acme')),
      read((transaction) => transaction.findByKey('workspace', 'tag', 'red', 5)),
      read((transaction) => transaction.findByKey('workspace', 'tag', 'blue', 5)),
      read(async (transaction) => {
        const parent = (await transaction.find('workspace', null, 'acme'))?.id ?? null;
        return transaction.insert({ ...draft('inner', { keys: {} }), parent });
      }),
      read((transaction) => transaction.listNames('workspace', null)),
    ]);

    expect(byName.result).toMatchObject({ name: 'acme', version: 1 });
    expect(byKey.result).toEqual([byName.result]);
    expect(none.result).toEqual([]);
    expect(child.result).toMatchObject({ parent: byName.result?.id, version: 2 });
    expect(listed.result).toEqual(['acme']);
  });

  test('a snapshot that exceeds the connection limit waits until another one is released', async () => {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    const storage = await open(place);
    const held: Snapshot[] = [];
    for (let count = 1; count <= 24; count += 1) {
      await insert(storage, draft(`w${count}`));
      held.push(storage.snapshot());
    }

    const writing = insert(storage, draft('next'));
    await expect
      .poll(async () => (await postgis.query(`SELECT sequence::int AS last FROM ${place.schema}.head`))[0]?.['last'])
      .toBe(25);
    held.shift()?.release();
    await writing;

    expect(namesOf(await storage.list('workspace', null))).toContain('next');
    for (const snapshot of held) snapshot.release();
  });

  test('a connection that opens while a storage is closing is closed too', async () => {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    const storage = await openPostgresStorage({ location: place, kinds: plainKinds('workspace') });

    const asked = Promise.allSettled([storage.refresh()]);
    await storage.close();
    await asked;

    const open = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'graticule'`;
    await expect.poll(() => postgis.query(open)).toEqual([{ count: 0 }]);
  });

  test('a commit whose reply was lost is looked up and reported as successful', async () => {
    const { relay, storage } = await openThroughRelay();
    await insert(storage, draft('acme'));

    relay.loseNext('COMMIT', 'answer');
    const { version } = await insert(storage, draft('kept'));

    expect(version).toBe(2);
    expect(namesOf(await storage.list('workspace', null))).toEqual(['acme', 'kept']);
  });

  test('a commit is looked up even if the database is unavailable at first', async () => {
    const { relay, storage } = await openThroughRelay();
    await insert(storage, draft('acme'));

    relay.stayLost(3);
    relay.loseNext('COMMIT', 'answer');

    expect((await insert(storage, draft('kept'))).version).toBe(2);
  });

  test('a commit that never arrived is looked up and reported as not applied', async () => {
    const { relay, storage } = await openThroughRelay();
    await insert(storage, draft('acme'));

    relay.loseNext('COMMIT', 'message');
    await expect(insert(storage, draft('lost'))).rejects.toMatchObject({ code: 'storage-unavailable' });

    await storage.refresh();
    expect(namesOf(await storage.list('workspace', null))).toEqual(['acme']);
    expect((await insert(storage, draft('next'))).version).toBe(2);
  });

  test('a commit is reported as unknown when the database stays unavailable', async () => {
    const { relay, storage, direct } = await openThroughRelay();
    await insert(storage, draft('acme'));

    relay.stayLost();
    relay.loseNext('COMMIT', 'answer');
    await expect(insert(storage, draft('perhaps'))).rejects.toMatchObject({ code: 'outcome-unknown' });

    await expect(storage.refresh()).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(namesOf(await (await direct()).list('workspace', null))).toEqual(['acme', 'perhaps']);
  });

  async function endConnections(): Promise<void> {
    await postgis.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'graticule'`,
    );
  }
});
