/** What holds for storages of several nodes on one schema, also when connections are lost at the worst of times. */
import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { NameTaken, type Snapshot, type Storage, type WriteTransaction } from '../../src/storage/port/port.ts';
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

  test('what one remembers is forgotten when it hears of a change of another', async () => {
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

  test('who writes after another has heard of what that one did, without asking for it', async () => {
    const [one, other] = await openTwo();
    const acme = await insert(one, draft('acme', { body: { title: 'old' } }));
    await other.refresh();
    await other.find('workspace', null, 'acme');

    await one.write(author, (transaction) => transaction.update(acme.id, draft('acme', { body: { title: 'new' } })));
    const mine = await insert(other, draft('mine'));

    expect(mine.version).toBe(3);
    expect(await other.find('workspace', null, 'acme')).toMatchObject({ body: { title: 'new' } });
  });

  test('more changes than are told one by one, or that the log no longer tells, are noticed all the same', async () => {
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

  test('increments of both at once all count, and their numbers have no gaps', async () => {
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

  test('a draft is done again when another node has changed what it has read', async () => {
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

  test('the times of changes are those of the database', async () => {
    const [one] = await openTwo();
    const [before] = await postgis.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');

    await insert(one, draft('acme'));

    const [entry] = await one.listChanges(0, 1);
    const [after] = await postgis.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
    // As long as a trip takes it may be off.
    expect(entry?.atMs).toBeGreaterThan(Number(before?.['ms']) - 1_000);
    expect(entry?.atMs).toBeLessThan(Number(after?.['ms']) + 1_000);
  });

  test('after connections were ended by the database everything goes on, without anybody noticing', async () => {
    const [one] = await openTwo();
    await insert(one, draft('acme'));

    await endConnections();
    await one.refresh();

    expect(namesOf(await one.list('workspace', null))).toEqual(['acme']);
    await endConnections();
    expect((await insert(one, draft('next'))).version).toBe(2);
  });

  test('a change whose connection is ended in the middle fails alone, and leaves nothing', async () => {
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

  test('a change that the database refuses although nothing spoke against it fails alone, and leaves no gap', async () => {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    await (await openPostgresStorage({ location: place, kinds: plainKinds('workspace') })).close();
    await postgis.query(`ALTER TABLE ${place.schema}.records ADD CONSTRAINT odd CHECK (name <> 'odd')`);
    onTestFinished(async () => void (await postgis.query(`ALTER TABLE ${place.schema}.records DROP CONSTRAINT odd`)));
    const storage = await open(place);

    // Asked for at once they are committed together. The fourth one fails by itself.
    const names = ['one', 'odd', 'two', 'one', 'three'];
    const ended = await Promise.allSettled(names.map((name) => insert(storage, draft(name))));
    await insert(storage, draft('last'));

    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(ended[1]).toMatchObject({ reason: { constraint: 'odd' } });
    expect(ended[3]).toMatchObject({ reason: expect.any(NameTaken) });
    expect(namesOf(await storage.list('workspace', null))).toEqual(['last', 'one', 'three', 'two']);
    expect((await storage.listChanges(0, 10)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  test('a change that the database refuses when all else of it is written has no number, also as the last of its group', async () => {
    const [one, other] = await openTwo();
    // Random, so that it cannot be packed: no index takes it.
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

  test('a draft that is only tried foresees what the database would refuse, and leaves nothing', async () => {
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
    // Packed it is short enough.
    expect(await attempt(false, 'long '.repeat(1_000))).toEqual({ result: 'made', change: null });

    expect(await one.listNames('workspace', null)).toEqual([]);
    expect((await insert(one, draft('next'))).version).toBe(1);
  });

  test('whoever reads what another of the same group has written sees it, whether it was sent or not', async () => {
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

  test('where more states are read than there are connections for, the next is shown when one of them is let go', async () => {
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

  test('a connection that comes about while a storage is closed is closed as well', async () => {
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

  test('a commit whose answer was lost is looked up, and was a success', async () => {
    const { relay, storage } = await openThroughRelay();
    await insert(storage, draft('acme'));

    relay.loseNext('COMMIT', 'answer');
    const { version } = await insert(storage, draft('kept'));

    expect(version).toBe(2);
    expect(namesOf(await storage.list('workspace', null))).toEqual(['acme', 'kept']);
  });

  test('it is looked up also where the database cannot be asked at first', async () => {
    const { relay, storage } = await openThroughRelay();
    await insert(storage, draft('acme'));

    relay.stayLost(3);
    relay.loseNext('COMMIT', 'answer');

    expect((await insert(storage, draft('kept'))).version).toBe(2);
  });

  test('a commit that never arrived is looked up, and nothing was changed', async () => {
    const { relay, storage } = await openThroughRelay();
    await insert(storage, draft('acme'));

    relay.loseNext('COMMIT', 'message');
    await expect(insert(storage, draft('lost'))).rejects.toMatchObject({ code: 'storage-unavailable' });

    await storage.refresh();
    expect(namesOf(await storage.list('workspace', null))).toEqual(['acme']);
    expect((await insert(storage, draft('next'))).version).toBe(2);
  });

  test('where the database cannot be asked either, nobody knows whether a change was kept, and that is said', async () => {
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
