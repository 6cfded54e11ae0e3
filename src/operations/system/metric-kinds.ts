/** Every metric of the system status: the name, category, unit and position that clients expect. */

export type MetricCategory = 'SYSTEM' | 'CPU' | 'MEMORY' | 'SWAP' | 'FILE_SYSTEM' | 'NETWORK' | 'SENSORS' | 'GEOSERVER';

export interface MetricKind {
  readonly category: MetricCategory;
  /** Display order of the metrics. */
  readonly priority: number;
  readonly unit: string;
  /** Description of the value; the name of a device replaces the braces and their content. */
  readonly description: string;
}

export const metricKinds = {
  OPERATING_SYSTEM: createMetricKind('SYSTEM', 1, '', 'Operating system'),
  SYSTEM_UPTIME: createMetricKind('SYSTEM', 2, 'sec', 'Uptime of the machine'),
  SYSTEM_AVERAGE_LOAD_1: createMetricKind('SYSTEM', 3, '', 'Load average over 1 minute'),
  SYSTEM_AVERAGE_LOAD_5: createMetricKind('SYSTEM', 3, '', 'Load average over 5 minutes'),
  SYSTEM_AVERAGE_LOAD_15: createMetricKind('SYSTEM', 3, '', 'Load average over 15 minutes'),
  PHYSICAL_CPUS: createMetricKind('CPU', 100, '', 'Physical CPUs'),
  LOGICAL_CPUS: createMetricKind('CPU', 101, '', 'Logical CPUs'),
  RUNNING_PROCESS: createMetricKind('CPU', 102, '', 'Processes'),
  RUNNING_THREADS: createMetricKind('CPU', 103, '', 'Threads'),
  CPU_LOAD: createMetricKind('CPU', 104, '%', 'Load of all CPUs'),
  PER_CPU_LOAD: createMetricKind('CPU', 105, '%', 'Load of {each CPU}'),
  MEMORY_USED: createMetricKind('MEMORY', 200, '%', 'Memory in use'),
  MEMORY_TOTAL: createMetricKind('MEMORY', 201, 'bytes', 'Total memory'),
  MEMORY_FREE: createMetricKind('MEMORY', 201, 'bytes', 'Memory available'),
  SWAP_USED: createMetricKind('SWAP', 300, '%', 'Swap space in use'),
  SWAP_TOTAL: createMetricKind('SWAP', 301, 'bytes', 'Total swap space'),
  SWAP_FREE: createMetricKind('SWAP', 302, 'bytes', 'Swap space available'),
  FILE_SYSTEM_TOTAL_USAGE: createMetricKind('FILE_SYSTEM', 400, '%', 'Disk space in use on all partitions'),
  PARTITION_USED: createMetricKind('FILE_SYSTEM', 500, '%', 'Space in use on {each partition}'),
  PARTITION_TOTAL: createMetricKind('FILE_SYSTEM', 501, 'bytes', 'Total space on {each partition}'),
  PARTITION_FREE: createMetricKind('FILE_SYSTEM', 502, 'bytes', 'Space available on {each partition}'),
  NETWORK_INTERFACES_SEND: createMetricKind('NETWORK', 800, 'bytes', 'Sent on all interfaces'),
  NETWORK_INTERFACES_RECEIVED: createMetricKind('NETWORK', 801, 'bytes', 'Received on all interfaces'),
  NETWORK_INTERFACE_SEND: createMetricKind('NETWORK', 900, 'bytes', 'Sent on {each interface}'),
  NETWORK_INTERFACE_RECEIVED: createMetricKind('NETWORK', 901, 'bytes', 'Received on {each interface}'),
  TEMPERATURE: createMetricKind('SENSORS', 1200, '°C', 'Temperature of the CPU'),
  VOLTAGE: createMetricKind('SENSORS', 1201, 'V', 'Voltage of the CPU'),
  FAN_SPEED: createMetricKind('SENSORS', 1202, 'rpm', 'Speed of {each fan}'),
  GEOSERVER_CPU_USAGE: createMetricKind('GEOSERVER', 1300, '%', 'CPU used by the server'),
  GEOSERVER_THREADS: createMetricKind('GEOSERVER', 1301, '', 'Threads of the server'),
  GEOSERVER_JVM_MEMORY_USAGE: createMetricKind('GEOSERVER', 1302, '%', 'Heap memory used by the server'),
} as const satisfies Readonly<Record<string, MetricKind>>;

export type MetricName = keyof typeof metricKinds;

function createMetricKind(category: MetricCategory, priority: number, unit: string, description: string): MetricKind {
  return { category, priority, unit, description };
}
