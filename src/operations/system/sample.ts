/** A sample of the machine and this process; unavailable values are absent. */

export interface Space {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

export interface Partition extends Space {
  readonly mountPoint: string;
  /** Total is more than used plus free by the space reserved for the system. */
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

/** The values that depend on the platform. */
export interface MachineFacts {
  readonly operatingSystem?: string;
  readonly physicalCpus?: number;
  readonly processes?: number;
  readonly threads?: number;
  readonly swap?: Space;
  readonly partitions: readonly Partition[];
  /** Without the loopback interface. */
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
  /** Since the previous sample; since the boot in the first one. */
  readonly cpuLoadPercent: number;
  readonly perCpuLoadPercent: readonly number[];
  readonly memory: Space;
  /** Of all CPUs together, over the same time. */
  readonly ownCpuPercent: number;
  /** Share of the heap limit. */
  readonly heapPercent: number;
}

/** Reads values that Node itself does not provide. */
export interface MachineProbe {
  read(): Promise<MachineFacts>;
}

export const noMachineFacts: MachineFacts = { partitions: [], interfaces: [], sensors: { fanSpeedsRpm: [] } };
