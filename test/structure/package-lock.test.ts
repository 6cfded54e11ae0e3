/** What `npm ci` installs: the same everywhere, from whichever registry, on both kinds of processor that servers have. */
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

describe.each(locks)('%s', async (file) => {
  const { packages } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const entries = Object.entries(packages);

  it('records no download addresses', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it.each(['x64', 'arm64'])('has the programs for Linux on %s, whole', (processor) => {
    const own = entries.filter(([, entry]) => isFor(entry, processor));

    expect(own.filter(([, { integrity }]) => integrity === undefined).map(([name]) => name)).toEqual([]);
  });

  it('has as many programs for Linux on one processor as on the other', () => {
    const count = (processor: string) => entries.filter(([, entry]) => isFor(entry, processor)).length;

    expect(count('arm64')).toBe(count('x64'));
  });
});

function isFor({ os, cpu, libc }: LockEntry, processor: string): boolean {
  return os?.includes('linux') === true && cpu?.includes(processor) === true && libc?.includes('musl') !== true;
}
