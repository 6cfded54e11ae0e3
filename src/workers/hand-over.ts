/** Results of tasks of which parts change hands rather than being copied: the thread has them no more. */
import type { Transferable } from 'node:worker_threads';

const handedOver = new WeakMap<object, readonly Transferable[]>();

/** The result itself, for the task to return. */
export function handOver<O extends object>(result: O, parts: readonly Transferable[]): O {
  handedOver.set(result, parts);
  return result;
}

/** Undefined when all of the result is to be copied. */
export function partsToHandOver(result: unknown): readonly Transferable[] | undefined {
  return typeof result === 'object' && result !== null ? handedOver.get(result) : undefined;
}
