/** Serializes problems between threads: a structured clone would lose their class. */
import { attachCause, findDiskProblem } from '../lib/problems/disk-problem.ts';
import { Problem } from '../lib/problems/problem.ts';
import { type ProblemCode, problemKinds } from '../lib/problems/problem-kinds.ts';

export interface SerializedProblem {
  readonly code: string;
  readonly message: string;
  readonly details: Problem['details'];
  /** The cause as text, for the log. */
  readonly cause?: string;
}

/** The result of a task. */
export type TaskOutcome<O> = { readonly value: O } | { readonly problem: SerializedProblem };

/** Undefined for an unexpected error. Errors lose their code between threads, so disk errors are recognised here. */
export function serializeError(error: unknown): SerializedProblem | undefined {
  const found = error instanceof Problem ? error : findDiskProblem(error);
  return found && serializeProblem(found);
}

function serializeProblem({ code, message, details, cause }: Problem): SerializedProblem {
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
