/** Shapes features for a query: attributes, CRS and simplification. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Geometry } from '../../geometry/geometry.ts';
import { createReprojection, POSITIONS_AT_ONCE, type Reprojection } from '../../geometry/reprojection.ts';
import { simplify } from '../../geometry/simplify.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Attribute, Feature, FeatureTypeDescription, Value } from '../port/port.ts';
import { createContentReprojection, createElementFilter, type ReprojectContent } from './complex-content.ts';
import type { FeatureQuery } from './feature-query.ts';

/** The plan for shaping as plain data, so that it can be sent to a thread. */
export interface ShapePlan extends Pick<FeatureQuery, 'attributes' | 'crs' | 'tolerance'> {
  /** The description of features from the source. */
  readonly type: FeatureTypeDescription;
}

export interface FeatureShape {
  /** The description of shaped features. */
  readonly description: FeatureTypeDescription;
  apply(batch: readonly Feature[]): Promise<readonly Feature[]>;
}

/** Throws a Problem for unknown attributes and CRSs. */
export async function createShape(plan: ShapePlan): Promise<FeatureShape> {
  const { type, tolerance } = plan;
  const shown = await resolveOutputAttributes(type, plan);
  const show = createFeatureShaper(shown, type, tolerance);
  const place = selectContentReprojection(shown, type, plan);
  return {
    description: describeOutput(type, shown, plan),
    apply: async (batch) => place((await reprojectBatch(batch, shown)).map(show)),
  };
}

export async function* shapeBatches(
  batches: AsyncIterable<readonly Feature[]>,
  shape: FeatureShape,
): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) yield await shape.apply(batch);
}

interface OutputAttribute {
  readonly name: string;
  /** Its index in the values of the source. */
  readonly index: number;
  readonly attribute: Attribute;
  readonly reprojection: Reprojection | undefined;
}

async function resolveOutputAttributes(
  { attributes, name: type }: FeatureTypeDescription,
  query: Pick<FeatureQuery, 'attributes' | 'crs'>,
): Promise<readonly OutputAttribute[]> {
  const { crs } = query;
  const wanted = query.attributes === undefined ? undefined : new Set(query.attributes);
  for (const name of wanted ?? [])
    if (!attributes.some((each) => each.name === name))
      throw problem('attribute-unknown', { attribute: excerpt(name), name: type });
  return Promise.all(
    attributes
      .map((attribute, index) => ({ name: attribute.name, index, attribute }))
      .filter(({ name }) => wanted === undefined || wanted.has(name))
      .map(async (each) => {
        const { attribute } = each;
        if (crs === undefined || attribute.kind !== 'geometry') return { ...each, reprojection: undefined };
        return {
          ...each,
          attribute: { ...attribute, crs },
          reprojection: await createReprojection(attribute.crs, crs),
        };
      }),
  );
}

function describeOutput(
  { bounds, defaultGeometry, ...rest }: FeatureTypeDescription,
  shown: readonly OutputAttribute[],
  { crs }: Pick<FeatureQuery, 'crs'>,
): FeatureTypeDescription {
  const drawn = shown.find(({ name }) => name === defaultGeometry);
  const box = bounds && drawn?.reprojection !== undefined ? drawn.reprojection.reprojectBounds(bounds) : bounds;
  return {
    ...rest,
    attributes: shown.map(({ attribute }) => attribute),
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.name }),
    ...(box === undefined || (drawn === undefined && crs !== undefined) ? {} : { bounds: box }),
  };
}

/** The content of complex features is reprojected like their values. */
function selectContentReprojection(
  shown: readonly OutputAttribute[],
  { complex, defaultGeometry }: FeatureTypeDescription,
  { crs }: Pick<FeatureQuery, 'crs'>,
): ReprojectContent {
  if (complex === undefined || crs === undefined) return async (features) => features;
  return createContentReprojection(crs, shown.find(({ name }) => name === defaultGeometry)?.reprojection);
}

/** Reprojects the visible geometries of a batch and yields to other requests as needed. */
async function reprojectBatch(
  batch: readonly Feature[],
  shown: readonly OutputAttribute[],
): Promise<readonly Feature[]> {
  const placed = shown.filter(({ reprojection }) => reprojection !== undefined);
  if (placed.length === 0) return batch;
  const features: Feature[] = [];
  let positions = 0;
  for (const feature of batch) {
    const values = [...feature.values];
    for (const { index, reprojection } of placed) {
      const value = values[index];
      if (!isGeometry(value) || reprojection === undefined) continue;
      positions += value.ordinates.length / value.dimension.length;
      const isLarge = positions >= POSITIONS_AT_ONCE;
      values[index] = isLarge
        ? await reprojection.reprojectGeometryInTurns(value)
        : reprojection.reprojectGeometry(value);
      if (!isLarge) continue;
      await othersFirst();
      positions = 0;
    }
    features.push({ ...feature, values });
  }
  return features;
}

function isGeometry(value: Value | Geometry | undefined): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

/** Shapes a reprojected feature; returns it unchanged if nothing is to be done. */
function createFeatureShaper(
  shown: readonly OutputAttribute[],
  { attributes, complex }: FeatureTypeDescription,
  tolerance: number | undefined,
): (feature: Feature) => Feature {
  const isUnchanged = tolerance === undefined || shown.every(({ attribute }) => attribute.kind === 'value');
  if (isUnchanged && shown.length === attributes.length) return (feature) => feature;
  const convert = shown.map(({ index }) => (feature: Feature): Value | Geometry => {
    const value = feature.values[index] ?? null;
    return tolerance === undefined || !isGeometry(value) ? value : simplify(value, tolerance);
  });
  const hidden = attributes.filter(({ name }) => !shown.some((each) => each.name === name));
  const showContent = createElementFilter(hidden.flatMap(({ name }) => complex?.elements.get(name) ?? []));
  return (feature) => ({
    ...feature,
    values: convert.map((each) => each(feature)),
    ...(feature.content === undefined ? {} : { content: showContent(feature.content) }),
  });
}
