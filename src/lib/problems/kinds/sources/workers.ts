/** What can be wrong with work that is more than one request may ask for. */
import { defineProblemKind } from '../kind.ts';

export const workerProblems = {
  'work-too-large': defineProblemKind(
    400,
    'What was sent, or what was asked for, needs more memory than there is for one request.',
    (d: { megabytes: number }) =>
      `This needs more than the ${d.megabytes} MB of memory that there are for one request. Send or ask for less at once.`,
  ),
  'work-too-slow': defineProblemKind(
    503,
    'What was sent, or what was asked for, takes longer than one request may work.',
    (d: { seconds: number; retryAfterSeconds: number }) =>
      `This takes longer than the ${d.seconds} seconds that one request may work. Send or ask for less at once, or try again when the server has less to do.`,
  ),
  'work-refused': defineProblemKind(
    503,
    'The server is busy: too much other work waits already.',
    (d: { retryAfterSeconds: number }) => `The server is busy. Retry after ${d.retryAfterSeconds} seconds.`,
  ),
} as const;
