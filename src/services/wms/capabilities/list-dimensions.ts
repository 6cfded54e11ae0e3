/** Lists the dimensions of a layer with the values in the data. */
import { Problem } from '../../../lib/problems/problem.ts';
import { openCoverage } from '../../access/open-coverage.ts';
import { openType } from '../../access/open-type.ts';
import type { MapLayer } from '../../access/published-map.ts';
import type { PublishedType } from '../../access/published-type.ts';
import {
  createCoverageDomain,
  createFeatureDomain,
  type DimensionDomain,
} from '../../maps/dimensions/dimension-domain.ts';
import {
  hasDimensions,
  type LayerDimension,
  listCoverageDimensions,
  listLayerDimensions,
} from '../../maps/dimensions/layer-dimensions.ts';
import { findDefaultRange } from '../../maps/dimensions/select-ranges.ts';
import type { DataFingerprint } from '../../ows/capabilities-cache.ts';
import type { WmsContext } from '../context/context.ts';
import type { ListedDimension } from './content.ts';

/** More values than this are described by their ends. */
const MAX_LISTED = 1_000;

type DimensionContext = Pick<WmsContext, 'now' | 'signal'> & {
  readonly services: Pick<WmsContext['services'], 'vectorData' | 'catalog' | 'rasterData'>;
};

/**
 * Lists dimensions, and records what was listed for which layers, because that can change without a catalog change.
 */
export interface DimensionRecorder {
  list(layer: MapLayer): Promise<readonly ListedDimension[]>;
  getFingerprint(): DataFingerprint;
}

export function createDimensionRecorder(context: DimensionContext): DimensionRecorder {
  const layers: MapLayer[] = [];
  const listed: (readonly ListedDimension[])[] = [];
  return {
    async list(layer) {
      if (!hasDimensions(layer.resource)) return [];
      const found = await listDimensions(context, layer);
      layers.push(layer);
      listed.push(found);
      return found;
    },
    getFingerprint: () => ({ layers, value: JSON.stringify(listed) }),
  };
}

/** Returns the same fingerprint as long as the data is unchanged. */
export async function computeDimensionFingerprint(
  context: DimensionContext,
  layers: readonly MapLayer[],
): Promise<string> {
  const notes = createDimensionRecorder(context);
  for (const layer of layers) await notes.list(layer);
  return notes.getFingerprint().value;
}

/** Returns no dimensions if the data is unavailable, so that the capabilities do not fail. */
async function listDimensions(context: DimensionContext, layer: MapLayer): Promise<readonly ListedDimension[]> {
  try {
    return layer.type === undefined
      ? await loadCoverageDimensions(context, layer)
      : await loadFeatureDimensions(context, layer.type);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

async function loadFeatureDimensions(
  context: DimensionContext,
  type: PublishedType,
): Promise<readonly ListedDimension[]> {
  const dimensions = listLayerDimensions(type);
  if (dimensions.length === 0) return [];
  const opened = await openType(context.services.vectorData, type, context.signal);
  try {
    return await toListedDimensions(context, dimensions, (dimension) => createFeatureDomain(opened, dimension));
  } finally {
    opened.release();
  }
}

async function loadCoverageDimensions(context: DimensionContext, layer: MapLayer): Promise<readonly ListedDimension[]> {
  const { resource } = layer;
  // Avoids opening layers without dimensions.
  if (!hasDimensions(resource)) return [];
  const opened = await openCoverage(context.services, layer);
  if (opened === undefined) return [];
  return toListedDimensions(context, await listCoverageDimensions(opened), (dimension) =>
    createCoverageDomain(opened, dimension),
  );
}

async function toListedDimensions(
  context: DimensionContext,
  dimensions: readonly LayerDimension[],
  createDomain: (dimension: LayerDimension) => DimensionDomain,
): Promise<readonly ListedDimension[]> {
  const found: ListedDimension[] = [];
  for (const dimension of dimensions) found.push(await toListedDimension(context, createDomain(dimension), dimension));
  return found;
}

async function toListedDimension(
  { now }: DimensionContext,
  domain: DimensionDomain,
  dimension: LayerDimension,
): Promise<ListedDimension> {
  const usual = await findDefaultRange(domain, dimension, now());
  const { name, units, unitSymbol, isNearest } = dimension;
  return {
    name,
    units,
    unitSymbol,
    default: usual === undefined ? undefined : shortenMoment(usual.from),
    isNearest,
    values: await formatDimensionValues(domain, dimension),
  };
}

/** Omits zero milliseconds. */
function shortenMoment(value: string): string {
  return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/, '$1Z');
}

async function formatDimensionValues(domain: DimensionDomain, dimension: LayerDimension): Promise<string> {
  const all = dimension.presentation === 'LIST' ? await domain.list(MAX_LISTED) : undefined;
  if (all !== undefined) return all.join(',');
  const [low, high] = [await domain.findValue('least'), await domain.findValue('greatest')];
  return low === undefined || high === undefined ? '' : `${low}/${high}/${formatStep(dimension)}`;
}

function formatStep({ kind, presentation, resolution }: LayerDimension): string {
  const isStepped = presentation === 'DISCRETE_INTERVAL' && resolution !== undefined;
  if (kind !== 'time') return isStepped ? String(resolution) : '0';
  return isStepped ? formatDuration(resolution) : 'PT0S';
}

const lengths: readonly (readonly [name: string, ms: number])[] = [
  ['D', 86_400_000],
  ['H', 3_600_000],
  ['M', 60_000],
];

/** Formats milliseconds as an ISO 8601 duration, in the largest unit without a remainder. */
function formatDuration(ms: number): string {
  const [name, length] = lengths.find(([, each]) => ms % each === 0) ?? ['S', 1_000];
  return `P${name === 'D' ? '' : 'T'}${ms / length}${name}`;
}
