/** Carries problems from thread to thread: a structured clone of one would be an error like any other. */
import { attachCause } from '../lib/problems/disk-problem.ts';
import { Problem } from '../lib/problems/problem.ts';
import { type ProblemCode, problemKinds } from '../lib/problems/problem-kinds.ts';

export interface SerializedProblem {
  readonly code: string;
  readonly message: string;
  readonly details: Problem['details'];
  /** What the log should know, as text. */
  readonly cause?: string;
}

/** How a task ended. */
export type TaskOutcome<O> = { readonly value: O } | { readonly problem: SerializedProblem };

export function serializeProblem({ code, message, details, cause }: Problem): SerializedProblem {
  return { code, message, details, ...(cause instanceof Error ? { cause: cause.stack ?? cause.message } : {}) };
}

export function deserializeProblem({ code, message, details, cause }: SerializedProblem): Problem {
  if (!isProblemCode(code)) {
    throw new Error(`A thread reported the unknown problem '${code}': ${message}`);
  }
  const carried = new Problem(code, message, details);
  return cause === undefined ? carried : attachCause(carried, cause);
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemKinds, code);
}
