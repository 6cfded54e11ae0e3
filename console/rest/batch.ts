/** Several requests that the server answers as one: also a way to see what a change would do. */
import { callRest, type RestReply, type RestRequest } from './client.ts';
import { type ProblemDocument, RestProblem } from './problems.ts';

export interface BatchDocument {
  readonly change: number | null;
  readonly results: readonly { readonly status: number; readonly body?: unknown }[];
}

export interface BatchOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly content?: string;
  readonly contentType?: string;
}

/** What a change does, or would do. */
export interface ChangePlan {
  readonly items: readonly PlannedItem[];
}

export interface PlannedItem {
  readonly kind: string;
  readonly path: string | null;
  readonly action: string;
}

export const CHANGE_TYPE = 'application/vnd.graticule.change+json';

/** Nothing is stored: later operations see what the earlier ones would change. */
export async function tryBatch(
  operations: readonly BatchOperation[],
  signal?: AbortSignal,
): Promise<RestReply<BatchDocument>> {
  return sendBatch('/batch?dryRun=true', { operations }, { signal });
}

/** Nothing is stored: returns what the operations would change. */
export async function planBatch(operations: readonly BatchOperation[], signal?: AbortSignal): Promise<ChangePlan> {
  return (await sendBatch<ChangePlan>('/batch?dryRun=true', { operations }, { signal, accept: CHANGE_TYPE })).body;
}

/** One change, with its message in the history. */
export async function runBatch(
  message: string,
  operations: readonly BatchOperation[],
): Promise<RestReply<BatchDocument>> {
  return sendBatch('/batch', { message, operations });
}

async function sendBatch<T>(path: string, body: object, request: RestRequest = {}): Promise<RestReply<T>> {
  try {
    return await callRest<T>(path, { ...request, method: 'POST', body });
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
