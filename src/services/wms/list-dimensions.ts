/** The dimensions of a layer as the capabilities list them, with the values that are in the data. */
import { Problem } from '../../lib/problem.ts';
import { type OpenedType, openType } from '../door/open-type.ts';
import type { MapLayer } from '../door/published-map.ts';
import { distinctValues, valueBeside } from '../maps/dimensions/dimension-domain.ts';
import { defaultValue } from '../maps/dimensions/dimension-filter.ts';
import { dimensionsOf, type LayerDimension } from '../maps/dimensions/layer-dimensions.ts';
import type { ListedDimension } from './capabilities/content.ts';
import type { WmsContext } from './context.ts';

/** More values than this are told by their ends. */
const MAX_LISTED = 1_000;

type DimensionContext = Pick<WmsContext, 'now' | 'signal'> & {
  readonly services: Pick<WmsContext['services'], 'vectorData'>;
};

/** None where the data cannot be had: lists do without it. */
export async function listedDimensions(
  context: DimensionContext,
  { type }: MapLayer,
): Promise<readonly ListedDimension[]> {
  const dimensions = type === undefined ? [] : dimensionsOf(type);
  if (type === undefined || dimensions.length === 0) return [];
  try {
    const opened = await openType(context.services.vectorData, type, context.signal);
    try {
      const listed: ListedDimension[] = [];
      for (const dimension of dimensions) listed.push(await listedDimension(context, opened, dimension));
      return listed;
    } finally {
      opened.release();
    }
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

async function listedDimension(
  { now }: DimensionContext,
  opened: OpenedType,
  dimension: LayerDimension,
): Promise<ListedDimension> {
  const usual = await defaultValue(opened, dimension, now());
  const { name, units, unitSymbol, isNearest } = dimension;
  return {
    name,
    units,
    unitSymbol,
    default: usual === undefined ? undefined : shortMoment(usual.from),
    isNearest,
    values: await valuesOf(opened, dimension),
  };
}

/** Without thousandths of seconds where there are none. */
function shortMoment(value: string): string {
  return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/, '$1Z');
}

async function valuesOf(opened: OpenedType, dimension: LayerDimension): Promise<string> {
  const all = dimension.presentation === 'LIST' ? await distinctValues(opened, dimension, MAX_LISTED) : undefined;
  if (all !== undefined) return all.join(',');
  const [low, high] = [await valueBeside(opened, dimension, 'least'), await valueBeside(opened, dimension, 'greatest')];
  return low === undefined || high === undefined ? '' : `${low}/${high}/${stepOf(dimension)}`;
}

function stepOf({ kind, presentation, resolution }: LayerDimension): string {
  const isStepped = presentation === 'DISCRETE_INTERVAL' && resolution !== undefined;
  if (kind !== 'time') return isStepped ? String(resolution) : '0';
  return isStepped ? durationOf(resolution) : 'PT0S';
}

const lengths: readonly (readonly [name: string, ms: number])[] = [
  ['D', 86_400_000],
  ['H', 3_600_000],
  ['M', 60_000],
];

/** Milliseconds as ISO 8601 writes them, in the greatest unit that they are whole in. */
function durationOf(ms: number): string {
  const [name, length] = lengths.find(([, each]) => ms % each === 0) ?? ['S', 1_000];
  return `P${name === 'D' ? '' : 'T'}${ms / length}${name}`;
}
