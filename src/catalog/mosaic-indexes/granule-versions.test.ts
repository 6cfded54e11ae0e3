import { describe, expect, it } from 'vitest';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatVersionName, parseVersionName } from '../kinds/mosaic.ts';
import { createNeededVersions } from './granule-versions.ts';

const HOUR_MS = 3_600_000;

/** A catalog with one mosaic, whose record refers to version 3. */
const catalog = {
  async *readAll() {
    yield [{ mosaic: null }, { mosaic: { index: { kind: 'embedded', key: 'k1' }, indexVersion: 3 } }];
  },
} as unknown as CatalogReader;

describe('needed granule versions', () => {
  const needed = (...named: readonly string[]) =>
    createNeededVersions({
      catalog,
      isReferenced: async (version) => named.includes(version),
      clock: () => 10 * HOUR_MS,
      graceMs: HOUR_MS,
    });
  const old = (version: number) => ({ version, madeAtMs: 0 });

  it('are the current version, those of changes that can be undone, and recent ones', async () => {
    const young = { version: 9, madeAtMs: 9.5 * HOUR_MS };

    const found = await needed(formatVersionName('k1', 2))('k1', [old(1), old(2), old(3), old(4), young]);

    expect(found.toSorted()).toEqual([2, 3, 9]);
  });

  it('are empty for a deleted mosaic after its deletion can no longer be undone', async () => {
    expect(await needed()('k2', [old(1), old(2)])).toEqual([]);
  });

  it('have names that differ from file hashes and identify the version', () => {
    expect(parseVersionName(formatVersionName('k1', 12))).toEqual({ key: 'k1', version: 12 });
    expect(parseVersionName('0'.repeat(64))).toBeUndefined();
  });
});
