/** What can be wrong with a request for a coverage. */
import { excerpt } from '../../../text/excerpt.ts';
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const wcsProblems = {
  'wcs-coverage-unknown': defineProblemKind(
    404,
    'There is no coverage of that identifier, or none that this user may see.',
    (d: { id: string }) => `There is no coverage '${excerpt(d.id)}'.`,
  ),
  'wcs-axis-unknown': defineProblemKind(
    404,
    'The coverage has no axis of that name.',
    (d: { axis: string; axes: readonly string[] }) =>
      `The coverage has no axis '${excerpt(d.axis)}'; it has ${d.axes.join(', ')}.`,
  ),
  'wcs-band-unknown': defineProblemKind(
    404,
    'The coverage has no band of that name.',
    (d: { band: string; bands: readonly string[] }) =>
      `The coverage has no band '${excerpt(d.band)}'; it has ${d.bands.slice(0, 20).join(', ')}.`,
  ),
  'wcs-crs-unknown': defineProblemKind(
    404,
    'No such coordinate reference system is known.',
    (d: { crs: string }) =>
      `The system '${excerpt(d.crs)}' is not known; one such as http://www.opengis.net/def/crs/EPSG/0/4326 was expected.`,
  ),
  'wcs-version-unknown': defineProblemKind(
    400,
    'No such version of the WCS is spoken here.',
    (d: { asked: readonly string[]; spoken: readonly string[] }) =>
      `WCS ${enumerate(d.asked.map(excerpt), d.asked.length)} was asked for, and is not served here; WCS ${d.spoken.join(', ')} is.`,
  ),
  'wcs-subset-invalid': defineProblemKind(
    404,
    'A subset lies outside of the coverage, or ends before it begins.',
    (d: { subset: string; expected: string }) => `The coverage has no part '${excerpt(d.subset)}'; ${d.expected}.`,
  ),
  'wcs-scale-factor-invalid': defineProblemKind(
    404,
    'A coverage cannot be scaled by that.',
    (d: { value: string }) =>
      `A coverage cannot be scaled by '${excerpt(d.value)}'; a number greater than 0 was expected.`,
  ),
  'wcs-extent-invalid': defineProblemKind(
    404,
    'A coverage cannot be scaled to such a size.',
    (d: { value: string; expected: string }) => `A coverage cannot be scaled to '${excerpt(d.value)}'; ${d.expected}.`,
  ),
  'wcs-scale-axis-unknown': defineProblemKind(
    404,
    'The coverage has no axis of that name that could be scaled.',
    (d: { axis: string }) =>
      `The coverage cannot be scaled along '${excerpt(d.axis)}'; i and j can be scaled, by the names of their axes too.`,
  ),
  'wcs-interpolation-unknown': defineProblemKind(
    404,
    'Samples cannot be interpolated by that method.',
    (d: { method: string }) =>
      `There is no interpolation '${excerpt(d.method)}'; there are nearest-neighbor, linear and cubic.`,
  ),
  'wcs-format-unsuited': defineProblemKind(
    400,
    'The format cannot hold the samples that were asked for.',
    (d: { format: string; takes: string; bands: number; type: string }) =>
      `${d.format} takes ${d.takes}; this has ${d.bands} bands of ${d.type}. Ask for image/tiff, or for other bands (rangeSubset).`,
  ),
  'wcs-nothing-in-crs': defineProblemKind(
    400,
    'What was asked for has no counterpart in the system of the answer.',
    () => 'No part of what was asked for has a place in the system that it was asked in.',
  ),
  'wcs-coverage-without-place': defineProblemKind(
    400,
    'The data does not say where on the Earth it is.',
    () => 'The data of this coverage does not say where it is, and so no part of it can be told from another.',
  ),
  'wcs-input-too-large': defineProblemKind(
    400,
    'The answer would need more samples of the data than are read at once.',
    (d: { width: number; height: number; megabytes: number }) =>
      `The answer would need ${d.width} by ${d.height} samples of the data, more than fit into ${d.megabytes} MB. Ask for a smaller part.`,
  ),
  'wcs-values-too-many': defineProblemKind(
    400,
    'A subset has more values of a dimension than may be asked for at once.',
    (d: { subset: string; most: number }) =>
      `The subset '${excerpt(d.subset)}' has more than ${d.most} values; ask for fewer at once.`,
  ),
  'wcs-coverage-too-large': defineProblemKind(
    400,
    'The answer would have more samples than are given out at once.',
    (d: { width: number; height: number; megabytes: number }) =>
      `The answer would have ${d.width} by ${d.height} samples, more than fit into ${d.megabytes} MB. Ask for a smaller part, or scale it down.`,
  ),
} as const;
