import { execFile } from 'node:child_process';
import { readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freshRoot, mortalDisk } from '../../../test/support/mortal-disk.ts';
import { type Catalog, openCatalog } from '../../records/catalog.ts';
import { type Files, openFiles } from '../../records/files/files.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { recordKinds } from '../../server/storage/record-kinds.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import { isHash } from '../../storage/blobs/port.ts';
import { openSqliteStorage } from '../../storage/sqlite/open.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import { styleFileKind } from '../kinds/style.ts';
import { migrateFiles } from './migrate-files.ts';

const fixture = join(import.meta.dirname, '../../../test/fixtures/data-directories/0.1.0.tar.gz');
const stepLimit = 600;

interface Directory {
  readonly dataDir: string;
  readonly catalog: Catalog;
  takeOver(disk?: Disk): Promise<number>;
}

async function unpacked(): Promise<Directory> {
  const root = await freshRoot();
  await promisify(execFile)('tar', ['-xzf', fixture, '--no-same-owner', '-C', root]);
  const dataDir = join(root, 'data');
  const file = join(dataDir, 'graticule.sqlite');
  const storage = await openSqliteStorage({ file, clock: Date.now, kinds: recordKinds });
  onTestFinished(() => storage.close());
  const catalog = openCatalog(storage);
  return {
    dataDir,
    catalog,
    takeOver: (disk) => {
      const how = disk === undefined ? {} : { disk };
      return migrateFiles({ catalog, files: openFiles({ root: dataDir, ...how }), dataDir, ...how });
    },
  };
}

/** Lists every uploaded file and every style content with its size. */
async function everything({ dataDir, catalog }: Directory): Promise<Readonly<Record<string, number>>> {
  const files: Files = openFiles({ root: dataDir });
  const found: [string, number][] = [];
  for (const workspace of await catalog.list(workspaceKind, null)) {
    for (const { name, fileSet } of await catalog.list(dataStoreKind, workspace.id)) {
      if (fileSet !== null) {
        const folder = await files.openSet(fileSet);
        for (const file of await readdir(folder))
          found.push([`${name}/${file}`, (await stat(join(folder, file))).size]);
      }
    }
  }
  for (const { name, content, sizeBytes } of await catalog.list(styleFileKind, null)) {
    expect((await files.read(content)).length).toBe(sizeBytes);
    found.push([name, sizeBytes]);
  }
  return Object.fromEntries(found);
}

test('migrates uploads and styles of an older data directory, and changes nothing else', async () => {
  const directory = await unpacked();
  const mine = await readFile(join(directory.dataDir, 'data/shared/lakes.shp'));

  expect(await directory.takeOver()).toBeGreaterThan(5);

  const all = await everything(directory);
  expect(Object.keys(all)).toEqual(
    expect.arrayContaining(['roads/roads.shp', 'atlas/atlas.gpkg', 'Häuser/wanderer.dbf', '/older.sld']),
  );
  expect((await readdir(join(directory.dataDir, 'data'))).toSorted()).toEqual(['pack.gpkg', 'shared']);
  expect(await readFile(join(directory.dataDir, 'data/shared/lakes.shp'))).toEqual(mine);
  expect(await readdir(directory.dataDir)).not.toContain('styles');
  expect(await directory.takeOver()).toBe(0);
});

test('keeps migrated files at their old path if another store refers to it', async () => {
  const directory = await unpacked();
  const { catalog } = directory;
  const [workspace] = await catalog.list(workspaceKind, null);
  const parent = workspace?.id ?? '';
  const acme = await catalog.find(workspaceKind, null, 'acme');
  const roads = await catalog.find(dataStoreKind, acme?.id ?? '', 'roads');
  if (roads === undefined) expect.unreachable();
  await catalog.change({ name: 'test', roles: new Set() }, 'a store on the files of another', (transaction) =>
    transaction.insert(dataStoreKind, { ...roads, parent, name: 'guest', fileSet: null, filePlace: null }),
  );

  await directory.takeOver();

  expect(await readdir(join(directory.dataDir, roads.filePlace ?? ''))).toContain('roads.shp');
  expect(await readdir(join(directory.dataDir, 'data/acme'))).toEqual(['roads']);
});

test('migrates other stores if the folder of one store is missing', async () => {
  const directory = await unpacked();
  await rm(await folderOfRoads(directory), { recursive: true });

  expect(await directory.takeOver()).toBeGreaterThan(4);

  expect(await readdir(join(directory.dataDir, 'blobs'))).toContain('taken-over');
});

test('does not treat unreadable files as deleted', async () => {
  const directory = await unpacked();
  const folder = await folderOfRoads(directory);
  await rename(folder, `${folder}.away`);
  await symlink(folder, folder);

  await expect(directory.takeOver()).rejects.toThrow('ELOOP');

  await rm(folder);
  await rename(`${folder}.away`, folder);
  await directory.takeOver();
  expect(Object.keys(await everything(directory))).toContain('roads/roads.shp');
});

test('does not treat unreadable styles as deleted', async () => {
  const directory = await unpacked();
  const [start = ''] = await readdir(join(directory.dataDir, 'styles'));
  const unreadable = join(directory.dataDir, 'styles', start);
  await rename(unreadable, `${unreadable}.away`);
  await symlink(unreadable, unreadable);

  await expect(directory.takeOver()).rejects.toThrow('ELOOP');

  await rm(unreadable);
  await rename(`${unreadable}.away`, unreadable);
  await directory.takeOver();
  expect(Object.keys(await everything(directory))).toContain('/older.sld');
});

async function folderOfRoads({ dataDir, catalog }: Directory): Promise<string> {
  const acme = await catalog.find(workspaceKind, null, 'acme');
  const roads = await catalog.find(dataStoreKind, acme?.id ?? '', 'roads');
  return join(dataDir, roads?.filePlace ?? 'none');
}

test('completes the migration on the next start after a disk failure at any point, without data loss', async () => {
  const whole = await unpacked();
  await whole.takeOver();
  const expected = await everything(whole);
  const stride = Number(process.env['TAKE_OVER_STRIDE'] ?? 97);

  for (let step = 0, failed = true; failed; step += stride) {
    expect(step).toBeLessThan(stepLimit * stride);
    const directory = await unpacked();
    const mortal = mortalDisk();
    mortal.dieAfter(step);
    failed = await directory.takeOver(mortal.disk).then(
      () => false,
      () => true,
    );

    await openFiles({ root: directory.dataDir }).recover();
    await directory.takeOver();

    expect(await everything(directory)).toEqual(expected);
    expect((await readdir(join(directory.dataDir, 'data'))).toSorted()).toEqual(['pack.gpkg', 'shared']);
    const left = await readdir(join(directory.dataDir, 'blobs'), { recursive: true });
    expect(left.filter((name) => !isHash(name.slice(3)) && name.length > 2)).toEqual(['taken-over']);
  }
});
