/** Counts durations in buckets, as Prometheus expects them. */

/** From half a millisecond (a read from memory) to a minute (an upload). */
export const bucketsSeconds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60,
] as const;

export class Histogram {
  /** Not cumulative; the last entry counts values beyond the last bucket. */
  readonly counts: number[] = new Array<number>(bucketsSeconds.length + 1).fill(0);
  sumSeconds = 0;

  record(seconds: number): void {
    this.sumSeconds += seconds;
    let bucket = 0;
    while (bucket < bucketsSeconds.length && seconds > (bucketsSeconds[bucket] ?? 0)) {
      bucket += 1;
    }
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }
}
