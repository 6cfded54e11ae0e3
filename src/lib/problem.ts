/** A known failure: what the rings below HTTP throw, and what the door turns into a reply. */
import { type ProblemCode, type ProblemDetails, problemKinds } from './problem-kinds.ts';

/** One complaint about one place in a document, such as `workspace.isolated`. */
export interface FieldComplaint {
  readonly field: string;
  readonly message: string;
}

/** Details every kind of problem may carry beside its own. */
export interface CommonDetails {
  /** The field of the request document or the query parameter at fault. */
  readonly field?: string;
  /** What stands in the way, by name, where a delete was refused. */
  readonly blockers?: readonly string[];
  /** Every complaint, where a document has several. */
  readonly complaints?: readonly FieldComplaint[];
}

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: CommonDetails & Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, message: string, details: CommonDetails & Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** The HTTP status our own interface gives this problem; a dialect may answer another. */
  get status(): number {
    return problemKinds[this.code].status;
  }
}

/** Builds the problem of a code from its typed details: `throw problem('workspace-unknown', { name })`. */
export function problem<C extends ProblemCode>(code: C, details: ProblemDetails<C> & CommonDetails): Problem {
  const kind = problemKinds[code] as { message: (details: ProblemDetails<C> & CommonDetails) => string };
  return new Problem(code, kind.message(details), Object.fromEntries(Object.entries(details)));
}
