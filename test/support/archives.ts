/** A spooled archive beside its target folder, and a listing of the result. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type UnpackedFile, type UnpackOptions, unpackArchive } from '../../src/gates/archive-gate.ts';
import { limits } from '../../src/server/settings/limits.ts';

export interface ArchiveTrial {
  /** The path of the archive. */
  readonly spooled: string;
  /** Unpacks into `root/unpacked`. */
  unpack(options?: Partial<UnpackOptions>): Promise<readonly UnpackedFile[]>;
  /** Everything below the root, the archive included. */
  listing(): Promise<readonly string[]>;
  read(name: string): Promise<string>;
}

export async function trial(archive: Buffer): Promise<ArchiveTrial> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-archive-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const spooled = join(root, 'spooled.zip');
  await writeFile(spooled, archive);
  return {
    spooled,
    unpack: (options) => unpackArchive(spooled, join(root, 'unpacked'), { limits: limits.archive, ...options }),
    listing: async () => (await readdir(root, { recursive: true })).toSorted(),
    read: (name) => readFile(join(root, 'unpacked', name), 'utf8'),
  };
}
