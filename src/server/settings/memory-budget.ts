/**
 * Derives all memory limits from one budget: `--memory`, or a share of the memory of the machine and its cgroup.
 *
 * | Limit | Share of the budget | 256 MB | 512 MB | 2 GB | 16 GB |
 * |---|---|---|---|---|---|
 * | Heap of the main thread | 3/8; the default of Node from 2 GB on | 96 MB | 192 MB | | |
 * | Heap of one thread that reads styles | 1/4, at most 1 GB | 64 MB | 128 MB | 512 MB | 1 GB |
 * | Heap of one other thread | 1/8, at most its limit | 32 MB | 64 MB | 256 MB | 256 MB to 1 GB |
 * | Threads that read data (and extra) | twice the next line, at least 2 | 2 (1) | 2 (1) | 4 (2) | 32 (16) |
 * | Threads of a kind, such as maps (and extra) | 1 for 512 MB up to 2, then 1 for 1 GB | 1 (1) | 1 (1) | 2 (1) | 16 (8) |
 * | Maps in progress (and extra) | twice the threads | 2 (2) | 2 (2) | 4 (4) | 32 (32) |
 * | Tiles in memory | 1/32, at most 32 MB | 8 MB | 16 MB | 32 MB | 32 MB |
 * | Joins of feature types in progress (and extra) | 1 for 2 GB, from 1 to 4 | 1 (1) | 1 (1) | 1 (1) | 4 (1) |
 * | Features and rows of one join | 1/16, at most 256 MB | 16 MB | 32 MB | 128 MB | 256 MB |
 * | Documents in one thread that encodes | 1 for 16 MB, at most 100 | 16 | 32 | 100 | 100 |
 *
 * `--workers` (default: the number of processors) limits the threads of a kind, and twice as many read data. Threads that
 * unpack archives, index granules or harvest files mostly wait for the disk: there are at most 2, 2 and 1 of them.
 *
 * Heap limits are hardly ever reached: a thread mostly needs memory for its code and one batch of features or one image.
 * Up to 1 GB, idle threads end after 5 seconds. Up to 2 GB, the C library returns large blocks to the system as soon as they are free.
 */
import { availableParallelism, totalmem } from 'node:os';
import type { SemaphoreLimits } from '../../workers/fair-semaphore.ts';
import type { WorkerLimits } from '../../workers/pool.ts';
import { limits } from './limits.ts';
import { MIN_MEMORY_BYTES } from './setting-kinds.ts';
import { SettingError, type Settings } from './settings.ts';

export const MEGABYTE = 1_048_576;

/** The rest is for other processes and for the page cache of the kernel. */
const SHARE_OF_MACHINE = 0.75;

/** Below this size, Node and the C library are configured to save memory. */
const SMALL_BUDGET_BYTES = 2_048 * MEGABYTE;

/** Up to this size, idle threads end early. */
const TIGHT_BUDGET_BYTES = 1_024 * MEGABYTE;

/** Starting a new thread takes some tenths of a second. */
const TIGHT_IDLE_MS = 5_000;

/** The young generation of a thread in a tight budget; with more, garbage is collected later. */
const TIGHT_YOUNG_MEGABYTES = 6;

export type PoolName = 'styles' | 'data' | 'unpack' | 'filters' | 'granules' | 'harvest' | 'encode' | 'maps';

export interface MemoryBudget {
  readonly bytes: number;
  /** The heap of the main thread; undefined for the default of Node. */
  readonly heapMegabytes: number | undefined;
  readonly pools: Readonly<Record<PoolName, WorkerLimits & { readonly extraThreads: number }>>;
  readonly mapsUnderWay: SemaphoreLimits;
  readonly joins: SemaphoreLimits;
  readonly joinBytes: number;
  readonly tileMemoryBytes: number;
  /** Blocks of remote files in memory. */
  readonly remoteBytes: number;
  /** Documents of features that one thread encodes concurrently. */
  readonly encodings: number;
}

/** Returns the default budget: a share of the memory of the machine or its cgroup. */
export function computeAvailableBytes(machineBytes: number, constrainedBytes: number): number {
  // Without a limit, libuv returns 0 or a number larger than any machine.
  const limit = constrainedBytes > 0 ? Math.min(machineBytes, constrainedBytes) : machineBytes;
  const share = Math.floor(limit * SHARE_OF_MACHINE);
  return limit < MIN_MEMORY_BYTES ? limit : Math.max(share, MIN_MEMORY_BYTES);
}

/** Returns the bytes of the budget. Rejects a machine without the memory that every server needs. */
export function computeBudgetBytes({ memory }: Pick<Settings, 'memory'>): number {
  const bytes = memory ?? computeAvailableBytes(totalmem(), process.constrainedMemory());
  if (bytes >= MIN_MEMORY_BYTES) return bytes;
  throw new SettingError(
    `Not enough memory: ${Math.floor(bytes / MEGABYTE)} MB available, at least 256 MB required. Add memory to the machine or raise the limit of its cgroup.`,
  );
}

/** One long task does not delay all others of its kind, also on a machine with one processor. */
const MIN_DEFAULT_WORKERS = 2;

/** Returns the number of threads of a kind, without regard to memory. */
export function computeWorkers({ workers }: Pick<Settings, 'workers'>): number {
  return workers ?? Math.max(MIN_DEFAULT_WORKERS, availableParallelism());
}

/** The budget for one thread, up to the usual number of threads; for more, each needs twice as much. */
const THREAD_MEGABYTES = 512;
const DATA_THREAD_MEGABYTES = 256;

/** Each join needs memory of the main thread. */
const JOIN_MEGABYTES = 2_048;
const MAX_JOINS = 4;

export function createMemoryBudget(bytes: number, workers: number): MemoryBudget {
  const megabytes = Math.floor(bytes / MEGABYTE);
  const isTight = bytes <= TIGHT_BUDGET_BYTES;
  const computeThreads = (usual: WorkerLimits, megabytesForEach: number) =>
    Math.max(
      Math.min(usual.maxThreads, Math.floor(megabytes / megabytesForEach)),
      Math.floor(megabytes / (2 * megabytesForEach)),
    );
  const createPoolLimits = <L extends WorkerLimits>(usual: L, maxThreads: number, heapShare = 1 / 8) => ({
    ...usual,
    maxThreads,
    extraThreads: usual.extraThreads === undefined ? 0 : Math.max(1, Math.floor(maxThreads / 2)),
    maxMemoryMegabytes: Math.min(usual.maxMemoryMegabytes, Math.floor(megabytes * heapShare)),
    ...(isTight ? tightenLimits(usual) : {}),
  });
  const computeManyThreads = (usual: WorkerLimits) =>
    Math.max(1, Math.min(workers, computeThreads(usual, THREAD_MEGABYTES)));
  const computeFewThreads = (usual: WorkerLimits) => Math.min(usual.maxThreads, computeManyThreads(usual));
  const {
    workers: styleWorkers,
    dataWorkers,
    unpackWorkers,
    filterWorkers,
    granuleWorkers,
    harvestWorkers,
    encodeWorkers,
    mapWorkers,
  } = limits;
  const mapThreads = computeManyThreads(mapWorkers);
  return {
    bytes,
    heapMegabytes: bytes < SMALL_BUDGET_BYTES ? Math.floor((megabytes * 3) / 8) : undefined,
    pools: {
      styles: createPoolLimits(styleWorkers, computeManyThreads(styleWorkers), 1 / 4),
      data: createPoolLimits(
        dataWorkers,
        Math.max(2, Math.min(2 * workers, computeThreads(dataWorkers, DATA_THREAD_MEGABYTES))),
      ),
      unpack: createPoolLimits(unpackWorkers, computeFewThreads(unpackWorkers)),
      filters: createPoolLimits(filterWorkers, computeManyThreads(filterWorkers)),
      granules: createPoolLimits(granuleWorkers, computeFewThreads(granuleWorkers)),
      harvest: createPoolLimits(harvestWorkers, 1),
      encode: createPoolLimits(encodeWorkers, computeManyThreads(encodeWorkers)),
      maps: createPoolLimits(mapWorkers, mapThreads),
    },
    mapsUnderWay: { ...limits.mapsUnderWay, places: 2 * mapThreads, extraPlaces: 2 * mapThreads },
    joins: { ...limits.joins, places: Math.max(1, Math.min(MAX_JOINS, Math.floor(megabytes / JOIN_MEGABYTES))) },
    joinBytes: Math.min(limits.joinBytes, Math.floor(bytes / 16)),
    tileMemoryBytes: Math.min(limits.tileMemoryBytes, Math.floor(bytes / 32)),
    remoteBytes: Math.min(limits.remoteBytes, Math.floor(bytes / 32)),
    encodings: Math.min(limits.encodings.encodings, Math.floor(megabytes / 16)),
  };
}

function tightenLimits({ idleMs, maxYoungMegabytes = TIGHT_YOUNG_MEGABYTES }: WorkerLimits) {
  return {
    idleMs: Math.min(idleMs, TIGHT_IDLE_MS),
    maxYoungMegabytes: Math.min(maxYoungMegabytes, TIGHT_YOUNG_MEGABYTES),
  };
}

/**
 * Settings of the C library. By default each thread gets its own arena, which rarely returns memory, and after the first
 * large image is freed, later ones are cut from an arena too and fragment it. Above the threshold, a block is mapped
 * separately and returned when it is freed. The peak of twelve clients with large maps and exports fell by 40 %.
 */
const smallAllocator: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
};

/** Options that take effect only when the process starts. */
export interface Launch {
  readonly nodeOptions: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns the options that the process must be restarted with for a budget, or undefined if none is missing. Options
 * that the operator has set are kept.
 */
export function findNeededLaunch(
  { heapMegabytes }: Pick<MemoryBudget, 'heapMegabytes'>,
  { nodeOptions, environment }: Launch,
): Launch | undefined {
  if (heapMegabytes === undefined) return undefined;
  const named = [...nodeOptions, environment['NODE_OPTIONS'] ?? ''].join(' ');
  const isHeapSet = /--max[-_]old[-_]space[-_]size/.test(named);
  if (isHeapSet && Object.keys(smallAllocator).every((name) => environment[name] !== undefined)) return undefined;
  return {
    nodeOptions: isHeapSet ? nodeOptions : [...nodeOptions, `--max-old-space-size=${heapMegabytes}`],
    environment: { ...smallAllocator, ...environment },
  };
}
