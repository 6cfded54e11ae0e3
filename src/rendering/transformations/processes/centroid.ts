/** Centroid: the same features as points. */
import { centroid as process } from '../../../styling/transformations/processes.ts';
import type { FeatureTypeDescription } from '../../../vector/port/port.ts';
import { createPoint, FeatureWriter, findCentroid, hasIds } from '../model/feature-data.ts';
import { transformFeatures } from '../model/transformation.ts';
import type { FeatureData } from '../model/transformed-data.ts';

export const centroid = transformFeatures(process, {
  describe: ([input]) => ({ kind: 'features', description: describePoints(input?.description) }),
  run: ([data]) => computeCentroids(data),
});

function computeCentroids(data: FeatureData | undefined): FeatureData {
  const description = describePoints(data?.description);
  const writer = new FeatureWriter(description, data !== undefined && hasIds(data), data?.columns);
  for (const batch of data?.batches ?? []) {
    for (let index = 0; index < batch.count; index += 1) {
      const place = findCentroid(batch, index);
      const values = batch.columns.map((column) => column[index] ?? null);
      writer.add(batch.ids?.[index] ?? '', values, place && createPoint(place[0], place[1]));
    }
  }
  return writer.finish();
}

function describePoints(description: FeatureTypeDescription = { name: '', attributes: [] }): FeatureTypeDescription {
  const attributes = description.attributes.map((each) =>
    each.kind === 'geometry' ? { ...each, type: 'Point' as const } : each,
  );
  return { ...description, attributes };
}
