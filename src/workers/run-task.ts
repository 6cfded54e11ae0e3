/** The entry point of a worker thread: loads the module of a task and calls its function. */
import { enableCompileCache } from 'node:module';
import { type Transferable, threadId } from 'node:worker_threads';
import { startActivity } from './activity.ts';
import { serializeError, type TaskOutcome } from './serialized-problem.ts';
import type { SentTask } from './task.ts';
import { findTransferables } from './transferables.ts';

/** The file that threads are started with. */
export const threadFile = import.meta.url;

export async function runTask({
  module,
  name,
  input,
  compileCache,
  activity,
}: SentTask): Promise<TaskOutcome<unknown>> {
  startActivity(activity, threadId);
  if (compileCache !== undefined) {
    enableCompileCache(compileCache);
  }
  const found: unknown = ((await import(module)) as Readonly<Record<string, unknown>>)[name];
  if (typeof found !== 'function') {
    throw new Error(`'${module}' exports no function '${name}'.`);
  }
  try {
    const value: unknown = await found(input);
    const parts = findTransferables(value);
    return parts === undefined ? { value } : await transferOutcome(value, parts);
  } catch (error) {
    const found = serializeError(error);
    if (found === undefined) throw error;
    return { problem: found };
  }
}

/** Marks the result so that Piscina transfers the parts; Piscina is loaded with the first such result. */
async function transferOutcome(value: unknown, parts: readonly Transferable[]): Promise<TaskOutcome<unknown>> {
  const { Piscina, transferableSymbol, valueSymbol } = await import('piscina');
  const outcome = { value };
  const marked = { ...outcome, [transferableSymbol]: parts, [valueSymbol]: outcome };
  Piscina.move(marked as unknown as Parameters<typeof Piscina.move>[0]);
  return marked;
}
