/** A sample of the system -> the metrics clients read: one for each name, or one for each device. */
import { type MetricCategory, type MetricKind, type MetricName, metricKinds } from './metric-kinds.ts';
import type { Space, SystemSample } from './sample.ts';

export interface Metric {
  readonly name: string;
  readonly available: boolean;
  readonly description: string;
  readonly unit: string;
  readonly category: MetricCategory;
  readonly priority: number;
  /** The device the value belongs to; the name of the metric where there is only one. */
  readonly identifier: string;
  readonly value: number | string;
}

/** The value of a metric that this machine cannot tell. */
const NOT_AVAILABLE = 'NOT AVAILABLE';

export function metricsOf(sample: SystemSample): readonly Metric[] {
  const { memory, swap, partitions, interfaces, sensors } = sample;
  return [
    single('OPERATING_SYSTEM', sample.operatingSystem),
    single('SYSTEM_UPTIME', sample.uptimeSeconds),
    single('SYSTEM_AVERAGE_LOAD_1', hundredths(sample.loadAverages?.[0])),
    single('SYSTEM_AVERAGE_LOAD_5', hundredths(sample.loadAverages?.[1])),
    single('SYSTEM_AVERAGE_LOAD_15', hundredths(sample.loadAverages?.[2])),

    single('PHYSICAL_CPUS', sample.physicalCpus),
    single('LOGICAL_CPUS', sample.logicalCpus),
    single('RUNNING_PROCESS', sample.processes),
    single('RUNNING_THREADS', sample.threads),
    single('CPU_LOAD', hundredths(sample.cpuLoadPercent)),
    ...perDevice(sample.perCpuLoadPercent, {
      PER_CPU_LOAD: (load, index) => device(`CPU ${index + 1}`, index, hundredths(load)),
    }),

    single('MEMORY_USED', usedPercent(memory)),
    single('MEMORY_TOTAL', memory.totalBytes),
    single('MEMORY_FREE', memory.freeBytes),

    single('SWAP_USED', usedPercent(swap)),
    single('SWAP_TOTAL', swap?.totalBytes),
    single('SWAP_FREE', swap?.freeBytes),

    single('FILE_SYSTEM_TOTAL_USAGE', partitions.length === 0 ? undefined : fullPercent(partitions)),
    // Clients know the first partition by the priorities 503 to 505, and each further one by three more.
    ...perDevice(partitions, {
      PARTITION_USED: (each, index) => device(each.mountPoint, 3 * index + 3, fullPercent([each])),
      PARTITION_TOTAL: (each, index) => device(each.mountPoint, 3 * index + 3, each.totalBytes),
      PARTITION_FREE: (each, index) => device(each.mountPoint, 3 * index + 3, each.freeBytes),
    }),

    single('NETWORK_INTERFACES_SEND', sum(interfaces.map(({ sentBytes }) => sentBytes))),
    single('NETWORK_INTERFACES_RECEIVED', sum(interfaces.map(({ receivedBytes }) => receivedBytes))),
    ...perDevice(interfaces, {
      NETWORK_INTERFACE_SEND: (each, index) => device(each.name, 3 * index + 3, each.sentBytes),
      NETWORK_INTERFACE_RECEIVED: (each, index) => device(each.name, 3 * index + 3, each.receivedBytes),
    }),

    single('TEMPERATURE', sensors.temperatureCelsius),
    single('VOLTAGE', sensors.volts),
    ...perDevice(sensors.fanSpeedsRpm, {
      FAN_SPEED: (rpm, index) => ({ ...device(`fan ${index + 1}`, index, rpm), name: `FAN_SPEED_${index + 1}` }),
    }),

    single('GEOSERVER_CPU_USAGE', hundredths(sample.ownCpuPercent)),
    single('GEOSERVER_THREADS', sample.ownThreads),
    single('GEOSERVER_JVM_MEMORY_USAGE', hundredths(sample.heapPercent)),
  ];
}

interface DeviceReading {
  readonly identifier: string;
  /** How far behind the first device of its kind it is shown. */
  readonly offset: number;
  readonly value: number | undefined;
  readonly name?: string;
}

function device(identifier: string, offset: number, value: number | undefined): DeviceReading {
  return { identifier, offset, value };
}

/** All the metrics of each device in turn; without a device, each metric once and not available. */
function perDevice<D>(
  devices: readonly D[],
  readings: Partial<Record<MetricName, (each: D, index: number) => DeviceReading>>,
): readonly Metric[] {
  const names = Object.keys(readings) as MetricName[];
  if (devices.length === 0) {
    return names.map((name) => single(name, undefined));
  }
  return devices.flatMap((each, index) =>
    names.flatMap((name): Metric[] => {
      const reading = readings[name]?.(each, index);
      return reading === undefined ? [] : [metric(name, reading)];
    }),
  );
}

const deviceName = /\{(.+)\}/;

function single(name: MetricName, value: number | string | undefined): Metric {
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

function metric(kindName: MetricName, { identifier, offset, value, name }: DeviceReading): Metric {
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

function usedPercent(space: Space | undefined): number | undefined {
  return space && shareOf(space.totalBytes - space.freeBytes, space.totalBytes);
}

/** As `df` counts: what is reserved for the system is neither used nor free. */
function fullPercent(spaces: readonly { usedBytes: number; freeBytes: number }[]): number {
  const usedBytes = sum(spaces.map((each) => each.usedBytes)) ?? 0;
  const freeBytes = sum(spaces.map((each) => each.freeBytes)) ?? 0;
  return shareOf(usedBytes, usedBytes + freeBytes);
}

/** Nothing of nothing is 0 %: a machine without swap uses none. */
function shareOf(part: number, whole: number): number {
  return whole > 0 ? round((part / whole) * 100) : 0;
}

function sum(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0);
}

function hundredths(value: number | undefined): number | undefined {
  return value === undefined ? undefined : round(value);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
