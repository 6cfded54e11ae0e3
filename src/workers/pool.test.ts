import { once } from 'node:events';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  double,
  fail,
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

function openPool(limits: Partial<WorkerLimits> = {}): WorkerPool {
  const pool = createWorkerPool({
    maxThreads: 1,
    maxWaiting: 1,
    deadlineMs: 60_000,
    maxMemoryMegabytes: 24,
    idleMs: 60_000,
    ...limits,
  });
  onTestFinished(() => pool.close());
  return pool;
}

/** A task that is known to run, and ends when it is told. */
async function occupy(pool: WorkerPool, signal?: AbortSignal) {
  const { port1, port2 } = new MessageChannel();
  const ended = pool.run(waitForWord, port2, { transfer: [port2], ...(signal === undefined ? {} : { signal }) });
  ended.catch(() => undefined).finally(() => port1.close());
  await once(port1, 'message');
  return { ended, end: () => port1.postMessage('done') };
}

describe('the worker pool', () => {
  it('starts no thread before there is something to do', async () => {
    const pool = openPool();
    const before = pool.threads();

    await pool.run(double, 21);

    expect([before, pool.threads()]).toEqual([0, 1]);
  });

  it('gives back what the task made', async () => {
    expect(await openPool().run(double, 21)).toBe(42);
  });

  it('gets what a task hands over, which the thread then has no more', async () => {
    const pool = openPool();

    const first = await pool.run(giveAway, 4);
    const second = pool.run(giveAway, 4);

    expect([...first]).toEqual([7, 7, 7, 7]);
    await expect(second).rejects.toThrow('detached');
  });

  it('gives the place of a thread that was told to end to others only once it has ended', async () => {
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
    // By then it is in its native call.
    const computed = process.cpuUsage();
    await expect.poll(() => process.cpuUsage(computed).user / 1_000).toBeGreaterThan(cpuMs / 10);
    const before = performance.now();
    cancelled.abort(new Error('given up'));

    await expect(hashed).rejects.toThrow('given up');
    const rejectedMs = performance.now() - before;
    const [next, wasFree] = [pool.run(double, 21), isFree];

    expect(await next).toBe(42);
    // The caller does not wait for the native call, but the next task does.
    expect([rejectedMs < cpuMs / 2, wasFree, isFree]).toEqual([true, false, true]);
    expect(performance.now() - before).toBeGreaterThan(cpuMs / 2);
  });

  it('lets a problem through as the problem it is', async () => {
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

  it('lets a fault through as a fault', async () => {
    await expect(openPool().run(fail, 'a fault of ours')).rejects.toThrow(new TypeError('a fault of ours'));
  });

  it('ends a task at its deadline, and goes on with the next', async () => {
    const pool = openPool();

    await expect(pool.run(turnForEver, null, { deadlineMs: 1 })).rejects.toMatchObject({
      code: 'work-too-slow',
      status: 503,
    });

    expect(await pool.run(double, 1)).toBe(2);
  });

  it('ends a task that computes for too long, although its caller wants to watch over the time', async () => {
    const pool = openPool({ maxComputingMs: 50 });

    await expect(pool.run(turnForEver, null, { deadlineMs: null })).rejects.toMatchObject({
      code: 'work-too-slow',
      details: { seconds: 0.05 },
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

  it('ends a task whose signal is given, and goes on with the next', async () => {
    const pool = openPool();
    const given = new AbortController();
    const { ended } = await occupy(pool, given.signal);

    given.abort(new Error('nobody waits any more'));

    await expect(ended).rejects.toThrow('nobody waits any more');
    expect(await pool.run(double, 1)).toBe(2);
  });

  it('ends a task that wants too much memory, and goes on with the next', async () => {
    const pool = openPool();

    await expect(pool.run(hoard, null)).rejects.toMatchObject({ code: 'work-too-large', status: 400 });

    expect(await pool.run(double, 1)).toBe(2);
  });

  it('lets tasks wait for a thread, and refuses those beyond', async () => {
    const pool = openPool();
    const first = await occupy(pool);

    const second = pool.run(double, 1);
    const third = pool.run(double, 2);

    await expect(third).rejects.toMatchObject({ code: 'work-refused', status: 503 });
    first.end();
    expect(await second).toBe(2);
  });

  it('forgets a waiting task whose signal is given', async () => {
    const pool = openPool();
    const first = await occupy(pool);
    const given = new AbortController();
    const second = pool.run(double, 1, { signal: given.signal });

    given.abort(new Error('nobody waits any more'));

    await expect(second).rejects.toThrow('nobody waits any more');
    const third = pool.run(double, 2);
    first.end();
    expect(await third).toBe(4);
  });

  it('ends everything when it is closed', async () => {
    const pool = openPool();
    const first = await occupy(pool);
    const second = pool.run(double, 1);
    second.catch(() => undefined);

    await pool.close();

    await expect(first.ended).rejects.toMatchObject({ code: 'draining' });
    await expect(second).rejects.toMatchObject({ code: 'draining' });
    expect(pool.threads()).toBe(0);
  });
});
