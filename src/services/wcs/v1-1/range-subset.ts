/** Reads RangeSubset of WCS 1.1.1, such as `contents:linear[Bands[red,2]]`. */
import { problem } from '../../../lib/problems/problem.ts';
import { findInterpolation, type Interpolation } from '../../../raster/warp/interpolate.ts';
import { readList } from '../../ows/parameters.ts';
import { createKind, createParameterProblem, type ParameterKind } from '../../ows/service-parameters.ts';

/** Every coverage has one field, whose axis has the bands. */
export const FIELD = 'contents';
export const AXIS = 'Bands';

export interface RangeSubset {
  readonly interpolation: Interpolation;
  /** Undefined for all. */
  readonly bands: readonly string[] | undefined;
}

/** Spaces are trimmed later: patterns for them would take quadratic time. */
const SUBSET = /^([^:;[\]]+)(?::([^;[\]]*))?(?:\[([^;[\]]+)\[([^;[\]]*)\]\])?$/;

export const rangeSubset: ParameterKind<RangeSubset> = createKind<RangeSubset>(
  `${FIELD}, ${FIELD}:linear or ${FIELD}:linear[${AXIS}[red,2]]`,
  (text) => {
    const [, field, method, axis, keys] = (SUBSET.exec(text.trim()) ?? []).map((part) => part?.trim());
    if (field === undefined) return undefined;
    if (field.toLowerCase() !== FIELD) throw createParameterProblem('rangeSubset', field, `the field ${FIELD}`);
    if (axis !== undefined && !/^bands?$/i.test(axis)) {
      throw createParameterProblem('rangeSubset', axis, `the axis ${AXIS}`);
    }
    return { interpolation: readInterpolation(method), bands: keys === undefined ? undefined : readList(keys) };
  },
  { interpolation: 'nearest', bands: undefined },
);

/** Methods may be URNs, whose last part is the name. */
function readInterpolation(method: string | undefined): Interpolation {
  if (method === undefined || method.trim() === '') return 'nearest';
  const found = findInterpolation(method.slice(Math.max(method.lastIndexOf(':'), method.lastIndexOf('/')) + 1));
  if (found === undefined) throw problem('wcs-interpolation-unknown', { method, field: 'rangeSubset' });
  return found;
}
