/** Decides which rows match a filter: immediately if that is fast, otherwise in threads. */
import { randomUUID } from 'node:crypto';
import { serialize } from 'node:v8';
import type { Geometry } from '../../geometry/geometry.ts';
import { countPositions } from '../../geometry/simple-parts.ts';
import { areShort, type PlacingInput, placeArea, placingArea } from '../../geometry/written-area.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Constant, Filter } from '../model/filter.ts';
import { hasIdFilter, listFilterAttributes, listFilterGeometries } from '../model/list-attributes.ts';
import type { ResolvedFilter } from '../model/resolved-filter.ts';
import { compilePredicate, type Predicate, type RowAccess } from '../predicate/predicate.ts';
import { readFilterFor, type WrittenFilter } from '../read-filter.ts';
import { type ResolveOutcome, resolveFilter } from '../resolve/resolve.ts';
import { type ClipOutput, clipGeometries, clippingGeometries } from './clip-geometries.ts';
import { collectGeometries, collectingGeometries } from './collect-geometries.ts';
import { createCpuLimit, createTooSlowProblem, MAX_FILTER_CPU_MS } from './cpu-limit.ts';
import { estimateFilterCost, estimateValueCost, type FilterCost } from './filter-cost.ts';
import { matchingRows } from './match-rows.ts';
import { listBuffers, type PackedNames, packRows } from './packed-rows.ts';
import { type FilterTarget, isLargeText, isLargeTree, readingFilter, resolvingFilter } from './read-large-filter.ts';
import { uniteAreas, unitingAreas } from './unite-areas.ts';

/**
 * Returns the matching rows in order. It returns a promise only if a thread is used, so that several calls can run
 * concurrently.
 */
export type MatchRows<Row> = (rows: readonly Row[]) => readonly Row[] | Promise<readonly Row[]>;

/** Evaluates filters. */
export interface FilterRunner {
  /** Reads and resolves a filter like `readFilterFor`. */
  read(written: WrittenFilter, target: FilterTarget, signal: AbortSignal): Promise<ResolvedFilter>;
  /** Resolves a parsed filter. The invalid part of a large filter is not reported. */
  resolve(filter: Filter | Constant, target: FilterTarget, signal: AbortSignal): Promise<ResolveOutcome>;
  /**
   * Starts one query, which ends with the signal. All its rows share a limit of CPU time, beyond which it fails with
   * `filter-too-slow`.
   */
  start<Row>(filter: ResolvedFilter, access: RowAccess<Row>, signal: AbortSignal): Promise<MatchRows<Row>>;
  /** Clips geometries to a polygon. */
  clip(geometries: readonly Geometry[], area: Geometry, signal: AbortSignal): Promise<ClipOutput>;
  /** Joins geometries to one. */
  collect(geometries: readonly Geometry[], signal: AbortSignal): Promise<Geometry>;
  /** Unites polygons; null if that is not possible. */
  unite(areas: readonly Geometry[], signal: AbortSignal): Promise<Geometry | null>;
  /** Transforms an area; null if it has no place in the other CRS. */
  placeArea(input: PlacingInput, signal: AbortSignal): Promise<Geometry | null>;
}

/** The maximum work between two turns of the event loop. */
const AT_ONCE_NS = 1_000_000;

/** Positions of geometries and polygons that are clipped or joined in some milliseconds. */
const MAX_CLIPPED_AT_ONCE = 1_000;

/** A thread that is silent for so long is stuck in a single row or does not run. */
const ANSWER_WITHIN_MS = 3 * MAX_FILTER_CPU_MS;

/** Evaluates on this thread, which must be a worker that may block and that is stopped on abort. */
export const inlineFilterRunner: FilterRunner = {
  read: (written, { schema, unnamed }) => readFilterFor(written, schema, unnamed),
  resolve: (filter, { schema, unnamed }) => resolveFilter(filter, schema, unnamed),
  clip: (geometries, area) => clipGeometries({ geometries, area }),
  collect: (geometries) => collectGeometries(geometries),
  unite: (areas) => uniteAreas(areas),
  placeArea: (input) => placeArea(input),
  async start(filter, access, signal) {
    const matches = await compilePredicate(filter, access);
    let leftMs = MAX_FILTER_CPU_MS;
    return (rows) => {
      signal.throwIfAborted();
      const limit = createCpuLimit(leftMs);
      const found = rows.filter((row, index) => {
        limit.check(index);
        return matches(row);
      });
      leftMs -= limit.getUsedMs();
      return found;
    };
  },
};

/** For the main thread. Any thread can process a batch; threads cache the filters of recent queries. */
export function createFilterRunner(pool: WorkerPool): FilterRunner {
  return {
    read: (written, target, signal) =>
      isLargeText(written)
        ? withTooSlowProblem(pool.run(readingFilter, { written, ...target }, { signal, deadlineMs: ANSWER_WITHIN_MS }))
        : inlineFilterRunner.read(written, target, signal),
    resolve: (filter, target, signal) =>
      isLargeTree(filter)
        ? withTooSlowProblem(pool.run(resolvingFilter, { filter, ...target }, { signal, deadlineMs: ANSWER_WITHIN_MS }))
        : inlineFilterRunner.resolve(filter, target, signal),
    clip: (geometries, area, signal) => {
      const positions = geometries.reduce((sum, each) => sum + countPositions(each) + countPositions(area), 0);
      return positions <= MAX_CLIPPED_AT_ONCE
        ? clipGeometries({ geometries, area })
        : withTooSlowProblem(
            pool.run(clippingGeometries, { geometries, area }, { signal, deadlineMs: ANSWER_WITHIN_MS }),
          );
    },
    collect: (geometries, signal) =>
      geometries.reduce((sum, each) => sum + countPositions(each), 0) <= MAX_CLIPPED_AT_ONCE
        ? collectGeometries(geometries)
        : withTooSlowProblem(pool.run(collectingGeometries, geometries, { signal, deadlineMs: ANSWER_WITHIN_MS })),
    unite: (areas, signal) =>
      areas.reduce((sum, each) => sum + countPositions(each), 0) <= MAX_CLIPPED_AT_ONCE
        ? uniteAreas(areas)
        : withTooSlowProblem(pool.run(unitingAreas, areas, { signal, deadlineMs: ANSWER_WITHIN_MS })),
    placeArea: (input, signal) =>
      areShort([input.area])
        ? placeArea(input)
        : withTooSlowProblem(pool.run(placingArea, input, { signal, deadlineMs: ANSWER_WITHIN_MS })),
    async start<Row>(filter: ResolvedFilter, access: RowAccess<Row>, signal: AbortSignal): Promise<MatchRows<Row>> {
      const names = listPackedNames(filter);
      const price = estimateFilterCost(filter);
      const inThread = createThreadMatcher(pool, { reading: randomUUID(), filter, names, access, signal });
      if (price.isLarge) return inThread;
      const matches: Predicate<Row> = await compilePredicate(filter, access);
      return (rows) => {
        signal.throwIfAborted();
        return isQuick(rows, price, names, access) ? rows.filter(matches) : inThread(rows);
      };
    },
  };
}

function listPackedNames(filter: ResolvedFilter): PackedNames {
  const geometries = new Set(listFilterGeometries(filter));
  const values = new Set(listFilterAttributes(filter).filter((name) => !geometries.has(name)));
  return { values: [...values], geometries: [...geometries], hasIdentifiers: hasIdFilter(filter) };
}

function isQuick<Row>(
  rows: readonly Row[],
  price: FilterCost,
  { values, geometries }: PackedNames,
  access: RowAccess<Row>,
): boolean {
  let left = AT_ONCE_NS - rows.length * price.nanosecondsPerRow;
  const looked = [
    ...(price.nanosecondsPerCharacter === 0 ? [] : values),
    ...(price.nanosecondsPerPosition === 0 ? [] : geometries),
  ];
  for (const name of looked) {
    for (const row of rows) left -= estimateValueCost(price, access.value(row, name));
    if (left < 0) return false;
  }
  return left >= 0;
}

interface MatchingOptions<Row> {
  readonly reading: string;
  readonly filter: ResolvedFilter;
  readonly names: PackedNames;
  readonly access: RowAccess<Row>;
  readonly signal: AbortSignal;
}

function createThreadMatcher<Row>(pool: WorkerPool, { filter, reading, names, access, signal }: MatchingOptions<Row>) {
  let shared: SharedArrayBuffer | undefined;
  let cpuLeftMs = MAX_FILTER_CPU_MS;
  return async (rows: readonly Row[]): Promise<readonly Row[]> => {
    signal.throwIfAborted();
    if (cpuLeftMs <= 0) throw createTooSlowProblem();
    shared ??= toSharedBuffer(serialize(filter));
    const packed = packRows(rows, names, access);
    const input = { reading, filter: shared, names, rows: packed, cpuLeftMs };
    const transfer = listBuffers(packed);
    const { matches, cpuMs } = await withTooSlowProblem(
      pool.run(matchingRows, input, { signal, deadlineMs: ANSWER_WITHIN_MS, transfer }),
    );
    cpuLeftMs -= cpuMs;
    return rows.filter((_, row) => matches[row] === 1);
  };
}

/** A thread that is stopped at its deadline was evaluating the filter. */
async function withTooSlowProblem<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Problem && error.code === 'work-too-slow' ? createTooSlowProblem() : error;
  }
}

function toSharedBuffer(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}
