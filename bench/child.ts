/** Starts a program that prints its address, waits until it answers, and stops it: what every measurement needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly url: string;
  /** From the spawn to the first good answer. */
  readonly readyAfterMs: number;
  /** Resident memory, in MB: now, and the most there was since it was last forgotten. */
  rssMb(): Promise<number>;
  peakRssMb(): Promise<number>;
  forgetPeak(): Promise<void>;
  stop(): Promise<void>;
}

const READY_DEADLINE_MS = 30_000;
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

export async function startChild(
  args: readonly string[],
  readyUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'ignore'],
    // As `npm start` has it, and for the baselines too.
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...environment },
  });
  await untilReady(child, readyUrl);
  return {
    url: readyUrl,
    readyAfterMs: performance.now() - startedAt,
    rssMb: () => memoryMb(child, 'VmRSS'),
    peakRssMb: () => memoryMb(child, 'VmHWM'),
    forgetPeak: () => writeFile(`/proc/${child.pid}/clear_refs`, '5'),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) {
        await once(child, 'exit');
      }
    },
  };
}

async function memoryMb(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
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

/** Asks until there is a good answer; `check` may know that there will be none. */
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
