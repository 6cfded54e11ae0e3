/** A known failure: thrown by the layers below HTTP, and converted to a response by the HTTP layer. */

import type { CommonDetails } from './kinds/kind.ts';
import { type ProblemCode, type ProblemDetails, problemKinds } from './problem-kinds.ts';

export type { CommonDetails, FieldError } from './kinds/kind.ts';

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: CommonDetails & Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, message: string, details: CommonDetails & Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** The HTTP status in the native dialect; a compatibility dialect can use another one. */
  get status(): number {
    return this.details.answeredAs ?? problemKinds[this.code].status;
  }
}

/** Builds the problem of a code from its typed details: `throw problem('workspace-unknown', { name })`. */
export function problem<C extends ProblemCode>(code: C, details: ProblemDetails<C> & CommonDetails): Problem {
  const kind = problemKinds[code] as { message: (details: ProblemDetails<C> & CommonDetails) => string };
  return new Problem(code, kind.message(details), Object.fromEntries(Object.entries(details)));
}
