/** Tasks for the tests of the worker pool. */
import { pbkdf2Sync } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { problem } from '../../src/lib/problems/problem.ts';
import type { Task } from '../../src/workers/task.ts';
import { markTransferable } from '../../src/workers/transferables.ts';

export const double: Task<number, number> = { module: import.meta.url, name: 'doubled', work: doubled };
export const refuse: Task<string, never> = { module: import.meta.url, name: 'refused', work: refused };
export const fail: Task<string, never> = { module: import.meta.url, name: 'failed', work: failed };
export const failOnFullDisk: Task<null, never> = {
  module: import.meta.url,
  name: 'failedOnFullDisk',
  work: failedOnFullDisk,
};
export const turnForEver: Task<null, never> = { module: import.meta.url, name: 'turning', work: turning };
export const hoard: Task<null, never> = { module: import.meta.url, name: 'hoarding', work: hoarding };
export const giveAway: Task<number, Uint8Array> = { module: import.meta.url, name: 'givingAway', work: givingAway };
export const waitForWord: Task<MessagePort, string> = { module: import.meta.url, name: 'waiting', work: waiting };

export const hashForLong: Task<{ readonly cpuMs: number; readonly port: MessagePort }, never> = {
  module: import.meta.url,
  name: 'hashing',
  work: hashing,
};

/** Reports that it runs, and then computes in one native call, which cannot be interrupted. */
export function hashing({ cpuMs, port }: { readonly cpuMs: number; readonly port: MessagePort }): never {
  const hash = (rounds: number): number => {
    const before = process.threadCpuUsage();
    pbkdf2Sync('password', 'salt', rounds, 64, 'sha512');
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  const rounds = 20_000;
  const perRound = hash(rounds) / rounds;
  port.postMessage('here');
  hash(Math.ceil(cpuMs / perRound));
  throw new Error('Nothing has ended this task.');
}

/** The same bytes can be transferred only once. */
const bytes = new Uint8Array(16).fill(7);

export function givingAway(length: number): Uint8Array {
  return markTransferable(bytes.subarray(0, length), [bytes.buffer]);
}

export function doubled(value: number): number {
  return value * 2;
}

export function refused(name: string): never {
  throw problem('workspace-unknown', { name });
}

export function failedOnFullDisk(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

export function failed(message: string): never {
  throw new TypeError(message);
}

export function turning(): never {
  for (;;);
}

export function hoarding(): never {
  const hoard: object[] = [];
  for (;;) hoard.push({ hoard: Array.from({ length: 100 }, (_, index) => ({ index })) });
}

/** Reports that it runs, and returns its input. */
export function waiting(port: MessagePort): Promise<string> {
  return new Promise((resolve) => {
    port.once('message', resolve);
    port.postMessage('here');
  });
}

/** The usage of a pool that has run nothing. */
export const idlePool = { maxThreads: 1, running: 0, results: { done: 0, failed: 0, rejected: 0 }, busySeconds: 0 };
