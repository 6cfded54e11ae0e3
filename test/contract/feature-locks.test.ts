/** Runs the contract of feature locks over SQLite and PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PostgresFeatureLocks } from '../../src/storage/postgres/nodes/feature-locks.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { SqliteFeatureLocks } from '../../src/storage/sqlite/feature-locks.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { featureLocksContract, MAX_LOCKS } from './feature-locks.contract.ts';

featureLocksContract('SQLite', async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-locks-'));
  const locks = new SqliteFeatureLocks(join(folder, 'locks.sqlite'), clock, MAX_LOCKS);
  return {
    here: locks,
    there: locks,
    destroy: async () => {
      await locks.close();
      await rm(folder, { recursive: true });
    },
  };
});

it('feature locks in SQLite outlive a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-locks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'locks.sqlite');
  const before = new SqliteFeatureLocks(file, () => 1_000);
  await before.acquire({ id: 'a', who: 'ann', seconds: 60, layers: [], keys: ['one'], isPartial: false });
  await before.close();

  const after = new SqliteFeatureLocks(file, () => 2_000);
  onTestFinished(() => after.close());
  expect(await after.findHeld(['one'], undefined)).toBe('one');
});

describeWithPostgis('on PostgreSQL', (postgis) => {
  const places = openPostgresPlaces(postgis);

  featureLocksContract('PostgreSQL', async (clock) => {
    const place = places.take();
    await (await openPostgresStorage({ location: place, kinds: [] })).close();
    const nodes = [
      new PostgresFeatureLocks(place, clock, MAX_LOCKS),
      new PostgresFeatureLocks(place, clock, MAX_LOCKS),
    ] as const;
    return {
      here: nodes[0],
      there: nodes[1],
      destroy: async () => {
        for (const node of nodes) await node.close();
        await places.giveBack(place);
      },
    };
  });
});
