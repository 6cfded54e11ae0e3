/** Work that only one of several nodes does at a time. */
import { expect, onTestFinished, test } from 'vitest';
import type { Fence } from '../../src/lib/async/fence.ts';
import type { HeldLock, KeyedMutex } from '../../src/lib/async/keyed-mutex.ts';
import { hashBytes } from '../../src/storage/blobs/port.ts';
import { openSharedDirectory } from '../../src/storage/blobs/shared-directory.ts';
import type { PostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import { PostgresClaims } from '../../src/storage/postgres/nodes/claims.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { author, draft, gate } from '../contract/storage/place.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { plainKinds } from '../support/plain-kinds.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

describeWithPostgis('claims of nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);

  let place: PostgresLocation;

  async function openTwo(): Promise<readonly [PostgresClaims, PostgresClaims]> {
    place = places.take();
    await (await openPostgresStorage({ location: place, kinds: [] })).close();
    const claims = [new PostgresClaims(place, 'one'), new PostgresClaims(place, 'other')] as const;
    onTestFinished(async () => {
      for (const each of claims) await each.close();
    });
    return claims;
  }

  test('a claim is held by one node at a time, repeatedly', async () => {
    const [one, other] = await openTwo();

    expect(await one.hold('webhooks', 60_000)).toBe(true);
    expect(await other.hold('webhooks', 60_000)).toBe(false);
    expect(await other.hold('something else', 60_000)).toBe(true);
    expect(await one.hold('webhooks', 60_000)).toBe(true);
  });

  test('a claim can be renewed by its holder until it is released', async () => {
    const [one, other] = await openTwo();
    const claim = await one.claim('webhooks', 60_000);

    expect(await other.claim('webhooks', 60_000)).toBeUndefined();
    expect(await claim?.renew(60_000)).toBe(true);
    expect(await claim?.isHeld()).toBe(true);
    await claim?.release();

    expect(await claim?.isHeld()).toBe(false);
    expect(await other.claim('webhooks', 60_000)).toBeDefined();
  });

  test('a claim stays lost for a late holder, even when it is free again', async () => {
    const [one, other] = await openTwo();
    const late = await one.claim('webhooks', 1);

    await expect.poll(() => other.claim('webhooks', 60_000)).toBeDefined();
    expect(await late?.isHeld()).toBe(false);
    expect(await late?.renew(60_000)).toBe(false);
    await late?.release();
    expect(await one.claim('webhooks', 60_000)).toBeUndefined();
    await postgis.query(`DELETE FROM ${place.schema}.claims`);

    expect(await late?.renew(60_000)).toBe(false);
    expect(await one.claim('webhooks', 60_000)).toBeDefined();
    expect(await late?.isHeld()).toBe(false);
  });

  test('a claim can be acquired again immediately by the node that lost its connection', async () => {
    const [one] = await openTwo();
    const before = await one.claim('webhooks', 60_000);

    const after = await one.claim('webhooks', 60_000);

    expect(await after?.isHeld()).toBe(true);
    expect(await before?.isHeld()).toBe(false);
  });

  test('a claim fences notes: a holder that lost its claim writes nothing', async () => {
    const [one, other] = await openTwo();
    const storage = await openPostgresStorage({ location: place, kinds: [] });
    onTestFinished(() => storage.close());
    const first = await one.claim('webhooks', 60_000);

    expect(await storage.notes.update('position', () => '1', first?.fence)).toBe(true);
    await first?.release();
    const second = await other.claim('webhooks', 60_000);
    expect(await storage.notes.update('position', (text) => `${text}2`, second?.fence)).toBe(true);

    expect(await storage.notes.update('position', () => 'older', first?.fence)).toBe(false);
    expect(await storage.notes.read('position')).toBe('12');
  });

  test('a claim is acquired from a node that does not renew it', async () => {
    const [one, other] = await openTwo();

    expect(await one.hold('webhooks', -1)).toBe(true);

    expect(await other.hold('webhooks', 60_000)).toBe(true);
    expect(await one.hold('webhooks', 60_000)).toBe(false);
  });

  test('a lock serializes work with the same key across nodes, and other work runs in parallel', async () => {
    const [one, other] = await openTwo();
    const [begun, held] = [gate(), gate()];
    const steps: string[] = [];
    const first = one.runExclusive('store', async () => {
      begun.open();
      await held.passed;
      steps.push('first');
    });
    await begun.passed;

    const second = other.runExclusive('store', async () => steps.push('second'));
    await other.runExclusive('another store', async () => steps.push('another'));
    held.open();
    await Promise.all([first, second]);

    expect(steps).toEqual(['another', 'first', 'second']);
  });

  /** The database sees a killed node as closed connections. */
  const endLocks = () =>
    postgis.query(
      `SELECT pg_terminate_backend(l.pid, 5000) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
    );

  const aborted = (signal: AbortSignal) =>
    new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

  test('a lost session aborts its work and lets the next work start', async () => {
    const [one, other] = await openTwo();
    const begun = gate();
    const first = one.runExclusive('store', async (turn) => {
      begun.open();
      const reason = await aborted(turn.signal);
      await expect(turn.confirm()).rejects.toMatchObject({ code: 'storage-unavailable' });
      return reason;
    });
    await begun.passed;

    await endLocks();

    expect(await first).toMatchObject({ code: 'storage-unavailable' });
    const second = await other.runExclusive('store', async (turn) => {
      await turn.confirm();
      return turn.signal.aborted;
    });
    expect(second).toBe(false);
  });

  test('a lost session aborts nothing after the work has ended: external work of a draft continues', async () => {
    const [one] = await openTwo();

    const signal = await one.runExclusive('store', async (turn) => turn.signal);
    await new Promise(setImmediate);

    expect(signal.aborted).toBe(false);
  });

  test('a lock guards the bytes of a shared directory: a put whose lock is lost fails', async () => {
    const [one, other] = await openTwo();
    const directory = await temporaryFolder();
    const open = (inTurn: KeyedMutex) => openSharedDirectory({ directory, shelf: 'blobs', runExclusive: inTurn });
    const losing = open((key, work) =>
      one.runExclusive(key, async (turn) => {
        await endLocks();
        return work(turn);
      }),
    );
    const hash = hashBytes(Buffer.from('some style'));

    await expect(losing.put(hash, Buffer.from('some style'))).rejects.toMatchObject({ code: 'storage-unavailable' });
    await open(other.runExclusive).put(hash, Buffer.from('some style'));

    expect(await open(one.runExclusive).getState(hash)).toBe('present');
  });

  test('a change is rejected after its work lost the lock to another node, and accepted while the lock is held', async () => {
    const [one, other] = await openTwo();
    const storage = await openPostgresStorage({ location: place, kinds: plainKinds('workspace') });
    onTestFinished(() => storage.close());
    const add = async (name: string, turn: HeldLock) => {
      const fence = await turn.fence();
      return storage.write(author, async (transaction) => {
        if (fence !== undefined) await transaction.requireHeld(fence);
        await transaction.insert(draft(name));
      });
    };

    await one.runExclusive('store', async (turn) => {
      await add('held', turn);
      await endLocks();
      await other.runExclusive('store', (next) => add('taken over', next));
      await expect(add('lost', turn)).rejects.toMatchObject({ code: 'storage-unavailable' });
    });

    expect(await storage.listNames('workspace', null)).toEqual(['held', 'taken over']);
    expect(await postgis.query(`SELECT what FROM ${place.schema}.claims`)).toEqual([]);
  });

  test('the next holder waits until a change that verified its lock is committed', async () => {
    const [one, other] = await openTwo();
    const storage = await openPostgresStorage({ location: place, kinds: plainKinds('workspace') });
    onTestFinished(() => storage.close());
    const isWaiting = async () =>
      (
        await postgis.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%claims%'`,
        )
      ).length;
    let next: Promise<readonly string[]> | undefined;

    await one.runExclusive('store', async (turn) => {
      const fence = await turn.fence();
      await storage.write(author, async (transaction) => {
        await transaction.requireHeld(fence as Fence);
        await endLocks();
        next = other.runExclusive('store', async () => {
          await storage.refresh();
          return storage.listNames('workspace', null);
        });
        await expect.poll(isWaiting).toBe(1);
        await transaction.insert(draft('first'));
      });
    });

    expect(await next).toEqual(['first']);
  });
});
