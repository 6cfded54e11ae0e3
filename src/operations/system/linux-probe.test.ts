import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseDataMounts } from './linux-partitions.ts';
import { createLinuxProbe } from './linux-probe.ts';

async function machine(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-machine-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

const netDev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     100       2    0    0    0     0          0         0      100       2    0    0    0     0       0          0
  eth0: 732167205   29400    0    0    0     0          0         0  2396414   20935    0    0    0     0       0          0
wg0.7:12 1 0 0 0 0 0 0 34 1 0 0 0 0 0 0
`;

describe('Linux probe', () => {
  test('counts cores by their thread lists where the processors do not report cores', async () => {
    const threads = (cpu: number) => `sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`;
    const root = await machine({
      'proc/cpuinfo': 'processor\t: 0\nBogoMIPS\t: 243.75\n',
      [threads(0)]: '0,2\n',
      [threads(1)]: '1\n',
      [threads(2)]: '0,2\n',
      'sys/devices/system/cpu/cpufreq/policy0': '',
    });

    expect((await createLinuxProbe(root).read()).physicalCpus).toBe(2);
  });

  test('reads the files of the kernel', async () => {
    const root = await machine({
      'etc/os-release': 'NAME="Some"\nPRETTY_NAME="Some Linux 7"\n',
      'proc/cpuinfo':
        'processor : 0\nphysical id\t: 0\ncore id\t\t: 0\n\nprocessor : 1\nphysical id\t: 0\ncore id\t\t: 0\n\nprocessor : 2\nphysical id\t: 1\ncore id\t\t: 0\n',
      'proc/meminfo': 'MemTotal:  100 kB\nSwapTotal:       2048 kB\nSwapFree:        1024 kB\n',
      'proc/loadavg': '0.52 0.58 0.59 2/345 6789\n',
      'proc/self/status': 'Name:\tnode\nThreads:\t11\n',
      'proc/1/stat': '',
      'proc/4711/stat': '',
      'proc/net/dev': netDev,
    });

    const facts = await createLinuxProbe(root).read();

    expect(facts).toMatchObject({
      operatingSystem: expect.stringMatching(/^Some Linux 7, kernel /),
      physicalCpus: 2,
      processes: 2,
      threads: 345,
      ownThreads: 11,
      swap: { totalBytes: 2_097_152, freeBytes: 1_048_576 },
      interfaces: [
        { name: 'eth0', sentBytes: 2_396_414, receivedBytes: 732_167_205 },
        { name: 'wg0.7', sentBytes: 34, receivedBytes: 12 },
      ],
    });
  });

  test('omits values that the kernel does not report', async () => {
    expect(await createLinuxProbe(await machine({})).read()).toEqual({
      operatingSystem: expect.stringMatching(/^Linux, kernel /),
      partitions: [],
      interfaces: [],
      sensors: { fanSpeedsRpm: [] },
    });
  });

  test('reports the temperature of the processor, not of hotter devices', async () => {
    const root = await machine({
      'sys/class/hwmon/hwmon0/name': 'nvme\n',
      'sys/class/hwmon/hwmon0/temp1_input': '81000\n',
      'sys/class/hwmon/hwmon1/name': 'coretemp\n',
      'sys/class/hwmon/hwmon1/temp1_input': '47500\n',
      'sys/class/hwmon/hwmon1/temp2_input': '48500\n',
      'sys/class/hwmon/hwmon10/name': 'nct6775\n',
      'sys/class/hwmon/hwmon10/in0_input': '1104\n',
      'sys/class/hwmon/hwmon10/fan1_input': '1200\n',
      'sys/class/hwmon/hwmon10/fan2_input': '0\n',
      'sys/class/hwmon/hwmon10/fan3_input': 'N/A\n',
    });

    expect((await createLinuxProbe(root).read()).sensors).toEqual({
      temperatureCelsius: 48.5,
      volts: 1.104,
      fanSpeedsRpm: [1_200, 0],
    });
  });

  test('reports the temperature of the warmest zone if no chip reports one', async () => {
    const root = await machine({
      'sys/class/thermal/thermal_zone0/temp': '31000\n',
      'sys/class/thermal/thermal_zone1/temp': '42000\n',
      'sys/class/thermal/cooling_device0/temp': '99000\n',
    });

    expect((await createLinuxProbe(root).read()).sensors.temperatureCelsius).toBe(42);
  });
});

describe('file systems with data', () => {
  const line = (device: string, place: string, type: string) =>
    `36 35 ${device} / ${place} rw,noatime master:1 - ${type} src rw`;

  test('exclude those in memory and those of the kernel', () => {
    const mounts = [line('8:1', '/', 'ext4'), line('0:5', '/proc', 'proc'), line('0:6', '/run', 'tmpfs')].join('\n');

    expect(parseDataMounts(mounts).map(({ mountPoint }) => mountPoint)).toEqual(['/']);
  });

  test('include the root of a container, but not the containers of a host', () => {
    const overlays = [line('0:40', '/', 'overlay'), line('0:41', '/var/lib/docker/overlay2/a/merged', 'overlay')];

    expect(parseDataMounts(overlays.join('\n')).map(({ mountPoint }) => mountPoint)).toEqual(['/']);
  });

  test('list each device once, at its shortest path', () => {
    const mounts = [line('8:1', '/etc/hosts', 'ext4'), line('8:1', '/srv', 'ext4'), line('8:2', '/data', 'xfs')].join(
      '\n',
    );

    expect(parseDataMounts(mounts).map(({ mountPoint }) => mountPoint)).toEqual(['/data', '/srv']);
  });

  test('may have special characters in their paths', () => {
    const mounts = line('8:1', '/my\\040disk\\134\\303\\274', 'ext4');

    expect(parseDataMounts(mounts).map(({ mountPoint }) => mountPoint)).toEqual(['/my disk\\ü']);
  });

  test('are empty for an invalid mount table', () => {
    expect(parseDataMounts('')).toEqual([]);
    expect(parseDataMounts('nonsense\n1 2 3 - \n - ext4')).toEqual([]);
  });
});
