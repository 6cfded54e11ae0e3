/** What can be wrong with a request for a coverage. */
import { excerpt } from '../excerpt.ts';
import { kind } from './kind.ts';

export const wcsProblems = {
  'wcs-coverage-unknown': kind(
    404,
    'There is no coverage of that identifier, or none that this user may see.',
    (d: { id: string }) => `There is no coverage '${excerpt(d.id)}'.`,
  ),
  'wcs-axis-unknown': kind(
    404,
    'The coverage has no axis of that name.',
    (d: { axis: string; axes: readonly string[] }) =>
      `The coverage has no axis '${excerpt(d.axis)}'; it has ${d.axes.join(', ')}.`,
  ),
  'wcs-band-unknown': kind(
    404,
    'The coverage has no band of that name.',
    (d: { band: string; bands: readonly string[] }) =>
      `The coverage has no band '${excerpt(d.band)}'; it has ${d.bands.slice(0, 20).join(', ')}.`,
  ),
  'wcs-crs-unknown': kind(
    404,
    'No such coordinate reference system is known.',
    (d: { crs: string }) =>
      `The system '${excerpt(d.crs)}' is not known; one such as http://www.opengis.net/def/crs/EPSG/0/4326 was expected.`,
  ),
  'wcs-nothing-in-crs': kind(
    400,
    'What was asked for has no counterpart in the system of the answer.',
    () => 'No part of what was asked for has a place in the system that it was asked in.',
  ),
  'wcs-coverage-without-place': kind(
    400,
    'The data does not say where on the Earth it is.',
    () => 'The data of this coverage does not say where it is, and so no part of it can be told from another.',
  ),
  'wcs-coverage-too-large': kind(
    400,
    'The answer would have more samples than are given out at once.',
    (d: { width: number; height: number; megabytes: number }) =>
      `The answer would have ${d.width} by ${d.height} samples, more than fit into ${d.megabytes} MB. Ask for a smaller part, or scale it down.`,
  ),
} as const;
