/** All rendering transformations. */
import type { Process } from '../../styling/transformations/processes.ts';
import type { Transformation } from './model/transformation.ts';
import { bandMerge } from './processes/band-merge.ts';
import { bandSelect } from './processes/band-select.ts';
import { barnesSurface } from './processes/barnes-surface.ts';
import { bufferFeatureCollection } from './processes/buffer.ts';
import { centroid } from './processes/centroid.ts';
import { clip } from './processes/clip.ts';
import { contour } from './processes/contour.ts';
import { cropCoverage } from './processes/crop-coverage.ts';
import { dynamicColorMap } from './processes/dynamic-color-map.ts';
import { groupCandidateSelection } from './processes/group-candidate-selection.ts';
import { heatmap } from './processes/heatmap.ts';
import { jiffle } from './processes/jiffle.ts';
import { normalizeCoverage } from './processes/normalize-coverage.ts';
import { pointStacker } from './processes/point-stacker.ts';
import { polygonExtraction } from './processes/polygon-extraction.ts';
import { query } from './processes/query.ts';
import { rasterAsPointCollection } from './processes/raster-as-point-collection.ts';
import { scaleCoverage } from './processes/scale-coverage.ts';
import { simplify } from './processes/simplify.ts';
import { snap } from './processes/snap.ts';
import { transform } from './processes/transform.ts';
import { vectorToRaster } from './processes/vector-to-raster.ts';

const transformations: readonly Transformation[] = [
  ...[bandMerge, bandSelect, barnesSurface, bufferFeatureCollection, centroid, clip, contour, cropCoverage],
  ...[dynamicColorMap, groupCandidateSelection, heatmap, jiffle, normalizeCoverage, pointStacker, polygonExtraction],
  ...[query, rasterAsPointCollection, scaleCoverage, simplify, snap, transform, vectorToRaster],
];

export function getTransformation({ name }: Pick<Process, 'name'>): Transformation {
  const found = transformations.find((each) => each.process.name === name);
  if (found === undefined) throw new Error(`The transformation ${name} is not registered.`);
  return found;
}
