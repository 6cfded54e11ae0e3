/** Problems with WCS requests. */
import { excerpt } from '../../../text/excerpt.ts';
import { enumerate, formatCount } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const wcsProblems = {
  'wcs-coverage-unknown': defineProblemKind(
    404,
    'No coverage has that identifier, or the user has no access to it.',
    (d: { id: string }) => `Unknown coverage '${excerpt(d.id)}'.`,
  ),
  'wcs-axis-unknown': defineProblemKind(
    404,
    'The coverage has no axis of that name.',
    (d: { axis: string; axes: readonly string[] }) =>
      `The coverage has no axis '${excerpt(d.axis)}'. Its axes are ${d.axes.join(', ')}.`,
  ),
  'wcs-band-unknown': defineProblemKind(
    404,
    'The coverage has no band of that name.',
    (d: { band: string; bands: readonly string[] }) =>
      `The coverage has no band '${excerpt(d.band)}'. Its bands are ${d.bands.slice(0, 20).join(', ')}.`,
  ),
  'wcs-crs-unknown': defineProblemKind(
    404,
    'The coordinate reference system is unknown.',
    (d: { crs: string }) =>
      `Unknown coordinate reference system '${excerpt(d.crs)}'. Expected a name such as EPSG:4326 or http://www.opengis.net/def/crs/EPSG/0/4326.`,
  ),
  'wcs-version-unknown': defineProblemKind(
    400,
    'The WCS version is not supported.',
    (d: { asked: readonly string[]; spoken: readonly string[] }) =>
      `Unsupported WCS version: ${enumerate(d.asked.map(excerpt), d.asked.length)}. Supported versions: ${d.spoken.join(', ')}.`,
  ),
  'wcs-subset-invalid': defineProblemKind(
    404,
    'A subset is outside of the coverage, or its bounds are reversed.',
    (d: { subset: string; expected: string }) => `Invalid subset '${excerpt(d.subset)}': ${d.expected}.`,
  ),
  'wcs-scale-factor-invalid': defineProblemKind(
    404,
    'The scale factor is invalid.',
    (d: { value: string }) => `Invalid scale factor '${excerpt(d.value)}'. Expected a number greater than 0.`,
  ),
  'wcs-extent-invalid': defineProblemKind(
    404,
    'The target size of a scaling is invalid.',
    (d: { value: string; expected: string }) => `Invalid target size '${excerpt(d.value)}': ${d.expected}.`,
  ),
  'wcs-scale-axis-unknown': defineProblemKind(
    404,
    'The coverage has no scalable axis of that name.',
    (d: { axis: string }) =>
      `The coverage cannot be scaled along '${excerpt(d.axis)}'. Scalable axes are i and j, and the axes of the coverage that correspond to them.`,
  ),
  'wcs-interpolation-unknown': defineProblemKind(
    404,
    'The interpolation method is not supported.',
    (d: { method: string }) =>
      `Unsupported interpolation '${excerpt(d.method)}'. Supported methods: nearest-neighbor, linear and cubic.`,
  ),
  'wcs-format-unsuited': defineProblemKind(
    400,
    'The format does not support the bands or the sample type of the coverage.',
    (d: { format: string; takes: string; bands: number; type: string }) =>
      `${d.format} supports ${d.takes}; this coverage has ${formatCount(d.bands, 'band')} of ${d.type}. Request GeoTIFF, or other bands.`,
  ),
  'wcs-nothing-in-crs': defineProblemKind(
    400,
    'The requested area cannot be represented in the requested coordinate reference system.',
    () => 'No part of the requested area can be represented in the requested coordinate reference system.',
  ),
  'wcs-coverage-without-place': defineProblemKind(
    400,
    'The data has no georeference.',
    () => 'The data of this coverage has no georeference, so parts of it cannot be selected.',
  ),
  'wcs-input-too-large': defineProblemKind(
    400,
    'The response would require more samples of the data than the limit.',
    (d: { width: number; height: number; megabytes: number }) =>
      `The response would require ${d.width} by ${d.height} samples of the data, which exceeds the limit of ${d.megabytes} MB. Request a smaller part.`,
  ),
  'wcs-values-too-many': defineProblemKind(
    400,
    'A subset contains more values of a dimension than the limit.',
    (d: { subset: string; most: number }) =>
      `The subset '${excerpt(d.subset)}' contains more than ${formatCount(d.most, 'value')}. Request fewer values.`,
  ),
  'wcs-coverage-too-large': defineProblemKind(
    400,
    'The response would contain more samples than the limit.',
    (d: { width: number; height: number; megabytes: number }) =>
      `The response would contain ${d.width} by ${d.height} samples, which exceeds the limit of ${d.megabytes} MB. Request a smaller part, or scale it down.`,
  ),
} as const;
