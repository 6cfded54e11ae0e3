/** How one kind of problem is declared, and what every problem may say of itself. */

/** One complaint about one place in a document, such as `workspace.isolated`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** One complaint about a resource of a configuration that was sent. */
export interface ConfigurationError {
  readonly path: string;
  /** A JSON Pointer into its fields, where it is about one. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
}

/** Details every kind of problem may carry beside its own. */
export interface CommonDetails {
  /** The field of the request document or the query parameter at fault. */
  readonly field?: string;
  /** What stands in the way, by name, where a delete was refused. */
  readonly blockers?: readonly string[];
  /** Every complaint, where a document has several. */
  readonly complaints?: readonly FieldError[];
  /** What stands in the way of taking a change back, with the last change of each. */
  readonly conflicts?: readonly UndoConflict[];
  /** What programs read of it beside all that, by the names of the members of the document. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The status, where it is that of another problem which this one holds. */
  readonly answeredAs?: number;
  /** When it may be tried again. */
  readonly retryAfterSeconds?: number;
}

export interface UndoConflict {
  /** Where it is read; null for what has no address of its own. */
  readonly path: string | null;
  readonly change: number | null;
}

export interface ProblemKind<D> {
  readonly status: number;
  /** When a client meets this, for the reference page. */
  readonly when: string;
  readonly message: (details: D) => string;
}

export function defineProblemKind<D = CommonDetails>(
  status: number,
  when: string,
  message: (details: D) => string,
): ProblemKind<D> {
  return { status, when, message };
}
