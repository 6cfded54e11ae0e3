/** The messages of the process that reads a view: each is its length and its serialized value. */
import type { SQLOutputValue } from 'node:sqlite';
import type { SerializedProblem } from '../../workers/serialized-problem.ts';

export type ViewRow = readonly SQLOutputValue[];

/** The order, a line of JSON on the input of the process. */
export interface ViewOrder {
  readonly path: string;
  readonly statement: string;
}

export type ViewMessage =
  | { readonly rows: readonly ViewRow[] }
  | { readonly problem: SerializedProblem }
  /** The parts of an error of SQLite that its message for clients needs. */
  | { readonly error: { readonly message: string; readonly errcode?: number; readonly code?: string } };

/** The length of a message, in bytes. */
export const LENGTH_BYTES = 4;
