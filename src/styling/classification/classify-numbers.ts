/** Computes the classes of numbers. The work is proportional to the number of values, so it runs in a thread. */
import type { Task } from '../../workers/task.ts';
import { type ClassificationMethod, createOpenRanges, createRanges, isInRange, type ValueClass } from './classes.ts';
import { computeNaturalBreaks } from './natural-breaks.ts';

export interface NumberClassification {
  readonly method: ClassificationMethod;
  readonly intervals: number;
  readonly isOpen: boolean;
  /** Only values within this many standard deviations of the mean count; all if omitted. */
  readonly deviations?: number | undefined;
  /** The number of classes of single values; more are an error. */
  readonly maxSingleValues: number;
  readonly data: ClassifiedNumbers;
}

export interface ClassifiedNumbers {
  /** All values, or a sample of them. */
  readonly values: ArrayLike<number | bigint>;
  /** 0 for values without data; all have data if omitted. */
  readonly mask?: Uint8Array | undefined;
  /** The areas of the values, for equal areas; 1 by default. */
  readonly weights?: Float64Array | undefined;
  /** The extremes of all values, if `values` is a sample. */
  readonly extremes?: readonly [minimum: number, maximum: number] | undefined;
}

/** Classes, or the number of different values if there are more than the limit. */
export type NumberClasses = { readonly classes: readonly ValueClass[] } | { readonly tooManyValues: number };

export const classifyNumbersTask: Task<NumberClassification, NumberClasses> = {
  module: import.meta.url,
  name: 'classifyNumbers',
  work: classifyNumbers,
};

/** The number of values for natural breaks, whose cost grows faster than that of the other methods. */
const MAX_NATURAL_VALUES = 10_000;

export function classifyNumbers(request: NumberClassification): NumberClasses {
  const all = sortValues(request.data);
  const used = request.deviations === undefined ? all : limitToDeviations(all, request.deviations);
  if (used.values.length === 0) return { classes: [] };
  if (request.method === 'uniqueInterval') return countSingleValues(used.values, request.maxSingleValues);
  const ranges =
    request.method === 'standardDeviation'
      ? createOpenRanges(computeDeviationBreaks(computeMoments(used.values), request.intervals))
      : createRanges(computeBreaks(used, request), request.isOpen);
  const counts = ranges.map(() => 0);
  let current = 0;
  for (const value of used.values) {
    // Values are sorted, so the class only moves up.
    for (let range = ranges[current]; range !== undefined && !isInRange(range, value); range = ranges[current])
      current += 1;
    counts[current] = (counts[current] ?? 0) + 1;
  }
  return {
    classes: ranges.map((range, index) => ({ ...range, share: (counts[index] ?? 0) / used.values.length })),
  };
}

interface SortedValues {
  readonly values: Float64Array;
  /** In the order of the values. */
  readonly weights?: Float64Array | undefined;
  readonly minimum: number;
  readonly maximum: number;
}

function sortValues({ values, mask, weights, extremes }: ClassifiedNumbers): SortedValues {
  const kept = new Float64Array(values.length);
  const keptWeights = weights === undefined ? undefined : new Float64Array(values.length);
  let count = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = Number(values[index]);
    if (mask?.[index] === 0 || !Number.isFinite(value)) continue;
    kept[count] = value;
    if (keptWeights !== undefined) keptWeights[count] = weights?.[index] ?? 0;
    count += 1;
  }
  const used = kept.subarray(0, count);
  if (keptWeights === undefined) return toSortedValues(used.sort(), undefined, extremes);
  const order = [...used.keys()].sort((one, other) => (used[one] ?? 0) - (used[other] ?? 0));
  return toSortedValues(
    Float64Array.from(order, (index) => used[index] ?? 0),
    Float64Array.from(order, (index) => keptWeights[index] ?? 0),
    extremes,
  );
}

function toSortedValues(
  values: Float64Array,
  weights: Float64Array | undefined,
  extremes: ClassifiedNumbers['extremes'],
): SortedValues {
  const [minimum, maximum] = extremes ?? [values[0] ?? 0, values.at(-1) ?? 0];
  return { values, weights, minimum, maximum };
}

function limitToDeviations({ values, weights }: SortedValues, deviations: number): SortedValues {
  const { mean, deviation } = computeMoments(values);
  const isNear = (value: number) => Math.abs(value - mean) <= deviations * deviation;
  const first = values.findIndex(isNear);
  const last = values.findLastIndex(isNear);
  if (first < 0) return toSortedValues(new Float64Array(0), undefined, undefined);
  return toSortedValues(values.subarray(first, last + 1), weights?.subarray(first, last + 1), undefined);
}

interface Moments {
  readonly mean: number;
  readonly deviation: number;
}

function computeMoments(values: Float64Array): Moments {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** An even number of classes has a break at the mean; an odd number has a class around it. */
export function computeDeviationBreaks({ mean, deviation }: Moments, intervals: number): readonly number[] {
  return Array.from({ length: intervals - 1 }, (_, index) => mean + (index - (intervals - 2) / 2) * deviation);
}

function computeBreaks(sorted: SortedValues, { method, intervals }: NumberClassification): readonly number[] {
  const { values, minimum, maximum } = sorted;
  if (minimum === maximum) return [minimum];
  switch (method) {
    case 'quantile':
      return [minimum, ...computeQuantiles(values, undefined, intervals).slice(0, -1), maximum];
    case 'equalArea':
      return [minimum, ...computeQuantiles(values, sorted.weights, intervals).slice(0, -1), maximum];
    case 'jenks':
      return [minimum, ...computeNaturalBreaks(takeNaturalValues(values), intervals).slice(0, -1), maximum];
    default:
      return computeEqualBreaks(minimum, maximum, intervals);
  }
}

export function computeEqualBreaks(minimum: number, maximum: number, intervals: number): readonly number[] {
  const step = (maximum - minimum) / intervals;
  const inner = Array.from({ length: intervals - 1 }, (_, index) => minimum + (index + 1) * step);
  return [minimum, ...inner, maximum];
}

/** Returns the position of the last value of each class in ascending order, from 1. */
export function computeQuantileRanks(count: number, intervals: number): readonly number[] {
  return Array.from({ length: intervals }, (_, index) => Math.ceil(((index + 1) * count) / intervals));
}

/** Returns the positions of the values from which natural breaks are computed, from 1. */
export function computeNaturalRanks(count: number): readonly number[] {
  const length = Math.min(count, MAX_NATURAL_VALUES);
  const step = length < 2 ? 0 : (count - 1) / (length - 1);
  return Array.from({ length }, (_, index) => Math.round(index * step) + 1);
}

/** Returns the value at which each part of the total weight ends. */
function computeQuantiles(
  values: Float64Array,
  weights: Float64Array | undefined,
  intervals: number,
): readonly number[] {
  if (weights === undefined || weights.every((weight) => weight === 0)) {
    return computeQuantileRanks(values.length, intervals).map((rank) => values[rank - 1] ?? 0);
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const ends: number[] = [];
  let sum = 0;
  values.forEach((value, index) => {
    sum += weights[index] ?? 0;
    while (ends.length < intervals && sum >= (total * (ends.length + 1)) / intervals) ends.push(value);
  });
  while (ends.length < intervals) ends.push(values.at(-1) ?? 0);
  return ends;
}

function takeNaturalValues(values: Float64Array): Float64Array {
  return Float64Array.from(computeNaturalRanks(values.length), (rank) => values[rank - 1] ?? 0);
}

function countSingleValues(sorted: Float64Array, maxSingleValues: number): NumberClasses {
  const counts = new Map<number, number>();
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size > maxSingleValues) return { tooManyValues: counts.size };
  return {
    classes: [...counts].map(([value, count]) => ({ kind: 'value', value, share: count / sorted.length })),
  };
}
