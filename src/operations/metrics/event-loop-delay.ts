/** Measures the delay of the event loop, which affects every request. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

/** Interval of the observed timers; the interval itself is not counted as delay. */
const RESOLUTION_MS = 20;

/** A reader with an interval of one minute misses no peak. */
const WINDOW_MS = 60_000;

const NANOSECONDS = 1e9;

interface Delay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const noDelay: Delay = { p50: 0, p99: 0, max: 0 };

export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #before: Delay = noDelay;
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#histogram.enable();
    this.#timer ??= setInterval(() => this.#nextWindow(), WINDOW_MS).unref();
  }

  stop(): void {
    this.#histogram.disable();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The maximum of the current minute and the previous one. */
  collect(): readonly MetricFamily[] {
    const now = this.#readWindow();
    const worst = (statistic: keyof Delay) => ({
      labels: { statistic },
      value: Math.max(now[statistic], this.#before[statistic]),
    });
    return [{ metric: metrics.eventLoopDelay, samples: [worst('p50'), worst('p99'), worst('max')] }];
  }

  #nextWindow(): void {
    this.#before = this.#readWindow();
    this.#histogram.reset();
  }

  #readWindow(): Delay {
    if (this.#histogram.count === 0) {
      return noDelay;
    }
    const delay = (nanoseconds: number) => Math.max(nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000, 0);
    return {
      p50: delay(this.#histogram.percentile(50)),
      p99: delay(this.#histogram.percentile(99)),
      max: delay(this.#histogram.max),
    };
  }
}
