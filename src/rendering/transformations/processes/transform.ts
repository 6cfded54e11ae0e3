/** Transform: features with computed attributes, written as `name=expression; name=expression`. */
import { readEcqlExpression } from '../../../filter/ecql/ecql.ts';
import { evaluateExpression } from '../../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { type GeometryOperations, loadGeometryOperations } from '../../../geometry/geometry-operations.ts';
import { computeCentroid } from '../../../geometry/planar.ts';
import { transform as process } from '../../../styling/transformations/processes.ts';
import type { Attribute, FeatureTypeDescription } from '../../../vector/port/port.ts';
import { listAttributeNames } from '../../rules/bind-style.ts';
import { FeatureWriter, forEachFeature, hasIds, type InputFeature, omitEmpty } from '../model/feature-data.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';
import { findGeometryAttribute } from '../model/transformed-data.ts';

/** Limits the cost of each feature. */
const MAX_ATTRIBUTES = 200;

export const transform = transformFeatures(process, {
  describe: ([input], { transform: text }) => ({
    kind: 'features',
    description: describeComputed(input?.description ?? { name: '', attributes: [] }, readDefinitions(text)),
  }),
  listAttributes: ({ transform: text }) => [
    ...new Set(
      readDefinitions(text)
        .filter(({ isGeometry }) => !isGeometry)
        .flatMap(({ expression }) => listAttributeNames(expression)),
    ),
  ],
  async run([data], { transform: text }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const definitions = readDefinitions(text);
    const description = describeComputed(data.description, definitions);
    const operations = await loadGeometryOperations();
    const computed = definitions.filter(({ name }) => name !== description.defaultGeometry);
    const shape = definitions.find(({ name }) => name === description.defaultGeometry)?.expression;
    const writer = new FeatureWriter(description, hasIds(data));
    forEachFeature(data, (feature) => {
      const values = computed.map(({ expression }) => evaluateExpression(expression, feature.values()) ?? null);
      writer.add(feature.id, values, computeGeometry(shape, feature, operations));
    });
    return writer.finish();
  },
});

interface Definition {
  readonly name: string;
  readonly expression: Expression;
  readonly isGeometry: boolean;
}

function readDefinitions(text: string): readonly Definition[] {
  const lines = text.split(/[;\n]/).filter((line) => line.trim() !== '');
  if (lines.length > MAX_ATTRIBUTES)
    throw rejectTransformation(process, `parameter 'transform' has more than ${MAX_ATTRIBUTES} attributes`);
  return lines.map((line) => {
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(0, at)).trim();
    const outcome = readEcqlExpression(line.slice(at + 1).trim());
    if (name === '' || outcome.kind === 'refused')
      throw rejectTransformation(
        process,
        "parameter 'transform' must be a list such as 'name=expression; name=expression'",
      );
    return { name, expression: outcome.value, isGeometry: isGeometryName(name) || isGeometryCall(outcome.value) };
  });
}

/** The geometry functions that can be used here. */
function isGeometryCall(expression: Expression): boolean {
  return expression.kind === 'function' && ['buffer', 'centroid'].includes(expression.name.toLowerCase());
}

function isGeometryName(name: string): boolean {
  return ['geom', 'the_geom', 'geometry', 'shape'].includes(name.toLowerCase());
}

/** A definition that only names the geometry of the input keeps it. */
function describeComputed(input: FeatureTypeDescription, definitions: readonly Definition[]): FeatureTypeDescription {
  const geometry = findGeometryAttribute(input);
  const isShape = ({ expression, isGeometry }: Definition) =>
    isGeometry || (expression.kind === 'property' && expression.name === geometry?.name);
  const shape = definitions.find(isShape);
  const name = shape?.name ?? geometry?.name ?? 'geom';
  const attributes = definitions
    .filter((each) => each !== shape && !isShape(each))
    .map((each): Attribute => {
      const known =
        each.expression.kind === 'property'
          ? input.attributes.find((attribute) => attribute.name === (each.expression as { readonly name: string }).name)
          : undefined;
      if (known?.kind === 'value') return { ...known, name: each.name };
      const isNumber = each.expression.kind === 'arithmetic';
      return { kind: 'value', name: each.name, type: isNumber ? 'double' : 'string', nillable: true };
    });
  return {
    name: input.name,
    attributes: [...(geometry === undefined ? [] : [{ ...geometry, name, type: 'Geometry' as const }]), ...attributes],
    defaultGeometry: name,
  };
}

function computeGeometry(
  shape: Expression | undefined,
  feature: InputFeature,
  { buffer }: GeometryOperations,
): Geometry | undefined {
  const geometry = feature.getGeometry();
  if (geometry === undefined || shape?.kind !== 'function') return geometry;
  const [, distance] = shape.arguments;
  if (shape.name.toLowerCase() === 'centroid') return computeCentroid(geometry);
  const value = distance && evaluateExpression(distance, feature.values());
  return omitEmpty(buffer(geometry, Number(value ?? 0))) ?? undefined;
}
