/** Fills a catalog with as many workspaces as a large site has objects, through the real write path. */
import { join } from 'node:path';
import { createWorkspace } from '../src/catalog/workspaces/workspaces.ts';
import { type Catalog, openCatalog } from '../src/records/catalog.ts';
import { workspaceKind } from '../src/records/workspace.ts';
import { serverPrincipal } from '../src/security/core/administrator.ts';
import { recordKinds } from '../src/server/storage/record-kinds.ts';
import type { Storage } from '../src/storage/port/port.ts';
import { openSqliteStorage } from '../src/storage/sqlite/open.ts';

const BATCH = 1_000;

export async function seedCatalog(dataDir: string, count: number): Promise<void> {
  const storage = await openSqliteStorage({
    file: join(dataDir, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
  });
  await seedStorage(storage, count);
  await storage.close();
}

/** An open storage of any type. */
export async function seedStorage(storage: Storage, count: number): Promise<void> {
  const catalog = openCatalog(storage);
  await createWorkspace(catalog, serverPrincipal, { name: 'seed' }, { asDefault: true, aspect: 'workspace' });
  for (let start = 0; start < count - 1; start += BATCH) {
    await makeWorkspaces(catalog, start, Math.min(start + BATCH, count - 1));
  }
}

/** All of them in one change; returns the number of the previous change. */
export async function seedLargeChange(dataDir: string, count: number): Promise<number> {
  const storage = await openSqliteStorage({
    file: join(dataDir, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
  });
  const catalog = openCatalog(storage);
  const before = catalog.position();
  // Changes made by the server itself cannot be undone.
  await makeWorkspaces(catalog, 0, count, { ...serverPrincipal, name: 'admin' });
  await storage.close();
  return before;
}

function makeWorkspaces(catalog: Catalog, from: number, to: number, principal = serverPrincipal): Promise<void> {
  return catalog.change(principal, 'seed', async (transaction) => {
    for (let index = from; index < to; index += 1) {
      const name = `workspace-${index}`;
      const fields = { uri: `http://${name}`, isolated: false, metadata: {} };
      await transaction.insert(workspaceKind, { parent: null, name, ...fields });
    }
  });
}
