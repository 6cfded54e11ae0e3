/** Samples of the load: the system status and, where they are reachable, the metrics for Prometheus. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { callRest, callService } from '../../../rest/client.ts';

const INTERVAL_MS = 5_000;
/** Five minutes. */
const KEPT_SAMPLES = 60;

interface StatusDocument {
  readonly metrics: {
    readonly metric: readonly {
      readonly available: boolean;
      readonly name: string;
      readonly identifier: string;
      readonly value: number | string;
    }[];
  };
}

export interface Sample {
  /** By name; of several disks or processors, the first. */
  readonly system: ReadonlyMap<string, number | string>;
  /** By name with labels; undefined if they are not reachable. */
  readonly metrics: ReadonlyMap<string, number> | undefined;
  /** Since the last sample. */
  readonly requestsPerSecond: number | undefined;
  readonly errorsPerSecond: number | undefined;
  readonly atMs: number;
}

export interface Samples {
  readonly list: readonly Sample[];
  readonly error: unknown;
}

export function useSamples(): Samples {
  const samples = useSignal<readonly Sample[]>([]);
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async () => {
      try {
        const sample = await readSample(samples.peek().at(-1), stop.signal);
        samples.value = [...samples.peek(), sample].slice(-KEPT_SAMPLES);
        error.value = undefined;
      } catch (reason) {
        if (!stop.signal.aborted) error.value = reason;
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void run(), INTERVAL_MS);
    };
    void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return { list: samples.value, error: error.value };
}

async function readSample(last: Sample | undefined, signal: AbortSignal): Promise<Sample> {
  const [status, metrics] = await Promise.all([
    callRest<StatusDocument>('/about/system-status', { signal }),
    readMetrics(signal),
  ]);
  const system = new Map<string, number | string>();
  for (const { available, name, value } of status.body.metrics.metric) {
    if (available && !system.has(name)) system.set(name, value);
  }
  const atMs = Date.now();
  const rate = (pattern: RegExp) => {
    if (metrics === undefined || last?.metrics === undefined) return undefined;
    const difference = sumMetrics(metrics, pattern) - sumMetrics(last.metrics, pattern);
    // A restarted server begins at 0.
    return Math.max(0, difference) / Math.max(1, (atMs - last.atMs) / 1_000);
  };
  return {
    system,
    metrics,
    atMs,
    requestsPerSecond: rate(/^graticule_requests_total\{/),
    errorsPerSecond: rate(/^graticule_requests_total\{.*status="5\d\d"/),
  };
}

/** Undefined if the address is not reachable, for example behind a proxy. */
async function readMetrics(signal: AbortSignal): Promise<ReadonlyMap<string, number> | undefined> {
  try {
    const reply = await callService('/metrics', { accept: 'text/plain', signal });
    return parseMetrics(await reply.text());
  } catch {
    return undefined;
  }
}

/** The text format of Prometheus, one value in each line. */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^([a-z_]\w*(?:\{.*\})?) (\S+)/i.exec(line);
    if (match !== null) found.set(match[1] ?? '', Number(match[2]));
  }
  return found;
}

export function sumMetrics(metrics: ReadonlyMap<string, number>, pattern: RegExp): number {
  let sum = 0;
  for (const [name, value] of metrics) if (pattern.test(name)) sum += value;
  return sum;
}
