/** Problems with batches and idempotency keys. */
import { defineProblemKind } from '../kind.ts';

export const batchProblems = {
  'batch-failed': defineProblemKind(
    400,
    'An operation of a batch failed, so the whole batch was rolled back. The status is that of the operation.',
    (d: { operation: number; status: number; reason: string }) =>
      `Nothing was changed, because operation ${d.operation} failed with ${d.status}: ${d.reason}`,
  ),
  'batch-operation-refused': defineProblemKind(
    400,
    'An operation is not allowed in a batch.',
    (d: { operation: number; reason: string }) => `Operation ${d.operation} is not allowed in a batch: ${d.reason}`,
  ),
  'batch-too-large': defineProblemKind(
    413,
    'A batch exceeds the limit of operations, or of the size of its responses.',
    (d: { limit: string }) => `A batch may have at most ${d.limit}. Send several smaller batches.`,
  ),
  'position-moved': defineProblemKind(
    412,
    'The configuration was changed after the position that the request names.',
    (d: { position: number; expected: number }) =>
      `The position is ${d.position}, not ${d.expected}: the configuration was changed in the meantime. Nothing was changed.`,
  ),
  'idempotency-key-invalid': defineProblemKind(
    400,
    'The header Idempotency-Key is malformed.',
    () => 'Invalid Idempotency-Key. Expected 1 to 255 visible ASCII characters without double quotes.',
  ),
  'idempotency-key-in-use': defineProblemKind(
    409,
    'A request with the same Idempotency-Key is still in progress.',
    (d: { key: string }) => `A request with the Idempotency-Key '${d.key}' is still in progress. Retry in a moment.`,
  ),
  'idempotency-key-reused': defineProblemKind(
    422,
    'A different request was already processed with the same Idempotency-Key.',
    (d: { key: string }) =>
      `A different request was already processed with the Idempotency-Key '${d.key}'. Nothing was changed. Use a new key for each request.`,
  ),
} as const;
