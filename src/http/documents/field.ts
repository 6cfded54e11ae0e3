/** One field of a resource document: input, output and schema. */
import type { FieldError } from '../../lib/problems/problem.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import type { OutputNode } from '../serialization/output-tree.ts';
import type { JsonSchema } from './schema.ts';

/** Collects all errors of a document, so that a client sees them together. */
export interface FieldReader {
  /** The path in the document, such as `workspace.isolated`. */
  readonly at: string;
  readonly reportError: (message: string) => void;
}

export interface Field<R, V> {
  /**
   * Reads the nodes of the field; null clears the field, undefined follows an error. Undefined for read-only fields:
   * input is ignored, so that clients can send a document back unchanged.
   */
  readonly read?: (nodes: readonly InputNode[], reader: FieldReader) => V | null | undefined;
  /** Writes the field; undefined omits it. */
  readonly write?: (resource: R) => OutputNode | undefined;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** The values that a client sent: an absent field is unchanged, null clears it. */
export type FieldValues<F> = {
  readonly [K in keyof F as F[K] extends { readonly read: unknown } ? K : never]?:
    | (F[K] extends { readonly read: (...args: never) => infer V } ? NonNullable<V> : never)
    | null;
};

/** A field that clients can set. */
export type WritableField<R, V> = Field<R, V> & Required<Pick<Field<R, V>, 'read'>>;

export function createFieldError(field: string, message: string): FieldError {
  return { field, message };
}
