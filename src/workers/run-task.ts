/** What a thread of the pool runs: it loads the module of a task and calls its function. */
import { enableCompileCache } from 'node:module';
import { Problem } from '../lib/problem.ts';
import { type Outcome, packProblem } from './carried-problem.ts';
import type { SentTask } from './task.ts';

/** The file that threads are started with. */
export const threadFile = import.meta.url;

export async function runTask({ module, name, input, compileCache }: SentTask): Promise<Outcome<unknown>> {
  if (compileCache !== undefined) {
    enableCompileCache(compileCache);
  }
  const found: unknown = ((await import(module)) as Readonly<Record<string, unknown>>)[name];
  if (typeof found !== 'function') {
    throw new Error(`'${module}' exports no function '${name}'.`);
  }
  try {
    return { value: await found(input) };
  } catch (error) {
    if (error instanceof Problem) {
      return { problem: packProblem(error) };
    }
    throw error;
  }
}
