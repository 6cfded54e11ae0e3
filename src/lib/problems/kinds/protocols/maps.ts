/** What can be wrong with a map that somebody wants to be drawn. */
import { defineProblemKind } from '../kind.ts';

export const mapProblems = {
  'map-too-large': defineProblemKind(
    400,
    'A map has more pixels than one map may have.',
    (d: { width: number; height: number; megabytes: number }) =>
      `A map of ${d.width} by ${d.height} pixels takes more than the ${d.megabytes} MB that there are for one map. Ask for a smaller one.`,
  ),
  'map-too-slow': defineProblemKind(
    503,
    'A map takes longer to draw than one map may take.',
    (d: { seconds: number }) =>
      `This map takes longer to draw than the ${d.seconds} seconds that one map may take. Ask for fewer layers, for a smaller area, or for a style that shows less of it.`,
  ),
} as const;
