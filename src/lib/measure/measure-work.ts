/**
 * Measures the stages of requests: queries, drawing, encoding, commits and outgoing requests. The durations are those of
 * the process, like its memory, so that no object has to be passed through all layers.
 */
import { Histogram } from './histogram.ts';
import { getTracer, type Span } from './tracer.ts';

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
  const span = startStageSpan(measured);
  let isFailed = true;
  try {
    const result = await (span === undefined ? work() : span.run(work));
    isFailed = false;
    return result;
  } finally {
    recordDuration(measured, performance.now() - startedAtMs);
    span?.end({ isFailed });
  }
}

/** Measures how long the consumer waits for items; the time in which it uses them does not count. */
export async function* measureItems<T>(measured: MeasuredWork, items: AsyncIterable<T>): AsyncGenerator<T> {
  let waitedMs = 0;
  let askedAtMs = performance.now();
  const span = startStageSpan(measured);
  try {
    for await (const item of items) {
      waitedMs += performance.now() - askedAtMs;
      yield item;
      askedAtMs = performance.now();
    }
    waitedMs += performance.now() - askedAtMs;
  } finally {
    recordDuration(measured, waitedMs);
    span?.end({ attributes: { 'graticule.waited_ms': Math.round(waitedMs) } });
  }
}

function startStageSpan({ stage, kind }: MeasuredWork): Span | undefined {
  const attributes = kind === undefined ? {} : { 'graticule.kind': kind };
  return getTracer()?.startSpan(stage, stage === 'outgoing request' ? 'client' : 'internal', attributes);
}

function recordDuration({ stage, kind = '' }: MeasuredWork, milliseconds: number): void {
  const byKind = durations.get(stage) ?? new Map<string, Histogram>();
  durations.set(stage, byKind);
  const histogram = byKind.get(kind) ?? new Histogram();
  byKind.set(kind, histogram);
  histogram.record(milliseconds / 1_000);
}
