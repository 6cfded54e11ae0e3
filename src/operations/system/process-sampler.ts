/** Reads the values that Node provides on every system without waiting. */
import { availableParallelism, type CpuInfo, cpus, freemem, loadavg, totalmem, uptime } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { MachineFacts, SystemSample } from './sample.ts';

export type ProcessSample = Omit<SystemSample, keyof MachineFacts>;

interface CpuTime {
  readonly busyMs: number;
  readonly totalMs: number;
}

/**
 * Each reading returns the load since the previous one; the first one since the boot and the start of the process.
 */
export class ProcessSampler {
  #cpuTimes: readonly CpuTime[] = [];
  #own: CpuTime = { busyMs: 0, totalMs: 0 };

  read(): ProcessSample {
    const cpuTimes = cpus().map(toCpuTime);
    const perCpu = cpuTimes.map((time, index) => computeLoadPercent(this.#cpuTimes[index] ?? zeroCpuTime, time));
    const load = computeLoadPercent(sum(this.#cpuTimes), sum(cpuTimes));
    this.#cpuTimes = cpuTimes;

    const own = readOwnCpuTime(Math.max(cpuTimes.length, 1));
    const ownCpuPercent = computeLoadPercent(this.#own, own);
    this.#own = own;

    const heap = getHeapStatistics();
    const [one = 0, five = 0, fifteen = 0] = loadavg();
    return {
      uptimeSeconds: Math.floor(uptime()),
      // Windows has no load averages, and Node returns 0.
      ...(process.platform === 'win32' ? {} : { loadAverages: [one, five, fifteen] }),
      logicalCpus: cpuTimes.length || availableParallelism(),
      cpuLoadPercent: load,
      perCpuLoadPercent: perCpu,
      memory: { totalBytes: totalmem(), freeBytes: freemem() },
      ownCpuPercent,
      heapPercent: (heap.used_heap_size / heap.heap_size_limit) * 100,
    };
  }
}

const zeroCpuTime: CpuTime = { busyMs: 0, totalMs: 0 };

function toCpuTime({ times }: CpuInfo): CpuTime {
  const busyMs = times.user + times.nice + times.sys + times.irq;
  return { busyMs, totalMs: busyMs + times.idle };
}

/** CPU time of this process as a share of all CPUs since its start. */
function readOwnCpuTime(cpuCount: number): CpuTime {
  const { user, system } = process.cpuUsage();
  return { busyMs: (user + system) / 1_000, totalMs: performance.now() * cpuCount };
}

function sum(times: readonly CpuTime[]): CpuTime {
  return times.reduce((a, b) => ({ busyMs: a.busyMs + b.busyMs, totalMs: a.totalMs + b.totalMs }), zeroCpuTime);
}

function computeLoadPercent(before: CpuTime, after: CpuTime): number {
  const totalMs = after.totalMs - before.totalMs;
  const busyMs = after.busyMs - before.busyMs;
  return totalMs > 0 ? Math.min(Math.max((busyMs / totalMs) * 100, 0), 100) : 0;
}
