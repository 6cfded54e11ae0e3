/** Snap: the feature that is nearest to a point. */
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../../crs/resolve-crs.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { snap as process } from '../../../styling/transformations/processes.ts';
import { changeGeometries, forEachFeature } from '../model/feature-data.ts';
import { describeMixedGeometries } from '../model/mixed-geometries.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';

export const snap = transformFeatures(process, {
  describe: ([input]) => ({ kind: 'features', description: describeMixedGeometries(input?.description) }),
  async run([data], { point, crs }, { dataCrs }) {
    const placed = point && crs !== undefined ? await placePoint(point, crs, dataCrs) : point;
    const [x, y] = placed?.ordinates ?? [];
    if (data === undefined || x === undefined || y === undefined)
      throw rejectTransformation(process, "parameter 'point' is required");
    let [nearest, least, number] = [-1, Number.POSITIVE_INFINITY, 0];
    forEachFeature(data, (feature) => {
      const distance = computeSquare(feature.getGeometry()?.ordinates ?? new Float64Array(), x, y);
      if (distance < least) [nearest, least] = [number, distance];
      number += 1;
    });
    number = -1;
    return changeGeometries(data, describeMixedGeometries(data.description), (feature) => {
      number += 1;
      return number === nearest ? feature.getGeometry() : null;
    });
  },
});

/** Converts a point to the CRS of the layer. */
async function placePoint(point: Geometry, code: string, dataCrs: CrsReference): Promise<Geometry> {
  const from = { code: code.trim().toUpperCase() };
  if ((await resolveCrs(from)) === undefined)
    throw rejectTransformation(process, `parameter 'crs' is an unknown CRS: ${excerpt(code)}`);
  const reprojection = await createReprojection(from, dataCrs);
  const placed = reprojection === undefined ? point : reprojection.reprojectGeometry(point);
  if (placed === null) throw rejectTransformation(process, "parameter 'point' is outside of the CRS of the layer");
  return placed;
}

/** Returns the square of the distance to the nearest position or segment; gaps between rings do not matter here. */
function computeSquare(ordinates: Float64Array, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < ordinates.length; at += 2) {
    const [fromX = 0, fromY = 0] = [ordinates[at], ordinates[at + 1]];
    const [toX = fromX, toY = fromY] = [ordinates[at + 2], ordinates[at + 3]];
    const [dx, dy] = [toX - fromX, toY - fromY];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / length));
    least = Math.min(least, (x - fromX - share * dx) ** 2 + (y - fromY - share * dy) ** 2);
  }
  return least;
}
