/** What can go wrong with several operations that are one change. */
import { defineProblemKind } from '../kind.ts';

export const batchProblems = {
  'batch-failed': defineProblemKind(
    400,
    'An operation of a batch failed, so that nothing of the batch was done. The status is that of the operation.',
    (d: { operation: number; status: number; reason: string }) =>
      `Nothing was done, since operation ${d.operation} ended in ${d.status}: ${d.reason}`,
  ),
  'batch-operation-refused': defineProblemKind(
    400,
    'An operation cannot be part of a batch.',
    (d: { operation: number; reason: string }) => `Operation ${d.operation} cannot be part of a batch: ${d.reason}`,
  ),
  'batch-too-large': defineProblemKind(
    413,
    'A batch has more operations, or longer replies, than are taken.',
    (d: { limit: string }) => `A batch may have at most ${d.limit}. Send several batches.`,
  ),
  'position-moved': defineProblemKind(
    412,
    'Somebody has changed something since the position that was named.',
    (d: { position: number; expected: number }) =>
      `The position is ${d.position} and not ${d.expected}: something was changed meanwhile, so nothing was done.`,
  ),
  'idempotency-key-invalid': defineProblemKind(
    400,
    'The header Idempotency-Key holds no key.',
    () => 'Idempotency-Key must be 1 to 255 visible ASCII characters without double quotes among them.',
  ),
  'idempotency-key-in-use': defineProblemKind(
    409,
    'A request with the same Idempotency-Key is still under way.',
    (d: { key: string }) => `A request with the key '${d.key}' is still being carried out; ask again in a moment.`,
  ),
  'idempotency-key-reused': defineProblemKind(
    422,
    'Another request was done under the same Idempotency-Key.',
    (d: { key: string }) =>
      `Another request was done under the key '${d.key}': each needs a key of its own. Nothing was done.`,
  ),
} as const;
