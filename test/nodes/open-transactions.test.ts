/** Idle transactions: a transaction that stays open blocks vacuum in the whole database server. */
import { expect, onTestFinished, test } from 'vitest';
import type { Storage } from '../../src/storage/port/port.ts';
import type { PostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { author, draft, insert, namesOf } from '../contract/storage/place.ts';
import { plainKinds } from '../support/plain-kinds.ts';
import { openPostgresPlaces, postgresAddress } from '../support/postgres-places.ts';
import { startTestServer } from '../support/test-server.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const A_FEW_SECONDS = { timeout: 8_000, interval: 100 };

describeWithPostgis('transactions of idle nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);

  async function open(place: PostgresLocation, unusedMs?: number): Promise<Storage> {
    const storage = await openPostgresStorage({
      location: place,
      kinds: plainKinds('workspace'),
      ...(unusedMs === undefined ? {} : { unusedMs }),
    });
    onTestFinished(() => storage.close());
    return storage;
  }

  async function openTwo(): Promise<readonly [Storage, Storage]> {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    return [await open(place, 100), await open(place, 100)];
  }

  async function countOpen(): Promise<unknown> {
    const [row] = await postgis.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'graticule' AND xact_start IS NOT NULL`,
    );
    return row?.['count'];
  }

  const untilSuspended = () => expect.poll(countOpen, A_FEW_SECONDS).toBe(0);

  test('transactions end within a few seconds after a start, a read and a change', async () => {
    const place = places.take();
    onTestFinished(() => places.giveBack(place));
    const one = await open(place);
    await untilSuspended();

    await insert(one, draft('acme'));
    await untilSuspended();
    await one.refresh();
    expect(await one.get('unknown')).toBeUndefined();
    await untilSuspended();

    expect(namesOf(await one.list('workspace', null))).toEqual(['acme']);
  });

  test('transactions end for a whole server that has answered requests', async () => {
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, 'whole_server')],
      environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    onTestFinished(() => node.close());
    expect((await node.post('/workspaces', '<workspace><name>acme</name></workspace>')).status).toBe(201);

    await untilSuspended();

    expect((await node.get('/workspaces/acme.json')).status).toBe(200);
  });

  test('transactions end on a node that only follows the changes of another node', async () => {
    const [one, other] = await openTwo();
    const seen: number[] = [];
    other.watch(() => seen.push(other.position()));

    await insert(one, draft('acme'));
    await expect.poll(() => seen, A_FEW_SECONDS).toEqual([1]);
    await untilSuspended();

    expect(namesOf(await other.list('workspace', null))).toEqual(['acme']);
  });

  test('transactions stay open for a held snapshot, and end when it is released', async () => {
    const [one, other] = await openTwo();
    await insert(one, draft('acme'));
    const held = one.snapshot();
    await expect.poll(countOpen, A_FEW_SECONDS).toBe(1);

    await insert(other, draft('later'));
    await expect.poll(() => one.position(), A_FEW_SECONDS).toBe(2);

    expect(namesOf(await held.list('workspace', null))).toEqual(['acme']);
    held.release();
    await untilSuspended();
  });

  test('transactions begin again for every type of read without a refresh, and show the latest state', async () => {
    const [one] = await openTwo();
    const acme = await insert(one, draft('acme'));
    await one.notes.write('greeting', 'hello');

    for (const read of [
      async () => (await one.get(acme.id))?.name,
      async () => (await one.log.listEntries({}, 5)).map(({ sequence }) => sequence),
      () => one.notes.read('greeting'),
      async () => {
        const snapshot = one.snapshot();
        const [found] = await Promise.all([snapshot.listNames('workspace', null), snapshot.count('workspace')]);
        snapshot.release();
        return found;
      },
    ]) {
      await untilSuspended();
      expect(await read()).toEqual(expect.toSatisfy((result) => ['acme', 'hello', '1'].includes(String(result))));
    }
  });

  test('the transaction of a snapshot is never replaced by one that shows other records', async () => {
    const [one, other] = await openTwo();
    const acme = await insert(one, draft('acme', { body: { title: 'old' } }));
    await untilSuspended();
    const [first, second] = [one.snapshot(), one.snapshot()];

    await other.write(author, (transaction) => transaction.update(acme.id, draft('acme', { body: { title: 'new' } })));

    await expect(first.get(acme.id)).rejects.toMatchObject({ code: 'storage-unavailable' });
    await expect(second.get(acme.id)).rejects.toMatchObject({ code: 'storage-unavailable' });
    first.release();
    second.release();
    await one.refresh();
    expect(await one.get(acme.id)).toMatchObject({ body: { title: 'new' } });
    await untilSuspended();
  });

  test('the transaction of a snapshot begins again after another node wrote something other than a record', async () => {
    const [one, other] = await openTwo();
    await insert(one, draft('acme'));
    await untilSuspended();
    const snapshot = one.snapshot();

    await other.notes.write('greeting', 'hello');

    expect(await snapshot.listNames('workspace', null)).toEqual(['acme']);
    snapshot.release();
  });
});
