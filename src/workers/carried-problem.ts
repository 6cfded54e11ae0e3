/** Carries problems from thread to thread: a structured clone of one would be an error like any other. */
import { withCause } from '../lib/disk-problem.ts';
import { Problem } from '../lib/problem.ts';
import { type ProblemCode, problemKinds } from '../lib/problem-kinds.ts';

export interface CarriedProblem {
  readonly code: string;
  readonly message: string;
  readonly details: Problem['details'];
  /** What the log should know, as text. */
  readonly cause?: string;
}

/** How a task ended. */
export type Outcome<O> = { readonly value: O } | { readonly problem: CarriedProblem };

export function packProblem({ code, message, details, cause }: Problem): CarriedProblem {
  return { code, message, details, ...(cause instanceof Error ? { cause: cause.stack ?? cause.message } : {}) };
}

export function unpackProblem({ code, message, details, cause }: CarriedProblem): Problem {
  if (!isProblemCode(code)) {
    throw new Error(`A thread reported the unknown problem '${code}': ${message}`);
  }
  const carried = new Problem(code, message, details);
  return cause === undefined ? carried : withCause(carried, cause);
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemKinds, code);
}
