import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFiles } from '../storage/files.ts';
import { openSqliteStorage } from '../storage/sqlite/open.ts';
import { openCatalog } from './catalog.ts';
import { changeWithFiles } from './file-changes.ts';
import { workspaceKind } from './workspace.ts';

const author = { principal: { name: 'ann', roles: new Set<string>() }, what: 'test' };

async function trial() {
  const root = await mkdtemp(join(tmpdir(), 'graticule-changes-'));
  const storage = await openSqliteStorage({
    file: join(root, 'c.sqlite'),
    clock: () => 0,
    kinds: [],
  });
  onTestFinished(async () => {
    await storage.close();
    await rm(root, { recursive: true, force: true });
  });
  const files = openFiles({ root });
  const staging = await files.createStaging('test');
  await mkdir(join(staging.path, 'new'));
  await writeFile(join(staging.path, 'new/file'), 'new');
  await mkdir(join(root, 'data/old'), { recursive: true });
  return {
    catalog: openCatalog(storage),
    files,
    staged: join(staging.path, 'new'),
    places: async () => (await readdir(join(root, 'data'))).toSorted(),
    workspace: { parent: null, name: 'a', uri: 'u', isolated: false, metadata: {} },
  };
}

describe('a change with files', () => {
  it('that succeeds puts the new in place and takes the old away, when those who read it are done', async () => {
    const { catalog, files, staged, places, workspace } = await trial();
    const seen: (readonly string[])[] = [];

    const sequence = await changeWithFiles(
      catalog,
      files,
      author,
      async (transaction, changes) => {
        await changes.publish(staged, 'data/new');
        await changes.remove(['data/old']);
        await transaction.insert(workspaceKind, workspace);
        return transaction.sequence;
      },
      { beforeRemoval: async () => void seen.push(await places()) },
    );

    expect(sequence).toBe(1);
    expect(seen).toEqual([['new', 'old']]);
    expect(await places()).toEqual(['new']);
  });

  it('that fails leaves the files as they were', async () => {
    const { catalog, files, staged, places, workspace } = await trial();

    const outcome = changeWithFiles(catalog, files, author, async (transaction, changes) => {
      await changes.publish(staged, 'data/new');
      await changes.remove(['data/old']);
      await transaction.insert(workspaceKind, workspace);
      throw new Error('changed my mind');
    });

    await expect(outcome).rejects.toThrow('changed my mind');
    expect(await places()).toEqual(['old']);
    expect(await readdir(staged)).toEqual(['file']);
    expect(await catalog.list(workspaceKind, null)).toEqual([]);
  });
});
