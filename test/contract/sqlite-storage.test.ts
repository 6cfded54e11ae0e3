/** Runs the storage contract over SQLite, with a separate database file for every test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { storageContract } from './storage.contract.ts';

/** Tests never lose power; `src/storage/sqlite` tests flushes. */
const withoutFlushes = { synchronous: 'OFF', sync: async () => undefined } as const;

storageContract('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-storage-'));
  return {
    open: (world) => openSqliteStorage({ file: join(folder, 'graticule.sqlite'), ...withoutFlushes, ...world }),
    destroy: () => rm(folder, { recursive: true }),
  };
});
