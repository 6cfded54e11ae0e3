/** Requests that exceed the limits of worker threads. */
import { formatCount } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const workerProblems = {
  'work-too-large': defineProblemKind(
    400,
    'The request exceeds the memory limit of one request.',
    (d: { megabytes: number }) =>
      `The request exceeds the limit of ${d.megabytes} MB of memory for one request. Send or request less data.`,
  ),
  'work-too-slow': defineProblemKind(
    503,
    'The request exceeds the time limit of one request.',
    (d: { seconds: number; retryAfterSeconds: number }) =>
      `The request exceeds the limit of ${formatCount(d.seconds, 'second')} for one request. Send or request less data, or retry when the server is less busy.`,
  ),
  'work-refused': defineProblemKind(
    503,
    'The server is busy: too many requests are waiting.',
    (d: { retryAfterSeconds: number }) => `The server is busy. Retry after ${d.retryAfterSeconds} seconds.`,
  ),
} as const;
