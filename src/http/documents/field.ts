/** One field of a resource document: how it is read, written and explained. */
import type { FieldError } from '../../lib/problems/problem.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import type { OutputNode } from '../serialization/output-tree.ts';
import type { JsonSchema } from './schema.ts';

/** Collects everything wrong with a document, so that a client hears it all at once. */
export interface FieldReader {
  /** The place in the document, such as `workspace.isolated`. */
  readonly at: string;
  readonly reportError: (message: string) => void;
}

export interface Field<R, V> {
  /**
   * Reads the nodes a client sent under the field's name; null clears the field, undefined follows a complaint.
   * Absent on fields that only the server sets: what clients send there is ignored, so that a read document can be
   * sent back as it is.
   */
  readonly read?: (nodes: readonly InputNode[], reader: FieldReader) => V | null | undefined;
  /** The field's part of a reply; undefined leaves it out. */
  readonly write?: (resource: R) => OutputNode | undefined;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** The values a client sent: absent means untouched, null means cleared. */
export type FieldValues<F> = {
  readonly [K in keyof F as F[K] extends { readonly read: unknown } ? K : never]?:
    | (F[K] extends { readonly read: (...args: never) => infer V } ? NonNullable<V> : never)
    | null;
};

/** A field clients may set. */
export type WritableField<R, V> = Field<R, V> & Required<Pick<Field<R, V>, 'read'>>;

export function createFieldError(field: string, message: string): FieldError {
  return { field, message };
}
