/** The error catalogue: every known failure once, with its stable code, its status and its sentence. */
import type { CommonDetails } from './problem.ts';
import { accessProblems } from './problem-kinds/access.ts';
import { requestProblems } from './problem-kinds/request.ts';
import { serverProblems } from './problem-kinds/server.ts';
import { workspaceProblems } from './problem-kinds/workspaces.ts';

export const problemKinds = {
  ...requestProblems,
  ...accessProblems,
  ...serverProblems,
  ...workspaceProblems,
} as const;

export type ProblemCode = keyof typeof problemKinds;

export type ProblemDetails<C extends ProblemCode> = Parameters<(typeof problemKinds)[C]['message']>[0] extends infer D
  ? unknown extends D
    ? CommonDetails
    : D
  : never;
