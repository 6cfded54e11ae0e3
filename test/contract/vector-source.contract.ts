/** The contract of all vector source drivers. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEcqlFor } from '../../src/filter/resolve/resolve.ts';
import { inlineFilterRunner } from '../../src/filter/run/filter-runner.ts';
import { Problem } from '../../src/lib/problems/problem.ts';
import { createFilterSchema } from '../../src/vector/port/filter-schema.ts';
import type { Feature, VectorSource } from '../../src/vector/port/port.ts';
import { filterFeatures } from '../../src/vector/support/filter-features.ts';

/** A source with known content, including one type larger than a batch. */
export interface SourceUnderTest {
  readonly source: VectorSource;
  /** All its types, in the order of their names. */
  readonly typeNames: readonly string[];
  /** The type to read and its number of features. */
  readonly large: { readonly name: string; readonly count: number };
  /** False if features are numbered because they have no key. */
  readonly hasKeys?: false;
  /** Releases the resources of the source. */
  destroy(): Promise<void>;
}

export function vectorSourceContract(driver: string, create: () => Promise<SourceUnderTest>): void {
  describe(`vector source on ${driver}`, () => {
    let under: SourceUnderTest;
    const never = new AbortController().signal;

    beforeEach(async () => {
      under = await create();
    });
    afterEach(async () => {
      await under.source.close();
      await under.destroy();
    });

    async function readAll(name: string, limit?: number): Promise<readonly (readonly Feature[])[]> {
      const batches: (readonly Feature[])[] = [];
      for await (const batch of under.source.read(name, limit === undefined ? {} : { limit }, never))
        batches.push(batch);
      return batches;
    }

    test('lists its types in the order of their names', async () => {
      const types = await under.source.listTypes(never);

      expect(types.map((type) => type.name)).toEqual(under.typeNames);
    });

    test('describes every type that it lists', async () => {
      for (const { name, hasGeometry } of await under.source.listTypes(never)) {
        const description = await under.source.describe(name, never);

        expect(description?.name).toBe(name);
        expect(description?.defaultGeometry !== undefined).toBe(hasGeometry);
        const names = description?.attributes.map((attribute) => attribute.name) ?? [];
        expect(new Set(names).size).toBe(names.length);
        if (hasGeometry) expect(names).toContain(description?.defaultGeometry);
      }
    });

    test('returns nothing for an unknown type', async () => {
      expect(await under.source.describe('no such type', never)).toBeUndefined();
      await expect(readAll('no such type')).rejects.toThrow(Problem);
    });

    test('reads all features, one value for each attribute, each with a unique id', async () => {
      const { name, count } = under.large;
      const description = await under.source.describe(name, never);

      const features = (await readAll(name)).flat();

      expect(features).toHaveLength(count);
      expect(new Set(features.map((feature) => feature.id)).size).toBe(count);
      const width = description?.attributes.length;
      expect(features.every((feature) => feature.values.length === width)).toBe(true);
    });

    test('has all its geometries within its bounds', async () => {
      const { name } = under.large;
      const description = await under.source.describe(name, never);
      const index = description?.attributes.findIndex((each) => each.name === description.defaultGeometry) ?? -1;
      const { minX, minY, maxX, maxY } = description?.bounds ?? { minX: 0, minY: 0, maxX: 0, maxY: 0 };

      const outside: number[][] = [];
      for (const { values } of (await readAll(name)).flat()) {
        const geometry = values[index];
        if (geometry === null || typeof geometry !== 'object' || !('ordinates' in geometry)) continue;
        const stride = geometry.dimension.length;
        for (let at = 0; at < geometry.ordinates.length; at += stride) {
          const [x = Number.NaN, y = Number.NaN] = geometry.ordinates.subarray(at, at + 2);
          if (!(x >= minX && x <= maxX && y >= minY && y <= maxY)) outside.push([x, y]);
        }
      }

      expect(description?.bounds).toBeDefined();
      expect(outside).toEqual([]);
    });

    test('returns the same features in the same order every time', async () => {
      const first = (await readAll(under.large.name)).flat();
      const second = (await readAll(under.large.name)).flat();

      expect(second.map((feature) => feature.id)).toEqual(first.map((feature) => feature.id));
      expect(second.at(-1)).toEqual(first.at(-1));
    });

    test('returns no empty batch, and several batches for a large type', async () => {
      const batches = await readAll(under.large.name);

      expect(batches.length).toBeGreaterThan(1);
      expect(batches.every((batch) => batch.length > 0)).toBe(true);
    });

    test.for([0, 1, 7, 1_500, Number.MAX_SAFE_INTEGER])('returns at most %i features for that limit', async (limit) => {
      const all = (await readAll(under.large.name)).flat();

      const limited = (await readAll(under.large.name, limit)).flat();

      expect(limited.map((feature) => feature.id)).toEqual(all.slice(0, limit).map((feature) => feature.id));
    });

    test('returns exactly the features that match a filter, if it supports filters', async () => {
      const { name } = under.large;
      const { source } = under;
      const attributes = (await source.describe(name, never))?.attributes ?? [];
      const text = attributes.find((each) => each.kind === 'value' && each.type === 'string')?.name ?? '';
      const place = attributes.find(({ kind }) => kind === 'geometry')?.name ?? '';
      const all = (await readAll(name)).flat();
      const textIndex = attributes.findIndex((each) => each.name === text);
      const [one, other, third] = [3, 77, 901].map((index) => String(all[index]?.values[textIndex]));
      const filters = [
        `"${text}" = '${one}'`,
        `"${text}" IN ('${one}', '${other}', '${third}', 'missing')`,
        `"${text}" LIKE '%77%' AND NOT "${text}" = '${other}'`,
        `strToUpperCase("${text}") = '${other?.toUpperCase()}' OR "${text}" = '${one}'`,
        `"${text}" > '${other}'`,
        `"${text}" IS NULL`,
        `IN ('${all[5]?.id}', '${all[1_200]?.id}', 'missing.7', '${name}.missing')`,
        `BBOX("${place}", 2.5, 0.25, 4.5, 0.75)`,
        `NOT BBOX("${place}", 2.5, 0.25, 4.5, 0.75) AND "${text}" LIKE '%9'`,
        `DISJOINT("${place}", POINT(3.5 0.5))`,
        'INCLUDE',
        'EXCLUDE',
      ];

      if (source.filters !== true) return;
      for (const ecql of filters) {
        const outcome = await readEcqlFor(ecql, createFilterSchema(attributes));
        if (outcome.kind !== 'read') throw new Error(`${ecql}: ${outcome.complaint.message}`);
        const filter = outcome.value;
        const names = attributes.map((each) => each.name);
        const inMemory: string[] = [];
        const all = source.read(name, {}, never);
        for await (const batch of filterFeatures(all, { names, filter, runner: inlineFilterRunner, signal: never }))
          inMemory.push(...batch.map(({ id }) => id));
        const selected: string[] = [];
        for await (const batch of source.read(name, { filter }, never)) selected.push(...batch.map(({ id }) => id));
        const limited: string[] = [];
        for await (const batch of source.read(name, { filter, limit: 2 }, never))
          limited.push(...batch.map(({ id }) => id));

        // A view has no key: its features are numbered in the order they are read.
        if (under.hasKeys !== false) {
          expect(selected.toSorted(), ecql).toEqual(inMemory.toSorted());
          expect(
            limited.every((id) => inMemory.includes(id)),
            ecql,
          ).toBe(true);
        }
        expect(selected, ecql).toHaveLength(
          under.hasKeys === false && ecql.startsWith('IN') ? selected.length : inMemory.length,
        );
        expect(limited, ecql).toHaveLength(Math.min(2, selected.length));
      }
    });

    test('stops when the consumer stops, and can be read again', async () => {
      for await (const batch of under.source.read(under.large.name, {}, never)) {
        expect(batch.length).toBeGreaterThan(0);
        break;
      }

      expect((await readAll(under.large.name)).flat()).toHaveLength(under.large.count);
    });

    test('can be read twice in parallel', async () => {
      const [first, second] = await Promise.all([readAll(under.large.name), readAll(under.large.name)]);

      expect(first.flat().map((feature) => feature.id)).toEqual(second.flat().map((feature) => feature.id));
    });

    test('reads nothing for an aborted signal', async () => {
      const aborted = AbortSignal.abort(new Error('no longer wanted'));

      await expect(under.source.listTypes(aborted)).rejects.toThrow('no longer wanted');
      await expect(under.source.describe(under.large.name, aborted)).rejects.toThrow('no longer wanted');
      await expect(under.source.read(under.large.name, {}, aborted)[Symbol.asyncIterator]().next()).rejects.toThrow(
        'no longer wanted',
      );
    });

    test('stops reading when the signal is aborted', async () => {
      const controller = new AbortController();
      const iterator = under.source.read(under.large.name, {}, controller.signal)[Symbol.asyncIterator]();
      await iterator.next();

      controller.abort(new Error('enough'));

      await expect(iterator.next()).rejects.toThrow('enough');
    });

    test('rejects reads after it is closed, and can be closed twice', async () => {
      await under.source.close();
      await under.source.close();

      await expect(under.source.listTypes(never)).rejects.toThrow('closed');
      await expect(under.source.describe(under.large.name, never)).rejects.toThrow('closed');
      await expect(readAll(under.large.name)).rejects.toThrow('closed');
    });
  });
}
