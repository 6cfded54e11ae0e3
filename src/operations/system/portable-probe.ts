/** Reads machine values through the systeminformation package, for systems other than Linux. */
import type { MachineFacts, MachineProbe, NetworkInterface, Partition } from './sample.ts';

type SystemInformation = typeof import('systeminformation');

/** The package is loaded on the first reading, because it is large and Linux does not need it. */
export function createPortableProbe(): MachineProbe {
  let loaded: Promise<SystemInformation> | undefined;
  let constants: Promise<Pick<MachineFacts, 'operatingSystem' | 'physicalCpus'>> | undefined;
  return {
    async read() {
      loaded ??= import('systeminformation').then((module) => module.default);
      const information = await loaded;
      constants ??= readConstants(information);
      const [fixed, memory, fileSystems, network, load, temperature] = await Promise.all([
        constants,
        information.mem(),
        information.fsSize(),
        information.networkStats('*'),
        information.processes(),
        information.cpuTemperature(),
      ]);
      const celsius = toFinite(temperature.main ?? Number.NaN);
      return {
        ...fixed,
        swap: { totalBytes: memory.swaptotal, freeBytes: memory.swapfree },
        partitions: fileSystems.flatMap(toPartitions),
        interfaces: network.filter(({ iface }) => !/^lo\d*$/.test(iface)).map(toNetworkInterface),
        ...(load.all > 0 ? { processes: load.all } : {}),
        sensors: { fanSpeedsRpm: [], ...(celsius === undefined ? {} : { temperatureCelsius: celsius }) },
      };
    },
  };
}

async function readConstants(
  information: SystemInformation,
): Promise<Pick<MachineFacts, 'operatingSystem' | 'physicalCpus'>> {
  const [system, cpu] = await Promise.all([information.osInfo(), information.cpu()]);
  return {
    operatingSystem: [system.distro, system.release, system.arch].filter((word) => word !== '').join(' '),
    ...(cpu.physicalCores > 0 ? { physicalCpus: cpu.physicalCores } : {}),
  };
}

function toPartitions(found: { mount: string; size: number; used: number; available: number }): Partition[] {
  return found.size > 0
    ? [{ mountPoint: found.mount, totalBytes: found.size, usedBytes: found.used, freeBytes: found.available }]
    : [];
}

function toNetworkInterface(found: { iface: string; tx_bytes: number; rx_bytes: number }): NetworkInterface {
  return { name: found.iface, sentBytes: found.tx_bytes, receivedBytes: found.rx_bytes };
}

function toFinite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
