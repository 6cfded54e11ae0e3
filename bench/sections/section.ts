/** A part of the bench that can be run alone. */
import type { Report } from '../report.ts';

export interface Bench {
  readonly report: Report;
  /** A new, empty folder, gone after the run. */
  directory(): Promise<string>;
  /** A new data directory with as many workspaces, the first of them called `seed`. */
  seeded(count: number): Promise<string>;
  /** Whether a case was chosen by its name (`--only`); all are where none was named. */
  isChosen(name: string): boolean;
  /** As many as the scale of this run makes of a number (`--scale`), and at least one. */
  scaled(count: number): number;
  /** The memory budget to start servers with (`--memory`), where one was named. */
  readonly memory: string | undefined;
}

export type Section = (bench: Bench) => Promise<void>;

/** What is a large catalog, and what an ordinary one. */
export const LARGE = 100_000;
export const SMALL = 1_000;

export function thousands(count: number): string {
  return count.toLocaleString('en');
}
