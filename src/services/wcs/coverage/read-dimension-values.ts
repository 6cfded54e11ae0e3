/** Reads the dimension values of WCS 1.0 and 1.1: lists of values and ranges, as in WMS. */
import type { DimensionValue } from '../../../raster/pictures/dimension-options.ts';
import { readDimension } from '../../maps/dimensions/dimension-values.ts';
import type { Parameters } from '../../ows/parameters.ts';
import {
  declareFamily,
  declareParameter,
  readParameter,
  type ServiceParameter,
  text,
} from '../../ows/service-parameters.ts';
import type { Subset } from './subset.ts';

export const dimensionParameters = {
  elevation: declareParameter('elevation', text, 'Elevations: a value, a list, or a range such as 0/100.'),
  dimensions: declareFamily('dim_', 'Values of another dimension of the coverage.'),
};

/** More values than this are rejected before they are compared with the data. */
const MAX_VALUES = 100;

/** Reads the time, the elevation and other dimensions. The name of the time parameter depends on the version. */
export function readDimensionSubsets(
  parameters: Parameters,
  time: ServiceParameter<string | undefined>,
  now: Date,
): readonly Subset[] {
  const others = [...parameters].filter(([name]) => name.startsWith(PREFIX));
  return [
    ...readSubsets('time', time.name, readParameter(parameters, time), now),
    ...readSubsets('elevation', 'elevation', readParameter(parameters, dimensionParameters.elevation), now),
    ...others.flatMap(([name, value]) => readSubsets(name.slice(PREFIX.length), name, value, now)),
  ];
}

const PREFIX = 'dim_';

function readSubsets(axis: string, field: string, value: string | undefined, now: Date): readonly Subset[] {
  if (value === undefined) return [];
  const kind = axis === 'time' ? 'time' : axis === 'elevation' || isNumeric(value) ? 'number' : 'text';
  const ranges = readDimension({ name: field, kind }, value, { maxValues: MAX_VALUES, now });
  const toValue = (each: string): DimensionValue =>
    kind === 'time' ? new Date(each) : kind === 'number' ? Number(each) : each;
  // The word `current` selects the default, which is the whole dimension.
  if (ranges === 'default') return [];
  return ranges.map(({ from, to }) => {
    const low = toValue(from);
    return { axis, field, crs: undefined, low, high: from === to ? low : toValue(to) };
  });
}

function isNumeric(value: string): boolean {
  return value.split(/[,/]/).every((each) => each.trim() !== '' && Number.isFinite(Number(each)));
}
