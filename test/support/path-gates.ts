/** A path gate over separate folders: a complete data directory, and an external data folder. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPathGate, type PathGate, type PathGateOptions } from '../../src/gates/path-gate.ts';
import { type Principal, ROLE_ADMINISTRATOR } from '../../src/lib/identity/principal.ts';
import { limits } from '../../src/server/settings/limits.ts';

export const administrator: Principal = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };
export const editor: Principal = { name: 'editor', roles: new Set(['ROLE_EDITOR']) };

export interface PathTrial {
  /** Contains `server` (the data directory) and `data` (which belongs to the operator). */
  readonly root: string;
  gate(options?: Partial<PathGateOptions>): PathGate;
  /** Everything below the root with its content, for comparison. */
  snapshot(): Promise<Readonly<Record<string, string>>>;
}

const files = {
  'server/graticule.sqlite': 'database',
  'server/graticule.sqlite-wal': 'journal',
  'server/server.lock': 'lock',
  'server/security/keystore.json': 'secret',
  'server/security/deep/key': 'secret',
  'server/staging/work-upload-1/a.zip': 'half an upload',
  'server/data/acme/roads/roads.shp': 'uploaded',
  'data/roads.shp': 'roads',
  'data/tiles/a.tif': 'a',
  'data/tiles/deep/b.tif': 'bb',
  'elsewhere/secret.txt': 'not for you',
};

export async function pathTrial(): Promise<PathTrial> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'graticule-path-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return {
    root,
    gate: (options) =>
      createPathGate({ dataDir: join(root, 'server'), externalRoots: [], limits: limits.directory, ...options }),
    async snapshot() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      const contents = entries.map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(root.length + 1), entry.isFile() ? await readFile(path, 'utf8') : ''] as const;
      });
      return Object.fromEntries((await Promise.all(contents)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    },
  };
}
