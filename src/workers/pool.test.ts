import { once } from 'node:events';
import { MessageChannel, type Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  double,
  fail,
  failOnFullDisk,
  giveAway,
  hashForLong,
  hoard,
  refuse,
  turnForEver,
  waitForWord,
} from '../../test/support/worker-tasks.ts';
import { Problem } from '../lib/problems/problem.ts';
import { createActivity, watchActivity } from './activity.ts';
import { createWorkerPool, type WorkerLimits, type WorkerPool } from './pool.ts';
import { newThreads, type ThreadSupply } from './thread-supply.ts';

function openPool(limits: Partial<WorkerLimits> = {}, supply?: ThreadSupply): WorkerPool {
  const all = { maxThreads: 1, maxWaiting: 1, deadlineMs: 60_000, maxMemoryMegabytes: 24, idleMs: 60_000, ...limits };
  const pool = createWorkerPool(all, undefined, supply);
  onTestFinished(() => pool.close());
  return pool;
}

/** Starts a task that runs until it is released. */
async function occupy(pool: WorkerPool, signal?: AbortSignal) {
  const { port1, port2 } = new MessageChannel();
  const ended = pool.run(waitForWord, port2, { transfer: [port2], ...(signal === undefined ? {} : { signal }) });
  ended.catch(() => undefined).finally(() => port1.close());
  await once(port1, 'message');
  return { ended, end: () => port1.postMessage('done') };
}

describe('worker pool', () => {
  it('starts no thread before the first task', async () => {
    const pool = openPool();
    const before = pool.threads();

    await pool.run(double, 21);

    expect([before, pool.threads()]).toEqual([0, 1]);
  });

  it('returns the result of the task', async () => {
    expect(await openPool().run(double, 21)).toBe(42);
  });

  it('counts tasks by result, running tasks and the time in threads', async () => {
    const pool = openPool();
    const { ended, end } = await occupy(pool);
    const waiting = pool.run(double, 1);
    await expect(pool.run(double, 2)).rejects.toThrow('busy');
    expect(pool.getUsage()).toMatchObject({ maxThreads: 1, running: 1, results: { done: 0, failed: 0, rejected: 1 } });

    end();
    await Promise.all([ended, waiting]);
    await expect(pool.run(fail, 'x')).rejects.toThrow();

    expect(pool.getUsage()).toMatchObject({ running: 0, results: { done: 2, failed: 1, rejected: 1 } });
    expect(pool.getUsage().busySeconds).toBeGreaterThan(0);
  });

  it('receives transferred parts of a result, which the thread no longer owns', async () => {
    const pool = openPool();

    const first = await pool.run(giveAway, 4);
    const second = pool.run(giveAway, 4);

    expect([...first]).toEqual([7, 7, 7, 7]);
    await expect(second).rejects.toThrow('detached');
  });

  it('keeps the permit of a terminated thread until the thread has ended', async () => {
    const pool = openPool();
    const cancelled = new AbortController();
    const { port1, port2 } = new MessageChannel();
    const cpuMs = 1_500;
    let isFree = false;
    const hashed = pool.run(
      hashForLong,
      { cpuMs, port: port2 },
      {
        signal: cancelled.signal,
        transfer: [port2],
        onFree: () => {
          isFree = true;
        },
      },
    );
    await once(port1, 'message');
    port1.close();
    // The task is in its native call now.
    const computed = process.cpuUsage();
    await expect.poll(() => process.cpuUsage(computed).user / 1_000).toBeGreaterThan(cpuMs / 10);
    const before = performance.now();
    cancelled.abort(new Error('aborted by the caller'));

    await expect(hashed).rejects.toThrow('aborted by the caller');
    const rejectedMs = performance.now() - before;
    const [next, wasFree] = [pool.run(double, 21), isFree];

    expect(await next).toBe(42);
    // The caller does not wait for the native call, but the next task does.
    expect([rejectedMs < cpuMs / 2, wasFree, isFree]).toEqual([true, false, true]);
    expect(performance.now() - before).toBeGreaterThan(cpuMs / 2);
  });

  it('rethrows a problem as the same problem', async () => {
    const refused = openPool().run(refuse, 'nowhere');

    const error = await refused.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({
      code: 'workspace-unknown',
      status: 404,
      details: { name: 'nowhere' },
      message: expect.stringContaining("'nowhere'"),
    });
  });

  it('reports a full disk as a problem, although errors lose their code between threads', async () => {
    await expect(openPool().run(failOnFullDisk, null)).rejects.toMatchObject({ code: 'storage-full', status: 507 });
  });

  it('rethrows other errors', async () => {
    await expect(openPool().run(fail, 'a fault of ours')).rejects.toThrow(new TypeError('a fault of ours'));
  });

  it('ends a task at its deadline and continues with the next', async () => {
    const pool = openPool();

    await expect(pool.run(turnForEver, null, { deadlineMs: 1 })).rejects.toMatchObject({
      code: 'work-too-slow',
      status: 503,
    });

    expect(await pool.run(double, 1)).toBe(2);
  });

  it('ends a task that computes too long even if its caller controls the deadline', async () => {
    const pool = openPool({ maxComputingMs: 1_000 });

    await expect(pool.run(turnForEver, null, { deadlineMs: null })).rejects.toMatchObject({
      code: 'work-too-slow',
      details: { seconds: 1 },
    });

    expect(await pool.run(double, 1)).toBe(2);
  });

  it('does not count the time in which a task waits for messages', async () => {
    const alarms: (() => void)[] = [];
    const activity = createActivity();
    activity[0] = 7;
    activity[1] = 100;
    let active = 100;
    const thread = { threadId: 7, performance: { eventLoopUtilization: () => ({ active }) } } as unknown as Worker;
    let isStuck = false;
    watchActivity(activity, 1_000, {
      threads: () => [thread],
      stuck: () => {
        isStuck = true;
      },
      alarm: (_milliseconds, ring) => {
        alarms.push(ring);
        return () => undefined;
      },
    });

    for (active of [150, 1_099]) alarms.at(-1)?.();
    const before = isStuck;
    activity[1] = 1_099;
    active = 2_000;
    alarms.at(-1)?.();
    const afterProgress = isStuck;
    active = 2_099;
    alarms.at(-1)?.();

    expect([before, afterProgress, isStuck]).toEqual([false, false, true]);
  });

  it('ends a task whose signal is aborted and continues with the next', async () => {
    const pool = openPool();
    const given = new AbortController();
    const { ended } = await occupy(pool, given.signal);

    given.abort(new Error('the caller stopped waiting'));

    await expect(ended).rejects.toThrow('the caller stopped waiting');
    expect(await pool.run(double, 1)).toBe(2);
  });

  it('ends a task that needs too much memory and continues with the next', async () => {
    const pool = openPool();

    await expect(pool.run(hoard, null)).rejects.toMatchObject({ code: 'work-too-large', status: 400 });

    expect(await pool.run(double, 1)).toBe(2);
  });

  it('queues tasks for a thread and rejects further ones', async () => {
    const pool = openPool();
    const first = await occupy(pool);

    const second = pool.run(double, 1);
    const third = pool.run(double, 2);

    await expect(third).rejects.toMatchObject({ code: 'work-refused', status: 503 });
    first.end();
    expect(await second).toBe(2);
  });

  it('drops a waiting task whose signal is aborted', async () => {
    const pool = openPool();
    const first = await occupy(pool);
    const given = new AbortController();
    const second = pool.run(double, 1, { signal: given.signal });

    given.abort(new Error('the caller stopped waiting'));

    await expect(second).rejects.toThrow('the caller stopped waiting');
    const third = pool.run(double, 2);
    first.end();
    expect(await third).toBe(4);
  });

  it('ends all tasks when it is closed', async () => {
    const pool = openPool();
    const first = await occupy(pool);
    const second = pool.run(double, 1);
    second.catch(() => undefined);

    await pool.close();

    await expect(first.ended).rejects.toMatchObject({ code: 'draining' });
    await expect(second).rejects.toMatchObject({ code: 'draining' });
    expect(pool.threads()).toBe(0);
  });

  it('returns its threads once when it is closed, unless they run a task', async () => {
    const released: unknown[] = [];
    const supply: ThreadSupply = { ...newThreads, release: async (threads) => void released.push(threads) };
    const idle = openPool({}, supply);
    await idle.run(double, 21);
    await idle.close();
    await idle.close();
    const [threads] = released as Piscina[];
    onTestFinished(() => threads?.destroy());
    const busy = openPool({}, supply);
    const { ended } = await occupy(busy);
    await busy.close();

    await expect(ended).rejects.toMatchObject({ code: 'draining' });
    expect(released.map(() => threads?.threads.length)).toEqual([1]);
  });
});
