/** Selects the values of a dimension for a map: the requested ones, the nearest ones or the default. */
import { resolvePeriod } from '../../../filter/model/moment.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DimensionDomain } from './dimension-domain.ts';
import { type DimensionRange, isPresent, readDimension } from './dimension-values.ts';
import type { LayerDimension } from './layer-dimensions.ts';
import { measureValue } from './measure.ts';

/** Requested dimension values by lower-case name, with their limits. */
export interface DimensionRequest {
  /** The layer name for warnings. */
  readonly layer: string;
  readonly asked: ReadonlyMap<string, string>;
  readonly maxValues: number;
  readonly now: Date;
  /** Whether a value without a near match is rejected; otherwise the map is empty. */
  readonly refusesUnmatched: boolean;
  /** Sends a warning to the client if the response supports that. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** Empty if there is nothing to draw. */
export async function selectRanges(
  domain: DimensionDomain,
  dimension: LayerDimension,
  wishes: DimensionRequest,
): Promise<readonly DimensionRange[]> {
  const text = wishes.asked.get(dimension.name);
  const wish = text === undefined ? 'default' : readDimension(dimension, text, wishes);
  if (text === undefined || wish === 'default') {
    const value = await findDefaultRange(domain, dimension, wishes.now);
    return value === undefined ? [] : [value];
  }
  return dimension.isNearest ? findNearestRanges(domain, dimension, wishes, wish) : wish;
}

async function findNearestRanges(
  domain: DimensionDomain,
  dimension: LayerDimension,
  { asked, refusesUnmatched, warn, layer }: DimensionRequest,
  wish: readonly DimensionRange[],
): Promise<readonly DimensionRange[]> {
  const { name, units } = dimension;
  const near: DimensionRange[] = [];
  for (const range of wish) {
    if (range.from !== range.to) {
      near.push(range);
      continue;
    }
    const found = await findNearestRange(domain, dimension, range.from);
    if (found === undefined) {
      warn?.(`No nearest value found on layer: ${name}=${range.from} ${units} (${layer})`);
      continue;
    }
    near.push(found);
    if (measureValue(dimension, found.from) !== measureValue(dimension, range.from)) {
      warn?.(`Nearest value used: ${name}=${found.from} ${units} (${layer})`);
    }
  }
  if (near.length === 0 && refusesUnmatched) {
    const [value, expected] = [asked.get(name) ?? '', 'no value is near enough'];
    throw problem('wms-dimension-invalid', { dimension: name, value, expected, field: name });
  }
  return near;
}

/** Returns the default value; undefined if the dimension has no values. */
export async function findDefaultRange(
  domain: DimensionDomain,
  dimension: LayerDimension,
  now: Date,
): Promise<DimensionRange | undefined> {
  const { strategy, reference } = dimension.default;
  switch (strategy) {
    case 'MINIMUM':
      return toSingleRange(await domain.findValue('least'));
    case 'MAXIMUM':
      return toSingleRange(await domain.findValue('greatest'));
    case 'FIXED': {
      const wish = readDimension(dimension, reference ?? '', { maxValues: 1, now });
      return wish === 'default' ? undefined : wish[0];
    }
    case 'NEAREST': {
      const isNow = reference === undefined || isPresent(reference);
      return findNearestRange(
        domain,
        { ...dimension, acceptableInterval: undefined },
        isNow ? now.toISOString() : reference,
      );
    }
  }
}

function toSingleRange(value: string | undefined): DimensionRange | undefined {
  return value === undefined ? undefined : { from: value, to: value };
}

/** Returns the nearest existing value within the allowed distance. */
async function findNearestRange(
  domain: DimensionDomain,
  dimension: LayerDimension,
  value: string,
): Promise<DimensionRange | undefined> {
  const at = measureValue(dimension, value);
  const measured = [await domain.findValue('below', value), await domain.findValue('above', value)]
    .flatMap((each) => each ?? [])
    .filter((each) => isAcceptable(dimension, value, each))
    .map((each) => ({ each, distance: Math.abs(measureValue(dimension, each) - at) }));
  const [first] = measured.toSorted((one, other) => one.distance - other.distance);
  return toSingleRange(first?.each);
}

/** Parses `P1D`, `P1D/P0D` for before and after, or numbers. */
function isAcceptable(dimension: LayerDimension, requested: string, found: string): boolean {
  const { acceptableInterval, kind } = dimension;
  if (acceptableInterval === undefined) return true;
  const [before = '', after = before] = acceptableInterval.split('/').map((each) => each.trim());
  const [at, there] = [measureValue(dimension, requested), measureValue(dimension, found)];
  if (kind !== 'time') return there >= at - Number(before) && there <= at + Number(after);
  const [, latest] = resolvePeriod(requested, after) ?? [];
  const [earliest] = resolvePeriod(before, requested) ?? [];
  return there >= Date.parse(earliest ?? requested) && there <= Date.parse(latest ?? requested);
}
