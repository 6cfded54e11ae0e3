/** Starts a program that prints its URL, waits until it answers, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LongestTurn } from './turn-watch.ts';

export interface Child {
  readonly url: string;
  /** From the spawn to the first successful response. */
  readonly readyAfterMs: number;
  /** Resident memory in MB: current, and the peak since the last reset. */
  rssMb(): Promise<number>;
  peakRssMb(): Promise<number>;
  /** Whether it has ended, by itself or because it was killed. */
  hasEnded(): boolean;
  forgetPeak(): Promise<void>;
  /** The longest event loop turn since the last call; only if `turn-watch.ts` is loaded into it. */
  longestTurn(): Promise<LongestTurn>;
  /** CPU time of all its threads so far, in steps of 10 ms. */
  processorMs(): Promise<number>;
  stop(): Promise<void>;
}

const READY_DEADLINE_MS = 30_000;
/** A server that is stuck in one turn does not handle the stop signal. */
const STOP_DEADLINE_MS = 30_000;
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

export async function startChild(
  args: readonly string[],
  readyUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', process.env['BENCH_SHOW_LOG'] === undefined ? 'ignore' : 'inherit', 'ipc'],
    // The same flags as `npm start`, also for the baselines.
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...environment },
  });
  child.channel?.unref();
  await untilReady(child, readyUrl);
  return {
    url: readyUrl,
    readyAfterMs: performance.now() - startedAt,
    rssMb: () => readMemoryMb(child.pid, 'VmRSS'),
    peakRssMb: () => readMemoryMb(child.pid, 'VmHWM'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    forgetPeak: () => writeFile(`/proc/${child.pid}/clear_refs`, '5'),
    async longestTurn() {
      child.send('longest turn');
      const [found] = (await once(child, 'message')) as [LongestTurn];
      return found;
    },
    processorMs: () => readProcessorMs(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      if (child.exitCode === null && child.signalCode === null) {
        await once(child, 'exit');
      }
      clearTimeout(forced);
    },
  };
}

/** The current or the peak memory of a process; NaN after its end. */
export async function readMemoryMb(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** A clock tick of Linux, independent of the kernel configuration (`sysconf(_SC_CLK_TCK)`). */
const TICK_MS = 10;

/** CPU time of a process so far. */
export async function readProcessorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The program name, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]].map(Number);
  return ((user ?? 0) + (system ?? 0)) * TICK_MS;
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  try {
    await untilAnswered(url, () => {
      if (child.exitCode !== null) throw new Error(`The program to measure stopped with ${child.exitCode}`);
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Polls until a successful response; `check` can abort the wait. */
export async function untilAnswered(url: string, check: () => void = () => undefined): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < READY_DEADLINE_MS) {
    check();
    const reply = await fetch(url).catch(() => undefined);
    if (reply?.ok) {
      return;
    }
    await wait(2);
  }
  throw new Error(`${url} did not answer within ${READY_DEADLINE_MS} ms`);
}
