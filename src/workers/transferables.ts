/** Marks parts of task results that are transferred instead of copied. */
import type { Transferable } from 'node:worker_threads';

const transferables = new WeakMap<object, readonly Transferable[]>();

/** Returns the same result. */
export function markTransferable<O extends object>(result: O, parts: readonly Transferable[]): O {
  transferables.set(result, parts);
  return result;
}

/** Returns undefined if the whole result is copied. */
export function findTransferables(result: unknown): readonly Transferable[] | undefined {
  return typeof result === 'object' && result !== null ? transferables.get(result) : undefined;
}
