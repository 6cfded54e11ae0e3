/** Binds calls of `reproject` in the rules of a style to the CRS of the features. */
import { isReprojection } from '../../filter/evaluate/evaluate.ts';
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';
import { replaceInnerParts } from '../../filter/model/inner-parts.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import {
  completeReprojection,
  findGeometrySystem,
  type GeometrySystems,
  readReprojectionCodes,
} from '../../filter/resolve/reprojections.ts';
import { ResolveError } from '../../filter/resolve/resolve-error.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Rule } from '../../styling/model/model.ts';
import type { FeatureTypeDescription } from '../../vector/port/port.ts';

/** Throws a Problem for a CRS that is unknown or depends on the feature. */
export async function bindReprojections(rule: Rule, description: FeatureTypeDescription): Promise<Rule> {
  const systems: GeometrySystems = {
    findAttributeSystem: (name) => findAttributeSystem(description, name),
    reprojectionCodes: await readReprojectionCodes(rule),
  };
  try {
    const { symbolizers, ...rest } = rule;
    return {
      ...completeCalls(rest, systems),
      symbolizers: symbolizers.map((each) => {
        const geometry = each.geometry && placeInData(each.geometry, systems);
        return { ...completeCalls(each, systems), ...(geometry === undefined ? {} : { geometry }) };
      }),
    };
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    throw problem('map-function-invalid', { function: 'reproject', reason: error.message });
  }
}

function findAttributeSystem(
  { attributes, defaultGeometry }: FeatureTypeDescription,
  name = defaultGeometry,
): string | undefined {
  const local = name?.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
  const found = attributes.find((each) => each.name === name) ?? attributes.find((each) => each.name === local);
  return found?.kind === 'geometry' ? (found.crs.code ?? found.crs.wkt) : undefined;
}

function completeCalls<T extends object>(part: T, systems: GeometrySystems): T {
  const complete = isReprojection(part)
    ? completeReprojection(part as object as FunctionCall, systems)
    : (part as object);
  return replaceInnerParts(complete, (inner) => completeCalls(inner, systems)) as T;
}

/** Geometries are drawn in the CRS of the data, so that a result in another one is converted back. */
function placeInData(geometry: Expression, systems: GeometrySystems): Expression {
  const complete = completeCalls(geometry, systems);
  const [data, own] = [systems.findAttributeSystem(undefined), findGeometrySystem(geometry, systems)];
  if (data === undefined || own === undefined || own === data) return complete;
  return { kind: 'function', name: 'reproject', arguments: [complete, createLiteral(data), createLiteral(own)] };
}
