import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshRoot } from '../../test/support/mortal-disk.ts';
import { openSqliteStorage } from '../storage/sqlite/open.ts';
import { openCatalog } from './catalog.ts';
import { changeWithExternal, type ExternalTransaction } from './change-with-external.ts';
import { workspaceKind } from './workspace.ts';

const author = { principal: { name: 'ann', roles: new Set<string>() }, what: 'import' };
const acme = { parent: null, name: 'acme', uri: 'http://acme', isolated: false, metadata: {} };

async function scene() {
  const file = join(await freshRoot(), 'graticule.sqlite');
  const storage = await openSqliteStorage({ file, clock: Date.now, kinds: [] });
  onTestFinished(() => storage.close());
  const catalog = openCatalog(storage);
  const events: string[] = [];
  const isThere = async () => (await catalog.find(workspaceKind, null, 'acme')) !== undefined;
  const outside: ExternalTransaction = {
    commit: async () => {
      events.push(`commit, ${(await isThere()) ? 'published' : 'not published'}`);
    },
    rollback: async () => {
      events.push('rollback');
    },
  };
  return { catalog, events, outside, isThere };
}

test('commits the external database after the rehearsal and before the change', async () => {
  const { catalog, events, outside, isThere } = await scene();

  const made = await changeWithExternal(
    catalog,
    author,
    async (transaction, phase) => {
      events.push(phase);
      return transaction.insert(workspaceKind, acme);
    },
    outside,
  );

  expect(made?.name).toBe('acme');
  expect(events).toEqual(['rehearsal', 'commit, not published', 'final']);
  expect(await isThere()).toBe(true);
});

test('detects a failing change before anything is committed', async () => {
  const { catalog, events, outside } = await scene();

  const outcome = changeWithExternal(catalog, author, () => Promise.reject(new Error('the name is taken')), outside);

  await expect(outcome).rejects.toThrow('the name is taken');
  expect(events).toEqual(['rollback']);
});

test('leaves nothing when the rehearsal requires a new attempt', async () => {
  const { catalog, events, outside } = await scene();

  expect(await changeWithExternal(catalog, author, async () => undefined, outside)).toBeUndefined();

  expect(events).toEqual(['rollback']);
});

test('publishes nothing when the external database fails to commit', async () => {
  const { catalog, events, outside, isThere } = await scene();
  const failing = { ...outside, commit: () => Promise.reject(new Error('the connection is lost')) };

  const outcome = changeWithExternal(
    catalog,
    author,
    (transaction) => transaction.insert(workspaceKind, acme),
    failing,
  );

  await expect(outcome).rejects.toThrow('the connection is lost');
  expect([events, await isThere()]).toEqual([['rollback'], false]);
});
