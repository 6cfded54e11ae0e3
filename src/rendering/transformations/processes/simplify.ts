/** Simplify: the same features with fewer positions. */
import { loadGeometryOperations } from '../../../geometry/geometry-operations.ts';
import { simplify as simplifyGeometry } from '../../../geometry/simplify.ts';
import { simplify as process } from '../../../styling/transformations/processes.ts';
import { changeGeometries, omitEmpty } from '../model/feature-data.ts';
import { describeMixedGeometries } from '../model/mixed-geometries.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';

export const simplify = transformFeatures(process, {
  describe: ([input]) => ({ kind: 'features', description: describeMixedGeometries(input?.description) }),
  async run([data], { distance, preserveTopology }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const operations = preserveTopology ? await loadGeometryOperations() : undefined;
    return changeGeometries(data, describeMixedGeometries(data.description), (feature) => {
      const geometry = feature.getGeometry();
      if (geometry === undefined) return undefined;
      return operations === undefined
        ? simplifyGeometry(geometry, distance)
        : (omitEmpty(operations.simplifyTopology(geometry, distance)) ?? geometry);
    });
  },
});
