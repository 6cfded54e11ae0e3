/** BufferFeatureCollection: the areas within a distance of the features. */
import { toNumber } from '../../../filter/evaluate/evaluate.ts';
import { loadGeometryOperations } from '../../../geometry/geometry-operations.ts';
import { bufferFeatureCollection as process } from '../../../styling/transformations/processes.ts';
import { changeGeometries, omitEmpty } from '../model/feature-data.ts';
import { describeMixedGeometries } from '../model/mixed-geometries.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';

export const bufferFeatureCollection = transformFeatures(process, {
  describe: ([input]) => ({ kind: 'features', description: describeMixedGeometries(input?.description) }),
  reach: ({ distance }) => ({ units: Math.max(0, distance) }),
  listAttributes: ({ attributeName }, wanted) =>
    attributeName === undefined ? wanted : [...new Set([...wanted, attributeName])],
  async run([data], { distance, attributeName }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const { buffer } = await loadGeometryOperations();
    return changeGeometries(data, describeMixedGeometries(data.description), (feature) => {
      const geometry = feature.getGeometry();
      // An attribute adds to the distance.
      const more = attributeName === undefined ? 0 : (toNumber(feature.getValue(attributeName)) ?? 0);
      return geometry && omitEmpty(buffer(geometry, distance + more));
    });
  },
});
