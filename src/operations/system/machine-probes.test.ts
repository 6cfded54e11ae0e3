import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createLinuxProbe } from './linux-probe.ts';
import { createPortableProbe } from './portable-probe.ts';
import { ProcessSampler } from './process-sampler.ts';

const run = promisify(execFile);

/** Tolerance between two readings of a machine in use. */
const DISK_TOLERANCE_BYTES = 512 * 1_024 * 1_024;
const NETWORK_TOLERANCE_BYTES = 64 * 1_024 * 1_024;

function expectNear(value: number | undefined, expected: number, tolerance: number): void {
  expect(Math.abs((value ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance);
}

async function meminfo(name: string): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1_024;
}

/** A line of `df` in bytes: device, total, used, available, share, path. */
async function df(place: string): Promise<{ total: number; used: number; available: number }> {
  const { stdout } = await run('df', ['-P', '-B1', place]);
  const [, total, used, available] = stdout.trim().split('\n').at(-1)?.split(/\s+/) ?? [];
  return { total: Number(total), used: Number(used), available: Number(available) };
}

describe.runIf(process.platform === 'linux').each([
  ['the files of the kernel', createLinuxProbe()],
  ['the systeminformation package', createPortableProbe()],
])('machine probe %s', (_how, probe) => {
  test('reports the partitions of df', async () => {
    const { partitions } = await probe.read();
    const root = partitions.find(({ mountPoint }) => mountPoint === '/');
    const reported = await df('/');

    expect(root?.totalBytes).toBe(reported.total);
    expectNear(root?.usedBytes, reported.used, DISK_TOLERANCE_BYTES);
    expectNear(root?.freeBytes, reported.available, DISK_TOLERANCE_BYTES);
  });

  test('reports the swap space of /proc/meminfo', async () => {
    const { swap } = await probe.read();

    expect(swap?.totalBytes).toBe(await meminfo('SwapTotal'));
    expectNear(swap?.freeBytes, await meminfo('SwapFree'), DISK_TOLERANCE_BYTES);
  });

  test('reports the bytes of /proc/net/dev', async () => {
    const { interfaces } = await probe.read();
    const table = await readFile('/proc/net/dev', 'utf8');

    expect(interfaces.map(({ name }) => name)).not.toContain('lo');
    for (const { name, sentBytes, receivedBytes } of interfaces) {
      const counts = table
        .split('\n')
        .find((line) => line.trim().startsWith(`${name}:`))
        ?.split(':')[1];
      const [received, , , , , , , , sent] = counts?.trim().split(/\s+/).map(Number) ?? [];
      expectNear(sentBytes, sent ?? Number.NaN, NETWORK_TOLERANCE_BYTES);
      expectNear(receivedBytes, received ?? Number.NaN, NETWORK_TOLERANCE_BYTES);
    }
  });

  test('reports the cores of lscpu, and some processes', async () => {
    const { physicalCpus, processes, operatingSystem } = await probe.read();
    const { stdout } = await run('lscpu', ['-p=CORE,SOCKET']);
    const cores = new Set(stdout.split('\n').filter((line) => /^\d/.test(line)));

    expect(physicalCpus).toBe(cores.size);
    expect(processes).toBeGreaterThan(1);
    expect(operatingSystem).toMatch(/\w+/);
  });
});

describe.runIf(process.platform === 'linux')('process sampler', () => {
  test('reports the memory of /proc/meminfo', async () => {
    const { memory } = new ProcessSampler().read();

    expect(memory.totalBytes).toBe(await meminfo('MemTotal'));
    expectNear(memory.freeBytes, await meminfo('MemAvailable'), DISK_TOLERANCE_BYTES);
  });

  test('reports the uptime and the load of /proc', async () => {
    const uptime = async () => Number.parseFloat(await readFile('/proc/uptime', 'utf8'));
    const load = async () => (await readFile('/proc/loadavg', 'utf8')).split(' ').slice(0, 3).map(Number);

    // The kernel updates the load every five seconds: repeats until no update falls between the readings.
    for (;;) {
      const before = { uptime: await uptime(), load: await load() };
      const { uptimeSeconds, loadAverages } = new ProcessSampler().read();
      const after = { uptime: await uptime(), load: await load() };

      expect(uptimeSeconds).toBeGreaterThanOrEqual(before.uptime - 1);
      expect(uptimeSeconds).toBeLessThanOrEqual(after.uptime + 1);
      if (isDeepStrictEqual(before.load, after.load)) {
        before.load.forEach((expected, index) => {
          expectNear(loadAverages?.[index], expected, 0.01);
        });
        return;
      }
    }
  });

  test('reports a load of 0 to 100 % for each CPU from the first reading on', () => {
    const sampler = new ProcessSampler();

    for (const { cpuLoadPercent, perCpuLoadPercent, logicalCpus, ownCpuPercent, heapPercent } of [
      sampler.read(),
      sampler.read(),
    ]) {
      expect(perCpuLoadPercent).toHaveLength(logicalCpus);
      for (const percent of [cpuLoadPercent, ...perCpuLoadPercent, ownCpuPercent, heapPercent]) {
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
      }
    }
  });

  test('reports the CPU time of this process as a share of all CPUs', () => {
    const sampler = new ProcessSampler();
    const { logicalCpus } = sampler.read();
    const startedAt = performance.now();
    const usedBefore = process.cpuUsage();
    let usedMs = 0;
    while (usedMs < 200) {
      const { user, system } = process.cpuUsage(usedBefore);
      usedMs = (user + system) / 1_000;
    }

    const leastMs = (performance.now() - startedAt) * logicalCpus;
    const { ownCpuPercent, cpuLoadPercent } = sampler.read();

    // The reading was taken between the two, which may be far apart on a busy machine.
    const mostMs = (performance.now() - startedAt) * logicalCpus;
    expect(ownCpuPercent).toBeGreaterThan((usedMs / mostMs) * 100 - 5);
    expect(ownCpuPercent).toBeLessThan((usedMs / leastMs) * 100 + 5);
    expect(cpuLoadPercent).toBeGreaterThan(ownCpuPercent / 2);
  });
});
