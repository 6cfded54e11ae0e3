/**
 * Searches batches of features by the rules and symbols of a style: at once if that is quick, otherwise in a worker.
 * Clients control both the style and the data, and one function of a style can take half a second for one feature.
 */
import { randomUUID } from 'node:crypto';
import { hasInnerPart } from '../../filter/model/inner-parts.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Symbolizer } from '../../styling/model/model.ts';
import { type FeatureBatch, releaseBatch, SHAPE_FIELDS } from '../../vector/port/packed-features.ts';
import type { Task } from '../../workers/task.ts';
import type { RunTransformation } from '../layers/transformed-layers.ts';
import { findGeometryUses, loadStyleFunctions } from '../rules/bind-style.ts';
import { type ChunkedLayer, joinLayer, type StyledLayer, splitLayer } from '../rules/chunked-style.ts';
import { type CompiledGroup, compileGroup } from '../rules/rule-choice.ts';
import { compileSpatialTests, type SpatialConditions } from '../rules/spatial-conditions.ts';
import { listPlanRules } from '../rules/style-plan.ts';

/** Other work continues between features; the signal ends the search then. */
export type SearchBatch<R> = (batch: FeatureBatch, signal?: AbortSignal) => Promise<R>;

/** A search that runs in this thread or in a worker, with the same result. */
export interface BatchSearch<Q extends StyledLayer, R> {
  readonly open: (query: Q) => Promise<SearchBatch<R>>;
  readonly task: Task<SentBatch<Q>, R>;
}

export interface SentBatch<Q extends StyledLayer> {
  /** Identifies the query, for which the compiled style is cached. */
  readonly id: string;
  readonly query: Q | ChunkedLayer<Q>;
  readonly batch: FeatureBatch;
}

/** Runs a search in a worker. May transfer the batch. */
export type RunSearch = <Q extends StyledLayer, R>(
  task: BatchSearch<Q, R>['task'],
  input: SentBatch<Q>,
  signal: AbortSignal,
) => Promise<R>;

/** The threads for the costly parts of queries; this thread by default. */
export interface QueryThreads {
  readonly transform?: RunTransformation;
  readonly search?: RunSearch;
}

export interface SearchOptions {
  readonly signal: AbortSignal;
  /** This thread by default. */
  readonly runInThread: RunSearch | undefined;
  /** The work for each feature in addition to its style, as a number of positions that one symbol visits. */
  readonly extraWork?: number;
}

/** The function may transfer its batch. */
export function startBatchSearch<Q extends StyledLayer, R>(
  search: BatchSearch<Q, R>,
  query: Q,
  { signal, runInThread, extraWork = 0 }: SearchOptions,
): (batch: FeatureBatch) => Promise<R> {
  const id = randomUUID();
  const parts = countStyleParts(query);
  let opened: Promise<SearchBatch<R>> | undefined;
  let sent: Promise<Q | ChunkedLayer<Q>> | undefined;
  return async (batch) => {
    if (runInThread === undefined || extraWork + parts * measureLargestFeature(batch) <= MAX_WORK_AT_ONCE) {
      opened ??= search.open(query);
      return (await opened)(batch, signal);
    }
    sent ??= splitLayer(query);
    return runInThread(search.task, { id, query: await sent, batch }, signal);
  };
}

/** The number of queries whose compiled style a thread caches, for interleaved queries. */
const MAX_CACHED = 2;

/** Returns the function of the task of a search. */
export function createSearchWork<Q extends StyledLayer, R>(
  open: BatchSearch<Q, R>['open'],
): (input: SentBatch<Q>) => Promise<R> {
  const cached: { readonly id: string; readonly search: SearchBatch<R> }[] = [];
  return async ({ id, query, batch }) => {
    let found = cached.find((each) => each.id === id);
    if (found === undefined) {
      found = { id, search: await open(await joinLayer(query)) };
      cached.unshift(found);
      cached.length = Math.min(cached.length, MAX_CACHED);
    }
    const result = await found.search(batch);
    releaseBatch(batch);
    return result;
  };
}

/** The work for one feature: the parts of the style times its positions and characters. It takes some milliseconds. */
const MAX_WORK_AT_ONCE = 200_000;

/** Compiling more parts takes too long. */
const MAX_PARTS_AT_ONCE = 2_000;

/** Returns infinity for large styles, and for those with spatial relations or functions of the geometry library. */
function countStyleParts({ plan, spatialConditions }: StyledLayer): number {
  if (spatialConditions.size > 0) return Number.POSITIVE_INFINITY;
  let count = 0;
  const isLarge = (part: object): boolean => {
    count += 1;
    if (count > MAX_PARTS_AT_ONCE) return true;
    return !('kind' in part && part.kind === 'geometry') && hasInnerPart(part, isLarge);
  };
  if (isLarge(plan.groups)) return Number.POSITIVE_INFINITY;
  return listPlanRules(plan).some((rule) => findGeometryUses(rule).has('library')) ? Number.POSITIVE_INFINITY : count;
}

/** Returns the number of positions and characters; at least 1. */
function measureLargestFeature({ shapes, ends, columns }: FeatureBatch): number {
  let largest = 0;
  let positions = 0;
  for (let at = 0; at < shapes.length; at += SHAPE_FIELDS) {
    if (at > 0 && shapes[at] !== shapes[at - SHAPE_FIELDS]) positions = 0;
    const [first = 0, last = 0] = [shapes[at + 3], shapes[at + 4]];
    positions += (ends[last - 1] ?? 0) - (first === 0 ? 0 : (ends[first - 1] ?? 0));
    largest = Math.max(largest, positions);
  }
  for (const column of columns) {
    if (column instanceof Float64Array) continue;
    let characters = 0;
    for (const value of column) if (typeof value === 'string') characters = Math.max(characters, value.length);
    largest += characters;
  }
  return Math.max(1, largest);
}

/** Compiles the rules of a style, and loads the functions that they call. */
export async function compileGroups<P extends object>(
  plan: StyledLayer['plan'],
  spatialConditions: SpatialConditions,
  compile: (symbolizer: Symbolizer) => P | undefined,
): Promise<readonly CompiledGroup<P>[]> {
  await loadStyleFunctions(listPlanRules(plan));
  const tests = await compileSpatialTests(spatialConditions);
  const groups: CompiledGroup<P>[] = [];
  for (const group of plan.groups) groups.push(await compileGroup(group, tests, compile));
  return groups;
}

/** The shapes of a feature in a batch, from the first up to the last. */
export interface ShapeRange {
  readonly first: number;
  readonly last: number;
}

/** Visits the features that have a shape, until a visit returns true. */
export async function visitFeatures(
  { shapes }: FeatureBatch,
  visit: (feature: number, range: ShapeRange) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  const count = shapes.length / SHAPE_FIELDS;
  for (let first = 0, last = 0; first < count; first = last) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    signal?.throwIfAborted();
    const feature = shapes[first * SHAPE_FIELDS] ?? 0;
    for (last = first + 1; last < count && shapes[last * SHAPE_FIELDS] === feature; ) last += 1;
    if (visit(feature, { first, last })) return;
  }
}
