/** The declaration of a problem kind, and the details that every problem can have. */

/** An error in one field of a document, such as `workspace.isolated`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** An error in one resource of a configuration document. */
export interface ConfigurationError {
  readonly path: string;
  /** A JSON Pointer to the field at fault, if the error concerns one field. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
}

/** Details that every kind of problem can have in addition to its own. */
export interface CommonDetails {
  /** The field of the request document or the query parameter at fault. */
  readonly field?: string;
  /** The names of the resources that prevent a delete. */
  readonly blockers?: readonly string[];
  /** All errors of a document. */
  readonly complaints?: readonly FieldError[];
  /** The resources that prevent an undo, each with its last change. */
  readonly conflicts?: readonly UndoConflict[];
  /** Additional members of the problem document, by name. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Overrides the status: a failed batch has the status of its failed operation. */
  readonly answeredAs?: number;
  /** The value of the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

export interface UndoConflict {
  /** The path of the resource; null for a record without a path. */
  readonly path: string | null;
  readonly change: number | null;
}

export interface ProblemKind<D> {
  readonly status: number;
  /** The condition, for docs/errors.md. */
  readonly when: string;
  readonly message: (details: D) => string;
}

export function defineProblemKind<D = CommonDetails>(
  status: number,
  when: string,
  message: (details: D) => string,
): ProblemKind<D> {
  // A reason can end with a question.
  return { status, when, message: (details) => message(details).replace(/\?\.$/, '?') };
}
