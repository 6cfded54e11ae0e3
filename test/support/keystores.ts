/** Keystores on a fresh data directory, with a catalog of their own, for tests that open and break them. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Catalog, openCatalog } from '../../src/records/catalog.ts';
import { type Keystore, openKeystore } from '../../src/security/keystore/keystore.ts';
import { keystoreFolder } from '../../src/security/keystore/keystore-folder.ts';
import { recordKinds } from '../../src/server/record-kinds.ts';
import { type Disk, realDisk } from '../../src/storage/files/disk.ts';
import type { Storage } from '../../src/storage/port.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';

export interface KeystorePlace {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly warnings: readonly string[];
  /** Opens the keystore as a start of the server does. */
  open(how?: {
    readonly disk?: Disk;
    readonly catalog?: Catalog;
    readonly whenLost?: 'refuse' | 'replace';
  }): Promise<Keystore>;
}

export const FIRST_PASSWORD = 'the first password';

/** A catalog on a fresh data directory, gone after the test. */
export async function freshCatalog(): Promise<Pick<KeystorePlace, 'dataDir' | 'storage' | 'catalog'>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'graticule-keystore-'));
  const storage = await openSqliteStorage({
    file: join(dataDir, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
  });
  onTestFinished(async () => {
    await storage.close();
    await rm(dataDir, { recursive: true });
  });
  return { dataDir, storage, catalog: openCatalog(storage) };
}

export async function keystorePlace(): Promise<KeystorePlace> {
  const { dataDir, storage, catalog } = await freshCatalog();
  const warnings: string[] = [];
  return {
    dataDir,
    storage,
    catalog,
    warnings,
    open: (how = {}) =>
      openKeystore({
        folder: keystoreFolder(how.disk ?? realDisk, dataDir),
        catalog: how.catalog ?? catalog,
        randomBytes,
        randomPassword: () => FIRST_PASSWORD,
        // Tests open dozens of them; what protects a real one would only cost time here.
        scryptCost: 2,
        whenLost: how.whenLost ?? 'refuse',
        warn: (message) => warnings.push(message),
      }),
  };
}
