import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metricKinds } from './metric-kinds.ts';
import { buildMetrics } from './metrics.ts';
import { noMachineFacts, type SystemSample } from './sample.ts';

const bare: SystemSample = {
  ...noMachineFacts,
  uptimeSeconds: 3_600,
  logicalCpus: 2,
  cpuLoadPercent: 12.345,
  perCpuLoadPercent: [10, 14.69],
  memory: { totalBytes: 1_000, freeBytes: 250 },
  ownCpuPercent: 1,
  heapPercent: 2,
};

const rich: SystemSample = {
  ...bare,
  operatingSystem: 'Some Linux',
  loadAverages: [0.5, 1, 1.5],
  physicalCpus: 1,
  processes: 90,
  threads: 300,
  ownThreads: 11,
  swap: { totalBytes: 400, freeBytes: 100 },
  partitions: [
    { mountPoint: '/', totalBytes: 1_000, usedBytes: 300, freeBytes: 600 },
    { mountPoint: '/data', totalBytes: 2_000, usedBytes: 500, freeBytes: 1_500 },
  ],
  interfaces: [
    { name: 'eth0', sentBytes: 5, receivedBytes: 7 },
    { name: 'eth1', sentBytes: 10, receivedBytes: 20 },
  ],
  sensors: { temperatureCelsius: 48.5, volts: 1.1, fanSpeedsRpm: [900, 1_000] },
};

/** Name, priority and unit of every metric, as documented. */
const known: readonly (readonly [category: string, name: string, priority: number, unit: string])[] = [
  ['SYSTEM', 'OPERATING_SYSTEM', 1, ''],
  ['SYSTEM', 'SYSTEM_UPTIME', 2, 'sec'],
  ['SYSTEM', 'SYSTEM_AVERAGE_LOAD_1', 3, ''],
  ['SYSTEM', 'SYSTEM_AVERAGE_LOAD_5', 3, ''],
  ['SYSTEM', 'SYSTEM_AVERAGE_LOAD_15', 3, ''],
  ['CPU', 'PHYSICAL_CPUS', 100, ''],
  ['CPU', 'LOGICAL_CPUS', 101, ''],
  ['CPU', 'RUNNING_PROCESS', 102, ''],
  ['CPU', 'RUNNING_THREADS', 103, ''],
  ['CPU', 'CPU_LOAD', 104, '%'],
  ['CPU', 'PER_CPU_LOAD', 105, '%'],
  ['MEMORY', 'MEMORY_USED', 200, '%'],
  ['MEMORY', 'MEMORY_TOTAL', 201, 'bytes'],
  ['MEMORY', 'MEMORY_FREE', 201, 'bytes'],
  ['SWAP', 'SWAP_USED', 300, '%'],
  ['SWAP', 'SWAP_TOTAL', 301, 'bytes'],
  ['SWAP', 'SWAP_FREE', 302, 'bytes'],
  ['FILE_SYSTEM', 'FILE_SYSTEM_TOTAL_USAGE', 400, '%'],
  ['FILE_SYSTEM', 'PARTITION_USED', 503, '%'],
  ['FILE_SYSTEM', 'PARTITION_TOTAL', 504, 'bytes'],
  ['FILE_SYSTEM', 'PARTITION_FREE', 505, 'bytes'],
  ['NETWORK', 'NETWORK_INTERFACES_SEND', 800, 'bytes'],
  ['NETWORK', 'NETWORK_INTERFACES_RECEIVED', 801, 'bytes'],
  ['NETWORK', 'NETWORK_INTERFACE_SEND', 903, 'bytes'],
  ['NETWORK', 'NETWORK_INTERFACE_RECEIVED', 904, 'bytes'],
  ['SENSORS', 'TEMPERATURE', 1_200, '°C'],
  ['SENSORS', 'VOLTAGE', 1_201, 'V'],
  ['SENSORS', 'FAN_SPEED_1', 1_202, 'rpm'],
  ['GEOSERVER', 'GEOSERVER_CPU_USAGE', 1_300, '%'],
  ['GEOSERVER', 'GEOSERVER_THREADS', 1_301, ''],
  ['GEOSERVER', 'GEOSERVER_JVM_MEMORY_USAGE', 1_302, '%'],
];

describe('machine metrics', () => {
  test.each(known)('contain in %s the metric %s with its priority and unit', (category, name, priority, unit) => {
    const found = buildMetrics(rich).find((metric) => metric.name === name);

    expect(found).toMatchObject({ category, name, priority, unit, available: true });
  });

  test('contain every name once and mostly not available on a machine without data', () => {
    const metrics = buildMetrics({ ...bare, perCpuLoadPercent: [] });

    expect(metrics.map(({ name }) => name)).toEqual(Object.keys(metricKinds));
    expect(metrics).toHaveLength(31);
    for (const { name, available, value, identifier } of metrics.filter((metric) => !metric.available)) {
      expect({ available, value, identifier }).toEqual({ available: false, value: 'NOT AVAILABLE', identifier: name });
    }
    expect(metrics.find(({ name }) => name === 'TEMPERATURE')?.available).toBe(false);
  });

  test('repeat for each CPU, partition, interface and fan', () => {
    const devices = buildMetrics(rich).filter(({ name, identifier }) => name !== identifier);

    expect(devices.map(({ name, identifier, priority, value }) => [name, identifier, priority, value])).toEqual([
      ['PER_CPU_LOAD', 'CPU 1', 105, 10],
      ['PER_CPU_LOAD', 'CPU 2', 106, 14.69],
      ['PARTITION_USED', '/', 503, 33.33],
      ['PARTITION_TOTAL', '/', 504, 1_000],
      ['PARTITION_FREE', '/', 505, 600],
      ['PARTITION_USED', '/data', 506, 25],
      ['PARTITION_TOTAL', '/data', 507, 2_000],
      ['PARTITION_FREE', '/data', 508, 1_500],
      ['NETWORK_INTERFACE_SEND', 'eth0', 903, 5],
      ['NETWORK_INTERFACE_RECEIVED', 'eth0', 904, 7],
      ['NETWORK_INTERFACE_SEND', 'eth1', 906, 10],
      ['NETWORK_INTERFACE_RECEIVED', 'eth1', 907, 20],
      ['FAN_SPEED_1', 'fan 1', 1_202, 900],
      ['FAN_SPEED_2', 'fan 2', 1_203, 1_000],
    ]);
  });

  test('include totals of all devices', () => {
    const values = new Map(buildMetrics(rich).map(({ name, value }) => [name, value]));

    expect(values.get('FILE_SYSTEM_TOTAL_USAGE')).toBe(27.59);
    expect(values.get('NETWORK_INTERFACES_SEND')).toBe(15);
    expect(values.get('NETWORK_INTERFACES_RECEIVED')).toBe(27);
    expect(values.get('CPU_LOAD')).toBe(12.35);
    expect(values.get('MEMORY_USED')).toBe(75);
    expect(values.get('SWAP_USED')).toBe(75);
  });

  test('report 0 % without swap', () => {
    const metrics = buildMetrics({ ...rich, swap: { totalBytes: 0, freeBytes: 0 } });

    expect(metrics.find(({ name }) => name === 'SWAP_USED')).toMatchObject({ available: true, value: 0 });
  });

  test('use the names of devices unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (mountPoint) => {
        const partitions = [{ mountPoint, totalBytes: 1, usedBytes: 1, freeBytes: 0 }];

        const metric = buildMetrics({ ...rich, partitions }).find(({ name }) => name === 'PARTITION_USED');

        expect(metric).toMatchObject({
          identifier: mountPoint,
          description: `Space in use on ${mountPoint}`,
          value: 100,
        });
      }),
    );
  });
});
