/** Loads that need the same data, and so share a server. */
import type { Bench } from '../sections/section.ts';
import type { ServerChild } from '../server-child.ts';

export interface LoadCase {
  readonly name: string;
  /** Continues "while". */
  readonly what: string;
  /** What is not measured. */
  prepare?(): Promise<void>;
  /** Gives what the server answered. */
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
