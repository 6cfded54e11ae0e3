import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  computeAvailableBytes,
  computeWorkers,
  createMemoryBudget,
  findNeededLaunch,
  MEGABYTE,
} from './memory-budget.ts';

const GIGABYTE = 1_024 * MEGABYTE;

/** Returns the threads, extra threads and heap sizes of some pools. */
function sizes(megabytes: number, workers: number) {
  const { pools, mapsUnderWay, ...rest } = createMemoryBudget(megabytes * MEGABYTE, workers);
  const size = ({ maxThreads, extraThreads, maxMemoryMegabytes, idleMs }: (typeof pools)['maps']) =>
    [maxThreads, extraThreads, maxMemoryMegabytes, idleMs] as const;
  return {
    heap: rest.heapMegabytes,
    tiles: rest.tileMemoryBytes / MEGABYTE,
    styles: size(pools.styles),
    data: size(pools.data),
    maps: size(pools.maps),
    harvest: size(pools.harvest),
    joins: [rest.joins.places, rest.joinBytes / MEGABYTE],
    underWay: [mapsUnderWay.places, mapsUnderWay.extraPlaces],
  };
}

describe('memory budget', () => {
  it.each([
    [
      256,
      16,
      {
        heap: 96,
        tiles: 8,
        styles: [1, 1, 64, 5_000],
        data: [2, 1, 32, 5_000],
        maps: [1, 1, 32, 5_000],
        harvest: [1, 0, 32, 5_000],
        joins: [1, 16],
        underWay: [2, 2],
      },
    ],
    [
      512,
      16,
      {
        heap: 192,
        tiles: 16,
        styles: [1, 1, 128, 5_000],
        data: [2, 1, 64, 5_000],
        maps: [1, 1, 64, 5_000],
        harvest: [1, 0, 64, 5_000],
        joins: [1, 32],
        underWay: [2, 2],
      },
    ],
    [
      2_048,
      16,
      {
        heap: undefined,
        tiles: 32,
        styles: [2, 1, 512, 60_000],
        data: [4, 2, 256, 60_000],
        maps: [2, 1, 256, 60_000],
        harvest: [1, 0, 256, 30_000],
        joins: [1, 128],
        underWay: [4, 4],
      },
    ],
    [
      16_384,
      2,
      {
        heap: undefined,
        tiles: 32,
        styles: [2, 1, 1_024, 60_000],
        data: [4, 2, 1_024, 60_000],
        maps: [2, 1, 512, 60_000],
        harvest: [1, 0, 512, 30_000],
        joins: [4, 256],
        underWay: [4, 4],
      },
    ],
  ])('sizes threads, heaps and caches for %i MB and %i workers', (megabytes, workers, expected) => {
    expect(sizes(megabytes, workers)).toEqual(expected);
  });

  it.each([
    [16_384, 16, { styles: 16, filters: 16, encode: 16, maps: 16, data: 32, unpack: 2, granules: 2, harvest: 1 }],
    [6_144, 16, { styles: 6, filters: 6, encode: 6, maps: 6, data: 12, unpack: 2, granules: 2, harvest: 1 }],
    [16_384, 1, { styles: 1, filters: 1, encode: 1, maps: 1, data: 2, unpack: 1, granules: 1, harvest: 1 }],
  ])('gives %i MB and %i workers as many threads as memory and workers permit', (megabytes, workers, expected) => {
    const { pools, mapsUnderWay } = createMemoryBudget(megabytes * MEGABYTE, workers);

    expect(Object.fromEntries(Object.entries(pools).map(([name, { maxThreads }]) => [name, maxThreads]))).toEqual(
      expected,
    );
    expect(mapsUnderWay).toMatchObject({ places: 2 * expected.maps, extraPlaces: 2 * expected.maps });
  });

  it('defaults to one worker for each processor, and at least two', () => {
    expect(computeWorkers({ workers: undefined })).toBe(Math.max(2, availableParallelism()));
    expect(computeWorkers({ workers: 1 })).toBe(1);
  });

  it.each([
    ['machine', 16 * GIGABYTE, 0, 12 * GIGABYTE],
    ['machine, where no cgroup limits it', 16 * GIGABYTE, 2 ** 64, 12 * GIGABYTE],
    ['cgroup', 16 * GIGABYTE, 512 * MEGABYTE, 384 * MEGABYTE],
    ['cgroup, but not less than a server needs', 16 * GIGABYTE, 300 * MEGABYTE, 256 * MEGABYTE],
    ['cgroup that is too small', 16 * GIGABYTE, 128 * MEGABYTE, 128 * MEGABYTE],
  ])('defaults to a share of the %s', (_of, machine, constrained, expected) => {
    expect(computeAvailableBytes(machine, constrained)).toBe(expected);
  });

  it('restarts the process with a smaller heap and fewer arenas for a small budget', () => {
    const small = createMemoryBudget(512 * MEGABYTE, 2);
    const given = { nodeOptions: ['--max-semi-space-size=8'], environment: { HOME: '/' } };

    const needed = findNeededLaunch(small, given);

    expect(needed).toEqual({
      nodeOptions: ['--max-semi-space-size=8', '--max-old-space-size=192'],
      environment: {
        HOME: '/',
        MALLOC_ARENA_MAX: '2',
        MALLOC_MMAP_THRESHOLD_: '262144',
        MALLOC_TRIM_THRESHOLD_: '262144',
      },
    });
    expect(needed && findNeededLaunch(small, needed)).toBeUndefined();
  });

  it('keeps the options that the operator has set', () => {
    const small = createMemoryBudget(512 * MEGABYTE, 2);
    const own = {
      NODE_OPTIONS: '--max_old_space_size=300',
      MALLOC_ARENA_MAX: '4',
      MALLOC_MMAP_THRESHOLD_: '1048576',
    };
    const needed = findNeededLaunch(small, { nodeOptions: [], environment: own });

    expect(needed).toEqual({ nodeOptions: [], environment: { ...own, MALLOC_TRIM_THRESHOLD_: '262144' } });
    expect(needed && findNeededLaunch(small, needed)).toBeUndefined();
  });

  it('does not restart the process for a large budget', () => {
    const large = createMemoryBudget(16 * GIGABYTE, 2);

    expect(findNeededLaunch(large, { nodeOptions: [], environment: {} })).toBeUndefined();
  });
});
