import { describe, expect, it } from 'vitest';
import { openTypes, readMapped, type TypeSpec } from '../../../../test/support/mapped-types.ts';
import { compilePredicate } from '../../../filter/predicate/predicate.ts';
import type { Feature, VectorSource } from '../../port/port.ts';

const BATCH_ROWS = 500;

/** Tables generated on demand, each with a row number and a unit number; reads are recorded. */
interface MadeUpSource {
  readonly source: VectorSource;
  readonly readings: { readonly table: string; readonly isFiltered: boolean }[];
  /** The number of generated outcrop rows. */
  made(): number;
  /** The number of reads that are neither finished nor cancelled. */
  underWay(): number;
}

function madeUpSource(counts: Readonly<Record<string, number>>, filters: boolean): MadeUpSource {
  const readings: { table: string; isFiltered: boolean }[] = [];
  let made = 0;
  let underWay = 0;
  const attributes = ['code', 'unit'].map(
    (name) => ({ name, nillable: false, kind: 'value', type: 'integer' }) as const,
  );
  const source: VectorSource = {
    ...(filters ? { filters: true } : {}),
    listTypes: async () => [],
    describe: async (name) => ({ name, attributes }),
    async *read(name, { filter, limit = Number.POSITIVE_INFINITY }, signal) {
      readings.push({ table: name, isFiltered: filter !== undefined });
      const fits = await compilePredicate<Feature>(filter ?? { kind: 'constant', value: true }, {
        value: ({ values }, attribute) => values[attribute === 'code' ? 0 : 1],
        identifier: ({ id }) => id,
      });
      underWay += 1;
      try {
        const count = Math.min(limit, counts[name] ?? 0);
        for (let at = 0; at < count; at += BATCH_ROWS) {
          signal.throwIfAborted();
          const batch = Array.from({ length: Math.min(BATCH_ROWS, count - at) }, (_, index) => ({
            id: `${name}.${at + index}`,
            values: [at + index, (at + index) % 700],
          }));
          if (name === 'outcrops') made += batch.length;
          yield batch.filter(fits);
        }
      } finally {
        underWay -= 1;
      }
    },
    close: async () => undefined,
  };
  return { source, readings, made: () => made, underWay: () => underWay };
}

const outcrop: TypeSpec = {
  target: 'ro:Outcrop',
  table: 'outcrops',
  attributes: [
    { target: 'ro:Outcrop', id: 'getId()' },
    { target: 'ro:shows', ocql: 'unit', link: 'ro:RockUnit', field: 'FEATURE_LINK' },
  ],
};

const unit: TypeSpec = {
  target: 'ro:RockUnit',
  table: 'units',
  attributes: [
    { target: 'ro:RockUnit', id: 'getId()' },
    { target: 'FEATURE_LINK', ocql: 'code' },
  ],
};

describe('mapped feature streams', () => {
  it('read only a few rows ahead', async () => {
    const made = madeUpSource({ outcrops: 50_000, units: 700 }, true);
    const mapped = openTypes([outcrop, unit], async () => made.source);
    let taken = 0;
    let mostAhead = 0;

    for await (const batch of mapped.read('Outcrop', {}, new AbortController().signal)) {
      taken += batch.length;
      mostAhead = Math.max(mostAhead, made.made() - taken);
      expect(batch.every(({ children }) => children.length === 1)).toBe(true);
    }

    expect(taken).toBe(50_000);
    expect(mostAhead).toBeLessThanOrEqual(2 * BATCH_ROWS);
  });

  it('query a filtering chained table for many features at once, without other rows', async () => {
    const made = madeUpSource({ outcrops: 20_000, units: 700 }, true);

    const features = await readMapped(
      openTypes([outcrop, unit], async () => made.source),
      'Outcrop',
    );

    const chained = made.readings.filter(({ table }) => table === 'units');
    expect(features).toHaveLength(20_000);
    expect(chained.every(({ isFiltered }) => isFiltered)).toBe(true);
    expect(chained.length).toBeLessThan(60);
  });

  it('read a small chained table without filter support once', async () => {
    const made = madeUpSource({ outcrops: 20_000, units: 700 }, false);

    await readMapped(
      openTypes([outcrop, unit], async () => made.source),
      'Outcrop',
    );

    expect(made.readings.filter(({ table }) => table === 'units')).toHaveLength(1);
  });

  it('read a chained table again for each batch if it is too large for the cache', async () => {
    const made = madeUpSource({ outcrops: 1_000, units: 30_000 }, false);

    const features = await readMapped(
      openTypes([outcrop, unit], async () => made.source),
      'Outcrop',
    );

    expect(features.every(({ children }) => children.length === 1)).toBe(true);
    expect(made.readings.filter(({ table }) => table === 'units').length).toBeLessThan(10);
  });

  it('close the source when the reader stops, the limit is reached or the signal aborts', async () => {
    const made = madeUpSource({ outcrops: 50_000, units: 700 }, true);
    const mapped = openTypes([outcrop, unit], async () => made.source);
    const given = new AbortController();

    for await (const batch of mapped.read('Outcrop', {}, new AbortController().signal)) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    const enough = await readMapped(mapped, 'Outcrop', { limit: 40 });
    const reading = mapped.read('Outcrop', {}, given.signal)[Symbol.asyncIterator]();
    await reading.next();
    given.abort(new Error('the client is gone'));

    await expect(reading.next()).rejects.toThrow('the client is gone');
    expect(enough).toHaveLength(40);
    expect(made.underWay()).toBe(0);
    expect(made.made()).toBeLessThan(3_000);
  });

  it('do nothing if the signal is already aborted', async () => {
    const made = madeUpSource({ outcrops: 10, units: 10 }, true);
    const mapped = openTypes([outcrop, unit], async () => made.source);

    await expect(
      mapped
        .read('Outcrop', {}, AbortSignal.abort(new Error('too late')))
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toThrow('too late');
    expect(made.readings).toEqual([]);
  });

  it('close their sources and open none without need', async () => {
    let [opened, closed] = [0, 0];
    const made = madeUpSource({ outcrops: 10, units: 10 }, true);
    const mapped = openTypes([outcrop, unit], async () => {
      opened += 1;
      return {
        ...made.source,
        close: async () => {
          closed += 1;
        },
      };
    });

    expect(opened).toBe(0);
    await readMapped(mapped, 'Outcrop');
    await readMapped(mapped, 'RockUnit');
    await mapped.close();

    expect([opened, closed]).toEqual([1, 1]);
  });
});
