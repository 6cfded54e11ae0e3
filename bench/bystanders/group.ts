/** Loads that need the same data and therefore share a server. */
import type { Bench } from '../sections/section.ts';
import type { ServerChild } from '../server-child.ts';

export interface LoadCase {
  readonly name: string;
  /** Completes a sentence that starts with "while". */
  readonly what: string;
  /** Preparation that is not measured. */
  prepare?(): Promise<void>;
  /** Returns the response of the server. */
  run(): Promise<string>;
}

export interface OpenGroup {
  readonly server: ServerChild;
  readonly cases: readonly LoadCase[];
  close?(): Promise<void>;
}

export interface LoadGroup {
  /** The names of its cases. */
  readonly names: readonly string[];
  open(bench: Bench): Promise<OpenGroup>;
}
