/**
 * Measures the stages of requests: queries, drawing, encoding, commits and outgoing requests. The durations are those of
 * the process, like its memory, so that no object has to be passed through all layers.
 */
import { Histogram } from './histogram.ts';

export type Stage = 'query' | 'render' | 'encode' | 'commit' | 'outgoing request';

/** Work to measure. */
export interface MeasuredWork {
  readonly stage: Stage;
  /** The driver of a query, or the format of an encoding. Names of the code only, because a label is never released. */
  readonly kind?: string;
}

const durations = new Map<Stage, Map<string, Histogram>>();

/** Returns the durations of a stage by kind; the kind is empty for stages without kinds. */
export function readDurations(stage: Stage): ReadonlyMap<string, Histogram> {
  return durations.get(stage) ?? new Map();
}

/** Measures failures too. */
export async function measureWork<T>(measured: MeasuredWork, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  try {
    return await work();
  } finally {
    recordDuration(measured, performance.now() - startedAtMs);
  }
}

/** Measures how long the consumer waits for items; the time in which it uses them does not count. */
export async function* measureItems<T>(measured: MeasuredWork, items: AsyncIterable<T>): AsyncGenerator<T> {
  let waitedMs = 0;
  let askedAtMs = performance.now();
  try {
    for await (const item of items) {
      waitedMs += performance.now() - askedAtMs;
      yield item;
      askedAtMs = performance.now();
    }
    waitedMs += performance.now() - askedAtMs;
  } finally {
    recordDuration(measured, waitedMs);
  }
}

function recordDuration({ stage, kind = '' }: MeasuredWork, milliseconds: number): void {
  const byKind = durations.get(stage) ?? new Map<string, Histogram>();
  durations.set(stage, byKind);
  const histogram = byKind.get(kind) ?? new Histogram();
  byKind.set(kind, histogram);
  histogram.record(milliseconds / 1_000);
}
