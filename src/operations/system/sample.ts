/** What the machine and this process look like at one moment; whatever cannot be told here is absent. */

export interface Space {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

export interface Partition extends Space {
  readonly mountPoint: string;
  /** Total and used differ from free by what is reserved for the system. */
  readonly usedBytes: number;
}

export interface NetworkInterface {
  readonly name: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface Sensors {
  readonly temperatureCelsius?: number;
  readonly volts?: number;
  readonly fanSpeedsRpm: readonly number[];
}

/** What differs from system to system in how it is found out. */
export interface MachineFacts {
  readonly operatingSystem?: string;
  readonly physicalCpus?: number;
  readonly processes?: number;
  readonly threads?: number;
  readonly swap?: Space;
  readonly partitions: readonly Partition[];
  /** Without the loopback, which never leaves the machine. */
  readonly interfaces: readonly NetworkInterface[];
  readonly sensors: Sensors;
  /** The threads of this process. */
  readonly ownThreads?: number;
}

export interface SystemSample extends MachineFacts {
  readonly uptimeSeconds: number;
  /** Over 1, 5 and 15 minutes. */
  readonly loadAverages?: readonly [number, number, number];
  readonly logicalCpus: number;
  /** Over the time since the sample before; since the boot in the first one. */
  readonly cpuLoadPercent: number;
  readonly perCpuLoadPercent: readonly number[];
  readonly memory: Space;
  /** Of all CPUs together, over the same time. */
  readonly ownCpuPercent: number;
  /** Of what the heap may grow to. */
  readonly heapPercent: number;
}

/** Finds out what Node itself does not tell. */
export interface MachineProbe {
  read(): Promise<MachineFacts>;
}

export const noMachineFacts: MachineFacts = { partitions: [], interfaces: [], sensors: { fanSpeedsRpm: [] } };
