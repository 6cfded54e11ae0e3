/** Undoes the latest change: whether the cost grows with the length of the history. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { openCatalog } from '../src/records/catalog.ts';
import { workspaceKind } from '../src/records/workspace.ts';
import { serverPrincipal } from '../src/security/core/administrator.ts';
import { recordKinds } from '../src/server/storage/record-kinds.ts';
import { openSqliteStorage } from '../src/storage/sqlite/open.ts';
import { call } from './call.ts';
import { percentile } from './percentile.ts';
import type { ServerChild } from './server-child.ts';

/** In parallel: they are committed together, which takes a tenth of the time. */
const TOGETHER = 500;

/** This many changes of a few workspaces, each an entry of the history. */
export async function seedHistory(dataDir: string, entries: number): Promise<void> {
  const file = join(dataDir, 'graticule.sqlite');
  const storage = await openSqliteStorage({ file, clock: Date.now, kinds: recordKinds });
  const catalog = openCatalog(storage);
  for (let start = 0; start < entries; start += TOGETHER) {
    const changes = Array.from({ length: Math.min(TOGETHER, entries - start) }, (_, index) => {
      const name = `seed-${index}`;
      const uri = `http://${name}/${start}`;
      return catalog.change(serverPrincipal, 'seed', async (transaction) => {
        const found = await transaction.find(workspaceKind, null, name);
        await (found === undefined
          ? transaction.insert(workspaceKind, { parent: null, name, uri, isolated: false, metadata: {} })
          : transaction.update(workspaceKind, { ...found, uri }));
      });
    });
    await Promise.all(changes);
  }
  await storage.close();
}

/** The median duration of an undo. */
export async function measureUndo(server: ServerChild, rounds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const body = JSON.stringify({ workspace: { name: `undone-${round}` } });
    await call(agent, 'POST', `${server.restUrl}/workspaces`, { type: 'application/json', body });
    const last = await call(agent, 'GET', `${server.restUrl}/history?limit=1`);
    const { changes } = JSON.parse(last.body) as { readonly changes: readonly { readonly sequence: number }[] };
    const { status, ms } = await call(agent, 'POST', `${server.restUrl}/history/${changes[0]?.sequence ?? 0}/undo`);
    if (status !== 200) {
      throw new Error(`An undo answered ${status}`);
    }
    costs.push(ms);
  }
  agent.destroy();
  // The first ones are a warm-up.
  return percentile(costs.slice(Math.floor(rounds / 5)), 0.5);
}
