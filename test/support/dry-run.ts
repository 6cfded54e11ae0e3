/** What a dry run must have in common with the real one. */
import type { Reply } from './test-server.ts';

export function answered({ status, text, headers }: Reply) {
  return { status, text, location: headers['location'], type: headers['content-type'] };
}
