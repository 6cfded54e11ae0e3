/** Clip: the parts of features in an area. */
import type { Bounds } from '../../../crs/bounds.ts';
import { computeGeometryBounds } from '../../../geometry/geometry-bounds.ts';
import { loadGeometryOperations } from '../../../geometry/geometry-operations.ts';
import { clip as process } from '../../../styling/transformations/processes.ts';
import { changeGeometries, omitEmpty } from '../model/feature-data.ts';
import { describeMixedGeometries } from '../model/mixed-geometries.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';

export const clip = transformFeatures(process, {
  describe: ([input]) => ({ kind: 'features', description: describeMixedGeometries(input?.description) }),
  async run([data], { clip: area }) {
    if (data === undefined || area === undefined) throw rejectTransformation(process, "parameter 'clip' is required");
    const { overlay } = await loadGeometryOperations();
    const bounds = computeGeometryBounds(area);
    return changeGeometries(data, describeMixedGeometries(data.description), (feature) => {
      const geometry = feature.getGeometry();
      const own = geometry && computeGeometryBounds(geometry);
      if (geometry === undefined || own === undefined || bounds === undefined || !areNear(own, bounds)) return null;
      return omitEmpty(overlay('intersection', geometry, area));
    });
  },
});

function areNear(one: Bounds, other: Bounds): boolean {
  return one.minX <= other.maxX && one.maxX >= other.minX && one.minY <= other.maxY && one.maxY >= other.minY;
}
