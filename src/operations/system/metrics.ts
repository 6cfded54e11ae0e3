/** Converts a sample to the metrics of the API: one per name, or one per device. */
import { type MetricCategory, type MetricKind, type MetricName, metricKinds } from './metric-kinds.ts';
import type { Space, SystemSample } from './sample.ts';

export interface Metric {
  readonly name: string;
  readonly available: boolean;
  readonly description: string;
  readonly unit: string;
  readonly category: MetricCategory;
  readonly priority: number;
  /** The device of the value; the name of the metric if there is only one. */
  readonly identifier: string;
  readonly value: number | string;
}

/** The value of an unavailable metric. */
const NOT_AVAILABLE = 'NOT AVAILABLE';

export function buildMetrics(sample: SystemSample): readonly Metric[] {
  const { memory, swap, partitions, interfaces, sensors } = sample;
  return [
    buildMetric('OPERATING_SYSTEM', sample.operatingSystem),
    buildMetric('SYSTEM_UPTIME', sample.uptimeSeconds),
    buildMetric('SYSTEM_AVERAGE_LOAD_1', roundIfPresent(sample.loadAverages?.[0])),
    buildMetric('SYSTEM_AVERAGE_LOAD_5', roundIfPresent(sample.loadAverages?.[1])),
    buildMetric('SYSTEM_AVERAGE_LOAD_15', roundIfPresent(sample.loadAverages?.[2])),

    buildMetric('PHYSICAL_CPUS', sample.physicalCpus),
    buildMetric('LOGICAL_CPUS', sample.logicalCpus),
    buildMetric('RUNNING_PROCESS', sample.processes),
    buildMetric('RUNNING_THREADS', sample.threads),
    buildMetric('CPU_LOAD', roundIfPresent(sample.cpuLoadPercent)),
    ...buildDeviceMetrics(sample.perCpuLoadPercent, {
      PER_CPU_LOAD: (load, index) => createDeviceReading(`CPU ${index + 1}`, index, roundIfPresent(load)),
    }),

    buildMetric('MEMORY_USED', computeUsedPercent(memory)),
    buildMetric('MEMORY_TOTAL', memory.totalBytes),
    buildMetric('MEMORY_FREE', memory.freeBytes),

    buildMetric('SWAP_USED', computeUsedPercent(swap)),
    buildMetric('SWAP_TOTAL', swap?.totalBytes),
    buildMetric('SWAP_FREE', swap?.freeBytes),

    buildMetric('FILE_SYSTEM_TOTAL_USAGE', partitions.length === 0 ? undefined : computeFullPercent(partitions)),
    // The first partition has the priorities 503 to 505, and each further one three more.
    ...buildDeviceMetrics(partitions, {
      PARTITION_USED: (each, index) => createDeviceReading(each.mountPoint, 3 * index + 3, computeFullPercent([each])),
      PARTITION_TOTAL: (each, index) => createDeviceReading(each.mountPoint, 3 * index + 3, each.totalBytes),
      PARTITION_FREE: (each, index) => createDeviceReading(each.mountPoint, 3 * index + 3, each.freeBytes),
    }),

    buildMetric('NETWORK_INTERFACES_SEND', sum(interfaces.map(({ sentBytes }) => sentBytes))),
    buildMetric('NETWORK_INTERFACES_RECEIVED', sum(interfaces.map(({ receivedBytes }) => receivedBytes))),
    ...buildDeviceMetrics(interfaces, {
      NETWORK_INTERFACE_SEND: (each, index) => createDeviceReading(each.name, 3 * index + 3, each.sentBytes),
      NETWORK_INTERFACE_RECEIVED: (each, index) => createDeviceReading(each.name, 3 * index + 3, each.receivedBytes),
    }),

    buildMetric('TEMPERATURE', sensors.temperatureCelsius),
    buildMetric('VOLTAGE', sensors.volts),
    ...buildDeviceMetrics(sensors.fanSpeedsRpm, {
      FAN_SPEED: (rpm, index) => ({
        ...createDeviceReading(`fan ${index + 1}`, index, rpm),
        name: `FAN_SPEED_${index + 1}`,
      }),
    }),

    buildMetric('GEOSERVER_CPU_USAGE', roundIfPresent(sample.ownCpuPercent)),
    buildMetric('GEOSERVER_THREADS', sample.ownThreads),
    buildMetric('GEOSERVER_JVM_MEMORY_USAGE', roundIfPresent(sample.heapPercent)),
  ];
}

interface DeviceReading {
  readonly identifier: string;
  /** The display offset from the first device of its kind. */
  readonly offset: number;
  readonly value: number | undefined;
  readonly name?: string;
}

function createDeviceReading(identifier: string, offset: number, value: number | undefined): DeviceReading {
  return { identifier, offset, value };
}

/** All metrics of each device in turn; without a device, each metric once and not available. */
function buildDeviceMetrics<D>(
  devices: readonly D[],
  readings: Partial<Record<MetricName, (each: D, index: number) => DeviceReading>>,
): readonly Metric[] {
  const names = Object.keys(readings) as MetricName[];
  if (devices.length === 0) {
    return names.map((name) => buildMetric(name, undefined));
  }
  return devices.flatMap((each, index) =>
    names.flatMap((name): Metric[] => {
      const reading = readings[name]?.(each, index);
      return reading === undefined ? [] : [buildDeviceMetric(name, reading)];
    }),
  );
}

const deviceName = /\{(.+)\}/;

function buildMetric(name: MetricName, value: number | string | undefined): Metric {
  const { category, priority, unit, description }: MetricKind = metricKinds[name];
  return {
    name,
    available: value !== undefined,
    description: description.replace(deviceName, '$1'),
    unit,
    category,
    priority,
    identifier: name,
    value: value ?? NOT_AVAILABLE,
  };
}

function buildDeviceMetric(kindName: MetricName, { identifier, offset, value, name }: DeviceReading): Metric {
  const { category, priority, unit, description }: MetricKind = metricKinds[kindName];
  return {
    name: name ?? kindName,
    available: value !== undefined,
    description: description.replace(deviceName, () => identifier),
    unit,
    category,
    priority: priority + offset,
    identifier,
    value: value ?? NOT_AVAILABLE,
  };
}

function computeUsedPercent(space: Space | undefined): number | undefined {
  return space && computePercent(space.totalBytes - space.freeBytes, space.totalBytes);
}

/** As in `df`: space reserved for the system is neither used nor free. */
function computeFullPercent(spaces: readonly { usedBytes: number; freeBytes: number }[]): number {
  const usedBytes = sum(spaces.map((each) => each.usedBytes)) ?? 0;
  const freeBytes = sum(spaces.map((each) => each.freeBytes)) ?? 0;
  return computePercent(usedBytes, usedBytes + freeBytes);
}

/** A machine without swap uses 0 %. */
function computePercent(part: number, whole: number): number {
  return whole > 0 ? round((part / whole) * 100) : 0;
}

function sum(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0);
}

function roundIfPresent(value: number | undefined): number | undefined {
  return value === undefined ? undefined : round(value);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
