/** Keystores in a new data directory, with a separate catalog, for tests that open and damage them. */
import { type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { toSecret } from '../../src/lib/identity/secret.ts';
import { type Catalog, openCatalog } from '../../src/records/catalog.ts';
import { serverPrincipal } from '../../src/security/core/administrator.ts';
import { type Keystore, openKeystore } from '../../src/security/keystore/keystore.ts';
import { createKeystoreFolder } from '../../src/security/keystore/keystore-folder.ts';
import { keystoreKind } from '../../src/security/keystore/keystore-record.ts';
import { createKeyReports, type KeyReports } from '../../src/security/keystore/node-keys.ts';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';
import { type Disk, realDisk } from '../../src/storage/blobs/disk.ts';
import { createSingleNode } from '../../src/storage/nodes/nodes.ts';
import type { Storage } from '../../src/storage/port/port.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';

export interface KeystorePlace {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly warnings: readonly string[];
  /** The log of rotations. */
  readonly messages: readonly string[];
  /** Opens the keystore as a server start does. */
  open(how?: {
    readonly disk?: Disk;
    readonly catalog?: Catalog;
    /** The data directory of another server on the same catalog. */
    readonly dataDir?: string;
    readonly serverKey?: KeyObject;
    readonly previousServerKeys?: readonly KeyObject[];
    /** The other nodes on the same catalog. */
    readonly reports?: KeyReports;
    readonly whenLost?: 'refuse' | 'replace';
  }): Promise<Keystore>;
}

const singleNode = createSingleNode(
  () => ({
    ...{ name: 'one', version: '1', position: 0, cacheBytes: 0, cacheLimitBytes: 0 },
    ...{ clockAheadMs: 0, startedAtMs: 0 },
  }),
  () => 0,
);

export const FIRST_PASSWORD = 'the first password';

/** A catalog in a new data directory, deleted after the test. */
export async function freshCatalog(): Promise<Pick<KeystorePlace, 'dataDir' | 'storage' | 'catalog'>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'graticule-keystore-'));
  const storage = await openSqliteStorage({
    file: join(dataDir, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
    // Tests never lose power.
    synchronous: 'OFF',
    sync: async () => undefined,
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
  const messages: string[] = [];
  return {
    dataDir,
    messages,
    storage,
    catalog,
    warnings,
    open: (how = {}) =>
      openKeystore({
        folder: createKeystoreFolder(how.disk ?? realDisk, how.dataDir ?? dataDir),
        catalog: how.catalog ?? catalog,
        serverKey: how.serverKey,
        previousServerKeys: how.previousServerKeys,
        reports: how.reports ?? createKeyReports(storage.notes, singleNode),
        recordKinds,
        log: (message) => messages.push(message),
        randomBytes,
        generateRandomPassword: () => FIRST_PASSWORD,
        // Tests open dozens of keystores; the key derivation cost of production would only slow them down.
        scryptCost: 2,
        whenLost: how.whenLost ?? 'refuse',
        warn: (message) => warnings.push(message),
      }),
  };
}

/** The files of a server before the keystore became a record; `sealed` is 'a store password', encrypted with it. */
export const earlierKeystore = {
  file: {
    format: 1,
    id: 'a5cabe4a0d511a07d5e96a74a8340ff7',
    generation: 1,
    changedBy: 'ann',
    scrypt: { cost: 2, blockSize: 8, parallelization: 1, salt: '6urYJD_JGd1AA1YC8vjlpA' },
    wrappedDataKey: 'UrnoIowORSd8SRgD_r_yboTjHURCEX1HN1kGhJWYGY1N7xKszavdfsV9m7l2D8nOuuBbvCNsXLP4X4TQ',
    sealedPassword: 'rcgQzI3ly9YMzHs3F0vt4f06d5y86WjvOiSeiQC0kMp5eQvnzd_QUSu80pxsAg4',
  },
  serverKey: '6PnYD3h7W_k23mpL9dreH6cdQY9LK5lH5bdCI0CUF0w\n',
  password: 'an earlier password',
  sealed: toSecret('sealed:1:ZY04EwpaLD6AUYT2KlVf-UZUEZ8C9u2QHzwVf0pSkXaPWv-s1eHERSxvBpk'),
};

/** A data directory as left by that server; `noted` is the number of password changes in its catalog. */
export async function earlierPlace(noted: number | 'never' = 1): Promise<KeystorePlace> {
  const place = await keystorePlace();
  const folder = join(place.dataDir, 'security');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, 'keystore.json'), JSON.stringify(earlierKeystore.file), { mode: 0o600 });
  await writeFile(join(folder, 'server.key'), earlierKeystore.serverKey, { mode: 0o600 });
  if (noted !== 'never') {
    const fields = { keystoreId: earlierKeystore.file.id, generation: noted };
    await place.catalog.change(serverPrincipal, 'create the keystore', (transaction) =>
      transaction.insert(keystoreKind, { parent: null, name: 'keystore', ...fields }),
    );
  }
  return place;
}
