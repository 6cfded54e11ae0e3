/** Compares two servers layer by layer. */
import { CommandError } from '../client/command.ts';
import { compareService } from './capabilities/compare-service.ts';
import type { GeographicBox, ServiceCapabilities } from './capabilities/published-layer.ts';
import { readCapabilities } from './capabilities/read-capabilities.ts';
import { compareCounts, readCount } from './features/compare-counts.ts';
import { compareSamples } from './features/compare-samples.ts';
import { compareSchemas } from './features/compare-schemas.ts';
import { readSamples } from './features/read-sample.ts';
import { readSchema } from './features/read-schema.ts';
import type { ComparedServer } from './http/compared-server.ts';
import { compareInfo, readInfo } from './maps/compare-info.ts';
import { type AreaPictures, compareMaps } from './maps/compare-maps.ts';
import { comparePair, hasFailed, type Reading, type ReadingPair } from './model/reading.ts';
import {
  type CheckName,
  type CheckStatus,
  type ComparedLayer,
  type ComparedPictures,
  type ComparedService,
  checkNames,
  type Detail,
  type DetailCode,
  rateDetails,
  type ServiceName,
  serviceNames,
} from './model/report.ts';

export interface ComparisonTask {
  readonly old: ComparedServer;
  readonly new: ComparedServer;
  readonly checks: readonly CheckName[];
  /** The names of the layers; undefined for all layers of both servers. */
  readonly layers: readonly string[] | undefined;
  readonly tolerance: number;
  /** Stores the pictures of a layer and returns their names; undefined if pictures are not kept. */
  readonly keepPictures:
    | ((layer: string, pictures: readonly AreaPictures[]) => Promise<readonly ComparedPictures[]>)
    | undefined;
}

export interface Comparison {
  readonly services: readonly ComparedService[];
  readonly layers: readonly ComparedLayer[];
}

/** More layers at once would only wait for the limit of requests. */
const LAYERS_AT_ONCE = 2;

const servicesOfChecks: Readonly<Record<CheckName, readonly ServiceName[]>> = {
  capabilities: serviceNames,
  schema: ['WFS'],
  count: ['WFS'],
  sample: ['WFS'],
  map: ['WMS'],
  info: ['WMS'],
};

type CapabilitiesPairs = ReadonlyMap<ServiceName, ReadingPair<ServiceCapabilities>>;

export async function compareServers(task: ComparisonTask): Promise<Comparison> {
  const pairs = await readAllCapabilities(task);
  const wanted = task.layers === undefined ? undefined : new Set(task.layers);
  const capabilities = compareCapabilities(task, pairs, (name) => wanted?.has(name) ?? true);
  const listed = listNames(pairs);
  for (const name of task.layers ?? []) {
    if (!listed.has(name)) throw new CommandError(`Neither server lists the layer '${name}'.`);
  }
  const names = task.layers ?? [...listed].sort();
  const layers: ComparedLayer[] = [];
  const remaining = names.entries();
  const work = async () => {
    for (const [index, name] of remaining) {
      layers[index] = await compareLayer(task, pairs, name, capabilities.layers.get(name) ?? []);
    }
  };
  await Promise.all(Array.from({ length: LAYERS_AT_ONCE }, work));
  return { services: capabilities.services, layers };
}

async function readAllCapabilities(task: ComparisonTask): Promise<CapabilitiesPairs> {
  const services = serviceNames.filter((name) => task.checks.some((check) => servicesOfChecks[check].includes(name)));
  const pairs = await Promise.all(
    services.map(async (name) => {
      const [old, renewed] = await Promise.all([readCapabilities(task.old, name), readCapabilities(task.new, name)]);
      return [name, { old, new: renewed }] as const;
    }),
  );
  for (const side of ['old', 'new'] as const) {
    const readings = pairs.map(([, pair]) => pair[side]);
    const [first] = readings;
    if (first !== undefined && hasFailed(first) && readings.every(hasFailed)) {
      throw new CommandError(`${task[side].address} returned no capabilities: ${first.failure}`);
    }
  }
  return new Map(pairs);
}

/** The layers of both servers; a layer of the new server only is listed with its difference. */
function listNames(pairs: CapabilitiesPairs): ReadonlySet<string> {
  const listed = (reading: Reading<ServiceCapabilities>) => (hasFailed(reading) ? [] : reading.value.layers.keys());
  return new Set([...pairs.values()].flatMap((pair) => [...listed(pair.old), ...listed(pair.new)]));
}

/** Without the check, only services and layers are reported that the other checks cannot compare. */
function compareCapabilities(task: ComparisonTask, pairs: CapabilitiesPairs, isWanted: (name: string) => boolean) {
  const isReported = ({ code }: Detail) => task.checks.includes('capabilities') || presenceCodes.has(code);
  const services: ComparedService[] = [];
  const layers = new Map<string, readonly Detail[]>();
  for (const [name, pair] of pairs) {
    const details = comparePair(pair, { check: 'capabilities', service: name }, (old, renewed) => {
      const compared = compareService(old, renewed, isWanted);
      for (const [layer, found] of compared.layers) {
        layers.set(layer, [...(layers.get(layer) ?? []), ...found.filter(isReported)]);
      }
      return compared.details;
    }).filter(isReported);
    services.push({ name, status: rateDetails(details), details });
  }
  return { services, layers };
}

const presenceCodes: ReadonlySet<DetailCode> = new Set([
  'layer-missing',
  'layer-extra',
  'old-failed',
  'new-failed',
  'both-failed',
]);

async function compareLayer(
  task: ComparisonTask,
  pairs: CapabilitiesPairs,
  name: string,
  capabilities: readonly Detail[],
): Promise<ComparedLayer> {
  const found = new Map<CheckName, readonly Detail[]>();
  if (task.checks.includes('capabilities') || capabilities.length > 0) found.set('capabilities', capabilities);
  const wants = (check: CheckName) => task.checks.includes(check);
  if (isOnBoth(pairs, 'WFS', name)) {
    for (const [check, run] of Object.entries(featureChecks) as [keyof typeof featureChecks, FeatureCheck][]) {
      if (wants(check)) found.set(check, await run(task, name));
    }
  }
  const box = isOnBoth(pairs, 'WMS', name) ? findBox(pairs, name) : undefined;
  let pictures: readonly ComparedPictures[] | undefined;
  if (box !== undefined && wants('map')) {
    const keepsPictures = task.keepPictures !== undefined;
    const { old, new: renewed, tolerance } = task;
    const maps = await compareMaps({ old, new: renewed, layer: name, box, tolerance, keepsPictures });
    found.set('map', maps.details);
    pictures = await task.keepPictures?.(name, maps.pictures);
  }
  if (box !== undefined && wants('info')) {
    const [old, renewed] = await Promise.all([readInfo(task.old, name, box), readInfo(task.new, name, box)]);
    found.set('info', comparePair({ old, new: renewed }, { check: 'info', service: 'WMS' }, compareInfo));
  }
  return createLayer(name, found, pictures);
}

type FeatureCheck = (servers: ComparisonTask, name: string) => Promise<readonly Detail[]>;

const featureChecks = {
  schema: async (servers, name) => {
    const [old, renewed] = await Promise.all([readSchema(servers.old, name), readSchema(servers.new, name)]);
    return comparePair({ old, new: renewed }, { check: 'schema', service: 'WFS' }, compareSchemas);
  },
  count: async (servers, name) => {
    const [old, renewed] = await Promise.all([readCount(servers.old, name), readCount(servers.new, name)]);
    return comparePair({ old, new: renewed }, { check: 'count', service: 'WFS' }, compareCounts);
  },
  sample: async (servers, name) =>
    comparePair(await readSamples(servers, name), { check: 'sample', service: 'WFS' }, compareSamples),
} as const satisfies Partial<Record<CheckName, FeatureCheck>>;

function createLayer(
  name: string,
  found: ReadonlyMap<CheckName, readonly Detail[]>,
  pictures: readonly ComparedPictures[] | undefined,
): ComparedLayer {
  const details = [...found.values()].flat();
  const rate = (check: CheckName): CheckStatus => {
    const own = found.get(check);
    return own === undefined ? 'skipped' : rateDetails(own);
  };
  const checks = Object.fromEntries(checkNames.map((check) => [check, rate(check)])) as ComparedLayer['checks'];
  const status = found.size === 0 ? 'skipped' : rateDetails(details);
  return { name, status, checks, details, ...(pictures === undefined ? {} : { pictures }) };
}

function isOnBoth(pairs: CapabilitiesPairs, service: ServiceName, name: string): boolean {
  const pair = pairs.get(service);
  return pair !== undefined && hasLayer(pair.old, name) && hasLayer(pair.new, name);
}

function hasLayer(reading: Reading<ServiceCapabilities>, name: string): boolean {
  return !hasFailed(reading) && reading.value.layers.has(name);
}

/** The box of the old server decides which area both servers draw. */
function findBox(pairs: CapabilitiesPairs, name: string): GeographicBox | undefined {
  const pair = pairs.get('WMS');
  for (const reading of pair === undefined ? [] : [pair.old, pair.new]) {
    const box = hasFailed(reading) ? undefined : reading.value.layers.get(name)?.box;
    if (box !== undefined) return box;
  }
  return undefined;
}
