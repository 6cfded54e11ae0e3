/** All rendering transformations. */
import type { Process } from '../../styling/transformations/processes.ts';
import type { Transformation } from './model/transformation.ts';
import { contour } from './processes/contour.ts';
import { heatmap } from './processes/heatmap.ts';
import { pointStacker } from './processes/point-stacker.ts';

const transformations: readonly Transformation[] = [contour, heatmap, pointStacker];

export function getTransformation({ name }: Pick<Process, 'name'>): Transformation {
  const found = transformations.find((each) => each.process.name === name);
  if (found === undefined) throw new Error(`The transformation ${name} is not registered.`);
  return found;
}
