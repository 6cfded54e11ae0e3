/** Several requests that the server answers as one: also a way to see what a change would do. */
import { callRest, type RestReply } from '../../../rest/client.ts';
import { type ProblemDocument, RestProblem } from '../../../rest/problems.ts';
import type { BatchDocument, BatchOperation } from '../documents.ts';

/** Nothing is stored: later operations see what the earlier ones would change. */
export async function tryBatch(
  operations: readonly BatchOperation[],
  signal?: AbortSignal,
): Promise<RestReply<BatchDocument>> {
  return sendBatch('/batch?dryRun=true', { operations }, signal);
}

/** One change, with its message in the history. */
export async function runBatch(
  message: string,
  operations: readonly BatchOperation[],
): Promise<RestReply<BatchDocument>> {
  return sendBatch('/batch', { message, operations });
}

async function sendBatch(path: string, body: object, signal?: AbortSignal): Promise<RestReply<BatchDocument>> {
  try {
    return await callRest<BatchDocument>(path, { method: 'POST', body, signal });
  } catch (error) {
    throw unwrapProblem(error);
  }
}

/** The problem of the operation that failed says more than that of the batch. */
function unwrapProblem(error: unknown): unknown {
  if (!(error instanceof RestProblem) || error.code !== 'batch-failed') return error;
  const { problem } = error.document as ProblemDocument & { readonly problem?: ProblemDocument };
  return problem === undefined ? error : new RestProblem(problem);
}
