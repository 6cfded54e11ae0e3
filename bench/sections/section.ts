/** A part of the bench that can be run separately. */
import type { Report } from '../report.ts';

export interface Bench {
  readonly report: Report;
  /** A new, empty folder, deleted after the run. */
  directory(): Promise<string>;
  /** A new data directory with this many workspaces, the first of them called `seed`. */
  seeded(count: number): Promise<string>;
  /** Whether a case was selected by name (`--only`); all are selected by default. */
  isChosen(name: string): boolean;
  /** Scales a number for this run (`--scale`), to at least one. */
  scaled(count: number): number;
  /** The memory budget of started servers (`--memory`), if given. */
  readonly memory: string | undefined;
}

export type Section = (bench: Bench) => Promise<void>;

/** The sizes of a large and of an ordinary catalog. */
export const LARGE = 100_000;
export const SMALL = 1_000;

export function thousands(count: number): string {
  return count.toLocaleString('en');
}
