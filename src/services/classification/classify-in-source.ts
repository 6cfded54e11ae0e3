/** Classifies numbers by statistics of their source, without reading them; natural breaks read a bounded sample. */
import {
  type ClassificationMethod,
  type ClassRange,
  createOpenRanges,
  createRanges,
  type ValueClass,
} from '../../styling/classification/classes.ts';
import {
  computeDeviationBreaks,
  computeEqualBreaks,
  computeNaturalRanks,
  computeQuantileRanks,
} from '../../styling/classification/classify-numbers.ts';
import type { StyleProcessor } from '../../styling/style-processor.ts';
import type { Moments } from '../../vector/port/value-statistics.ts';
import type { Nearness, SourceStatistics } from './source-statistics.ts';

export interface RangeClassification {
  readonly method: ClassificationMethod;
  readonly intervals: number;
  readonly isOpen: boolean;
  /** Only values within this many standard deviations of the mean count; all if omitted. */
  readonly deviations?: number | undefined;
  /** Whether the shares of the classes are requested. */
  readonly hasShares: boolean;
}

/** Returns undefined if the source does not compute the statistics. */
export async function classifyInSource(
  statistics: SourceStatistics,
  classification: RangeClassification,
  worker: Pick<StyleProcessor, 'classify'>,
  signal: AbortSignal,
): Promise<readonly ValueClass[] | undefined> {
  const all = await statistics.computeMoments(undefined);
  if (all === undefined) return undefined;
  const { deviations } = classification;
  const near = deviations === undefined ? undefined : { mean: all.mean, distance: deviations * all.deviation };
  const moments = near === undefined ? all : await statistics.computeMoments(near);
  if (moments === undefined || moments.count === 0) return moments && [];
  const numbers = { statistics, moments, near };
  const ranges = await findRanges(numbers, classification, (sample) =>
    worker.classify({ ...classification, deviations: undefined, maxSingleValues: 0, data: sample }, signal),
  );
  return ranges === undefined || !classification.hasShares ? ranges : addShares(numbers, ranges);
}

interface SourceNumbers {
  readonly statistics: SourceStatistics;
  readonly moments: Moments;
  readonly near: Nearness;
}

type ClassifySample = (
  data: Parameters<StyleProcessor['classify']>[0]['data'],
) => ReturnType<StyleProcessor['classify']>;

async function findRanges(
  { statistics, moments, near }: SourceNumbers,
  { method, intervals, isOpen }: RangeClassification,
  classifySample: ClassifySample,
): Promise<readonly ClassRange[] | undefined> {
  const { count, minimum, maximum } = moments;
  if (method === 'standardDeviation') return createOpenRanges(computeDeviationBreaks(moments, intervals));
  if (minimum === maximum) return createRanges([minimum], isOpen);
  if (method === 'quantile') {
    const ends = await statistics.readRanks(computeQuantileRanks(count, intervals).slice(0, -1), near);
    return ends && createRanges([minimum, ...ends, maximum], isOpen);
  }
  if (method !== 'jenks') return createRanges(computeEqualBreaks(minimum, maximum, intervals), isOpen);
  const sample = await statistics.readRanks(computeNaturalRanks(count), near);
  if (sample === undefined) return undefined;
  const result = await classifySample({ values: Float64Array.from(sample), extremes: [minimum, maximum] });
  return 'classes' in result ? result.classes.filter((each) => each.kind === 'range') : undefined;
}

async function addShares(
  { statistics, moments: { count }, near }: SourceNumbers,
  ranges: readonly ClassRange[],
): Promise<readonly ClassRange[] | undefined> {
  // All but the last have an upper end, and all of these are included or excluded alike.
  const limits = ranges.slice(0, -1).map(({ max = Number.MAX_VALUE }) => max);
  const totals = await statistics.computeTotals(limits, ranges[0]?.includesMax ?? true, near);
  if (totals === undefined) return undefined;
  return ranges.map((range, index) => ({
    ...range,
    share: ((totals[index] ?? count) - (totals[index - 1] ?? 0)) / count,
  }));
}
