/** Results of tasks of which parts change hands rather than being copied: the thread has them no more. */
import type { Transferable } from 'node:worker_threads';

const transferables = new WeakMap<object, readonly Transferable[]>();

/** The result itself, for the task to return. */
export function markTransferable<O extends object>(result: O, parts: readonly Transferable[]): O {
  transferables.set(result, parts);
  return result;
}

/** Undefined when all of the result is to be copied. */
export function findTransferables(result: unknown): readonly Transferable[] | undefined {
  return typeof result === 'object' && result !== null ? transferables.get(result) : undefined;
}
