/** Carries problems from thread to thread: a structured clone of one would be an error like any other. */
import { Problem } from '../lib/problem.ts';
import { type ProblemCode, problemKinds } from '../lib/problem-kinds.ts';

export interface CarriedProblem {
  readonly code: string;
  readonly message: string;
  readonly details: Problem['details'];
}

/** How a task ended. */
export type Outcome<O> = { readonly value: O } | { readonly problem: CarriedProblem };

export function packProblem({ code, message, details }: Problem): CarriedProblem {
  return { code, message, details };
}

export function unpackProblem({ code, message, details }: CarriedProblem): Problem {
  if (!isProblemCode(code)) {
    throw new Error(`A thread reported the unknown problem '${code}': ${message}`);
  }
  return new Problem(code, message, details);
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemKinds, code);
}
