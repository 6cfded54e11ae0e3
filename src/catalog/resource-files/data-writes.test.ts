/** Tests writes below `data` that a crash or disk failure interrupts: the next start completes or reverts them. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Disk, realDisk } from '../../storage/blobs/disk.ts';
import type { Notes } from '../../storage/port/port.ts';
import { openDataWrites } from './data-writes.ts';

class Died extends Error {}

/** Returns a disk that fails after this number of calls. */
function diskFor(calls: number): Disk {
  let left = calls;
  const limited = Object.entries(realDisk).map(([name, call]) => [
    name,
    (...given: unknown[]) => {
      left -= 1;
      if (left < 0) throw new Died();
      return (call as (...each: unknown[]) => unknown)(...given);
    },
  ]);
  return Object.fromEntries(limited) as Disk;
}

function notesIn(kept: Map<string, string>): Pick<Notes, 'read' | 'listNames' | 'write'> {
  return {
    read: async (name) => kept.get(name),
    listNames: async () => [...kept.keys()],
    write: async (name, text) => void (text === null ? kept.delete(name) : kept.set(name, text)),
  };
}

async function filesIn(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(root.length + 1), await readFile(file, 'utf8')] as const)),
  );
}

const before = { 'a/old.txt': 'old', 'swap/inside': 'inside' };
const after = { 'a/new.txt': 'new', 'a/b/deep.txt': 'deep', swap: 'file' };

it('completes or reverts interrupted writes after a crash at any point', async () => {
  const outcomes: string[] = [];
  for (let calls = 0; outcomes.at(-1) !== 'ended'; calls += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'data-writes-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const root = join(folder, 'data');
    const staged = (name: string) => join(folder, name);
    await mkdir(join(root, 'a'), { recursive: true });
    await mkdir(join(root, 'swap'));
    for (const [path, text] of Object.entries(before)) await writeFile(join(root, path), text);
    for (const name of ['new', 'deep', 'file']) await writeFile(staged(name), name);
    const kept = new Map<string, string>();
    const open = (disk: Disk) =>
      openDataWrites({ folder: join(folder, 'data-writes'), root, disk, notes: notesIn(kept) });

    let isCertain = false;
    try {
      const writes = await open(diskFor(calls)).prepare({
        removedFiles: ['a/old.txt', 'swap/inside'],
        removedFolders: ['swap'],
        madeFolders: ['a/b'],
        placed: [
          { path: 'a/new.txt', near: 'a', staged: staged('new') },
          { path: 'a/b/deep.txt', near: 'a', staged: staged('deep') },
          { path: 'swap', near: '', staged: staged('file') },
        ],
      });
      kept.set(writes.note, '');
      isCertain = true;
      await writes.apply();
      outcomes.push('ended');
    } catch (error) {
      expect(error).toBeInstanceOf(Died);
      outcomes.push(isCertain ? 'certain' : 'not certain');
    }
    await open(realDisk).recoverWrites();

    expect(await filesIn(root), `after ${calls} calls`).toEqual(isCertain ? after : before);
    expect(await readdir(join(folder, 'data-writes')).catch(() => [])).toEqual([]);
    expect([...kept]).toEqual([]);
  }

  expect(new Set(outcomes)).toEqual(new Set(['not certain', 'certain', 'ended']));
});
