/** `npm ci` installs the same packages everywhere, from any registry, on both supported processor architectures. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface LockEntry {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly cpu?: readonly string[];
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
}

const locks = ['package-lock.json', 'test/clients/package-lock.json'];

describe.each(locks)('the lock file %s', async (file) => {
  const { packages } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const entries = Object.entries(packages);

  it('records no download addresses', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it.each(['x64', 'arm64'])('lists the Linux binaries for %s with their integrity hashes', (processor) => {
    const own = entries.filter(([, entry]) => isFor(entry, processor));

    expect(own.filter(([, { integrity }]) => integrity === undefined).map(([name]) => name)).toEqual([]);
  });

  it('lists the same number of Linux binaries for both processors', () => {
    const count = (processor: string) => entries.filter(([, entry]) => isFor(entry, processor)).length;

    expect(count('arm64')).toBe(count('x64'));
  });
});

function isFor({ os, cpu, libc }: LockEntry, processor: string): boolean {
  return os?.includes('linux') === true && cpu?.includes(processor) === true && libc?.includes('musl') !== true;
}
