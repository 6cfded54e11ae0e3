/** What only one of several nodes does at a time. */
import { expect, onTestFinished, test } from 'vitest';
import { PostgresClaims } from '../../src/storage/postgres/claims.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { gate } from '../contract/storage/place.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

describeWithPostgis('claims of nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);

  async function openTwo(): Promise<readonly [PostgresClaims, PostgresClaims]> {
    const place = places.take();
    await (await openPostgresStorage({ place, kinds: [] })).close();
    const claims = [new PostgresClaims(place, 'one'), new PostgresClaims(place, 'other')] as const;
    onTestFinished(async () => {
      for (const each of claims) await each.close();
    });
    return claims;
  }

  test('are held by one, again and again, until it lets go', async () => {
    const [one, other] = await openTwo();

    expect(await one.hold('webhooks', 60_000)).toBe(true);
    expect(await other.hold('webhooks', 60_000)).toBe(false);
    expect(await other.hold('something else', 60_000)).toBe(true);
    expect(await one.hold('webhooks', 60_000)).toBe(true);
    await one.letGo('webhooks');

    expect(await other.hold('webhooks', 60_000)).toBe(true);
  });

  test('are taken over from a node that does not renew them', async () => {
    const [one, other] = await openTwo();

    expect(await one.hold('webhooks', -1)).toBe(true);

    expect(await other.hold('webhooks', 60_000)).toBe(true);
    expect(await one.hold('webhooks', 60_000)).toBe(false);
  });

  test('let work of the same key run one after the other, on whichever node, and other work at the same time', async () => {
    const [one, other] = await openTwo();
    const [begun, held] = [gate(), gate()];
    const steps: string[] = [];
    const first = one.inTurn('store', async () => {
      begun.open();
      await held.passed;
      steps.push('first');
    });
    await begun.passed;

    const second = other.inTurn('store', async () => steps.push('second'));
    await other.inTurn('another store', async () => steps.push('another'));
    held.open();
    await Promise.all([first, second]);

    expect(steps).toEqual(['another', 'first', 'second']);
  });

  test('let the next one in when a node dies in its turn', async () => {
    const [one, other] = await openTwo();
    const [begun, held] = [gate(), gate()];
    const first = one.inTurn('store', async () => {
      begun.open();
      await held.passed;
    });
    await begun.passed;

    // What the database sees of a node that is killed: its connections end.
    await postgis.query(
      `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
    );

    expect(await other.inTurn('store', async () => 'mine')).toBe('mine');
    held.open();
    await first;
  });
});
