/** Limits on maps. */
import { excerpt } from '../../../text/excerpt.ts';
import { formatCount } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const mapProblems = {
  'map-too-large': defineProblemKind(
    400,
    'A map exceeds the memory limit of one map.',
    (d: { width: number; height: number; megabytes: number }) =>
      `A map of ${d.width} by ${d.height} pixels exceeds the limit of ${d.megabytes} MB for one map. Request a smaller map.`,
  ),
  'map-too-slow': defineProblemKind(
    503,
    'A map exceeds the time limit of one map.',
    (d: { seconds: number }) =>
      `The map takes longer than the limit of ${formatCount(d.seconds, 'second')}. Request fewer layers, a smaller area, or a style that draws less.`,
  ),
  'map-transformation-invalid': defineProblemKind(
    400,
    'A rendering transformation of a style is invalid, or too large for one map.',
    (d: { process: string; reason: string }) =>
      `Invalid transformation '${excerpt(d.process)}' in the style: ${d.reason}. Correct the style.`,
  ),
  'map-function-invalid': defineProblemKind(
    400,
    'The arguments of a function in a style are invalid for the data of the layer.',
    (d: { function: string; reason: string }) =>
      `Invalid call of '${excerpt(d.function)}' in the style: ${d.reason}. Correct the style.`,
  ),
} as const;
