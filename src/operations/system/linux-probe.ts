/** Reads machine values from the files of the Linux kernel, without starting a program. */
import { readdir, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { PartitionReader } from './linux-partitions.ts';
import { readSensors } from './linux-sensors.ts';
import type { MachineFacts, MachineProbe, NetworkInterface, Space } from './sample.ts';

/** `root` is the parent of `/proc`, `/sys` and `/etc`; tests use another one. */
export function createLinuxProbe(root = '/'): MachineProbe {
  const partitions = new PartitionReader(root);
  let constants: Promise<Pick<MachineFacts, 'operatingSystem' | 'physicalCpus'>> | undefined;
  const readTextOrEmpty = (path: string) => readFile(join(root, path), 'utf8').catch(() => '');

  return {
    async read() {
      constants ??= readConstants(root, readTextOrEmpty);
      const [fixed, meminfo, netDev, loadavg, ownStatus, processes, spaces, sensors] = await Promise.all([
        constants,
        readTextOrEmpty('proc/meminfo'),
        readTextOrEmpty('proc/net/dev'),
        readTextOrEmpty('proc/loadavg'),
        readTextOrEmpty('proc/self/status'),
        countProcesses(join(root, 'proc')),
        partitions.read(),
        readSensors(root),
      ]);
      const swap = parseSwap(meminfo);
      const threads = matchNumber(/ \d+\/(\d+) /, loadavg);
      const ownThreads = matchNumber(/^Threads:\s+(\d+)$/m, ownStatus);
      return {
        ...fixed,
        partitions: spaces,
        interfaces: parseInterfaces(netDev),
        sensors,
        ...(processes === undefined ? {} : { processes }),
        ...(threads === undefined ? {} : { threads }),
        ...(swap === undefined ? {} : { swap }),
        ...(ownThreads === undefined ? {} : { ownThreads }),
      };
    },
  };
}

async function readConstants(
  root: string,
  text: (path: string) => Promise<string>,
): Promise<Pick<MachineFacts, 'operatingSystem' | 'physicalCpus'>> {
  const [osRelease, cpuinfo] = await Promise.all([text('etc/os-release'), text('proc/cpuinfo')]);
  const name = /^PRETTY_NAME="?([^"\n]{1,100})"?$/m.exec(osRelease)?.[1] ?? 'Linux';
  const physicalCpus = countListedCores(cpuinfo) ?? (await countCores(join(root, 'sys/devices/system/cpu')));
  return {
    operatingSystem: `${name}, kernel ${release()}`,
    ...(physicalCpus === undefined ? {} : { physicalCpus }),
  };
}

/** Threads of one core share its number; ARM processors do not report cores here. */
function countListedCores(cpuinfo: string): number | undefined {
  const cores = cpuinfo.split(/\n\s*\n/).flatMap((cpu) => {
    const core = matchNumber(/^core id\s*:\s*(\d+)$/m, cpu);
    return core === undefined ? [] : [`${matchNumber(/^physical id\s*:\s*(\d+)$/m, cpu) ?? 0}.${core}`];
  });
  return cores.length === 0 ? undefined : new Set(cores).size;
}

/** All threads of a core have the same list. */
async function countCores(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => []);
  const lists = await Promise.all(
    names
      .filter((name) => /^cpu\d+$/.test(name))
      .map((name) => readFile(join(folder, name, 'topology/thread_siblings_list'), 'utf8').catch(() => '')),
  );
  const cores = new Set(lists.filter((list) => list !== ''));
  return cores.size === 0 ? undefined : cores.size;
}

async function countProcesses(proc: string): Promise<number | undefined> {
  const names = await readdir(proc).catch(() => []);
  const count = names.filter((name) => /^\d+$/.test(name)).length;
  return count === 0 ? undefined : count;
}

function parseSwap(meminfo: string): Space | undefined {
  const totalKb = matchNumber(/^SwapTotal:\s+(\d+) kB$/m, meminfo);
  const freeKb = matchNumber(/^SwapFree:\s+(\d+) kB$/m, meminfo);
  return totalKb === undefined || freeKb === undefined
    ? undefined
    : { totalBytes: totalKb * 1_024, freeBytes: freeKb * 1_024 };
}

/** Lines of a name, eight receive counters and eight transmit counters; the first of each is bytes. */
function parseInterfaces(netDev: string): readonly NetworkInterface[] {
  return netDev.split('\n').flatMap((line): NetworkInterface[] => {
    const [name = '', counts = ''] = line.split(/:(.*)/s);
    const [received, , , , , , , , sent] = counts.trim().split(/\s+/).map(Number);
    return name.trim() !== 'lo' && isCount(received) && isCount(sent)
      ? [{ name: name.trim(), sentBytes: sent, receivedBytes: received }]
      : [];
  });
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value);
}

function matchNumber(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
