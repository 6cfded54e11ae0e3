/** Threads that load their modules once for all test servers of a process, which takes longer than most of their tasks. */
import type { Piscina } from 'piscina';
import { startThreads, type ThreadOptions, type ThreadSupply } from '../../src/workers/thread-supply.ts';

/** Threads without a pool, by their options. */
const free = new Map<string, Piscina[]>();
const keys = new WeakMap<Piscina, string>();

export const keptThreads: ThreadSupply = {
  async acquire(options: ThreadOptions): Promise<Piscina> {
    const key = JSON.stringify(options);
    const threads = free.get(key)?.pop() ?? (await startThreads(options));
    keys.set(threads, key);
    return threads;
  },
  async release(threads: Piscina): Promise<void> {
    const key = keys.get(threads) ?? '';
    free.set(key, [...(free.get(key) ?? []), threads]);
  },
};
