/** The parts of a response that a dry run must share with the real request. */
import type { Reply } from './test-server.ts';

export function answered({ status, text, headers }: Reply) {
  return { status, text, location: headers['location'], type: headers['content-type'] };
}
