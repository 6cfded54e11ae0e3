/** What is our own fault, or our own doing. */
import { kind } from './kind.ts';

export const serverProblems = {
  unexpected: kind(
    500,
    'A fault on our side; the log has the details under the request id.',
    (d: { requestId: string }) =>
      `The server failed to answer. Its log has the details under request id ${d.requestId}.`,
  ),
  draining: kind(503, 'The server is shutting down.', () => 'The server is shutting down.'),
} as const;
