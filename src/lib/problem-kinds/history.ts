/** What can go wrong with the history of changes. */
import { kind } from './kind.ts';

export const historyProblems = {
  'change-unknown': kind(
    404,
    'There is no change of that number, or it is no longer kept.',
    (d: { sequence: string; oldest: number; position: number }) =>
      `There is no change '${d.sequence}'; those from ${d.oldest} to ${d.position} are kept.`,
  ),
} as const;
