/** Computes the bounds of matching features in the requested CRS. */
import type { Bounds } from '../../crs/bounds.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import type { FeatureQuery, QueriedType } from './feature-query.ts';
import { buildFilter, queryFeatures } from './query-features.ts';

/** Returns undefined if no match has a geometry. */
export async function computeFeatureBounds(
  type: QueriedType,
  { crs, ...query }: Pick<FeatureQuery, 'filter' | 'box' | 'crs'>,
  signal: AbortSignal,
): Promise<Bounds | undefined> {
  const { source, description, view } = type;
  const drawn = description.attributes.find(({ name }) => name === description.defaultGeometry);
  if (drawn?.kind !== 'geometry') return undefined;
  const filter = buildFilter(type, query);
  const reprojection = crs === undefined ? undefined : await createReprojection(drawn.crs, crs);
  const known = filter === undefined ? description : await source.bounds?.(view ?? description.name, filter, signal);
  const bounds = known === undefined ? await computeBoundsOneByOne(type, query, drawn.name, signal) : known.bounds;
  return bounds === undefined || reprojection === undefined ? bounds : reprojection.reprojectBounds(bounds);
}

async function computeBoundsOneByOne(
  type: QueriedType,
  query: Pick<FeatureQuery, 'filter' | 'box'>,
  geometry: string,
  signal: AbortSignal,
): Promise<Bounds | undefined> {
  const { batches } = await queryFeatures(type, { ...query, attributes: [geometry] }, signal);
  let bounds: Bounds | undefined;
  for await (const batch of batches) {
    for (const { values } of batch) {
      const [value] = values;
      if (typeof value === 'object' && value !== null && 'ordinates' in value)
        bounds = mergeBounds(bounds, computeGeometryBounds(value));
    }
  }
  return bounds;
}
