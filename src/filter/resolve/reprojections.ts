/** Completes calls of `reproject` with the CRS of their geometries, which is known only together with the data. */
import { readCrsName } from '../../crs/axis-order.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import { createTransformer } from '../../crs/transformer.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { countGeometryArguments, isReprojection, listReprojections } from '../evaluate/evaluate.ts';
import type { Expression, FunctionCall } from '../model/expression.ts';
import { createLiteral } from '../model/literal.ts';
import { ResolveError } from './resolve-error.ts';

export interface GeometrySystems {
  /** Returns the code or the well-known text of the CRS of an attribute; of the default geometry without a name. */
  findAttributeSystem(name: string | undefined): string | undefined;
  /** The codes of the CRSs that calls name. Unknown and unsupported names are absent. */
  readonly reprojectionCodes: ReadonlyMap<string, string>;
}

/** Reads the CRS names in all calls of a filter or style. */
export async function readReprojectionCodes(part: object): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  for (const call of listReprojections(part)) {
    for (const argument of call.arguments.slice(1)) {
      const name = readConstant(argument);
      const code = name === undefined || codes.has(name) ? undefined : await findSupportedCode(name);
      if (name !== undefined && code !== undefined) codes.set(name, code);
    }
  }
  return codes;
}

/** A variable without a value has its default. */
function readConstant(expression: Expression): string | undefined {
  if (expression.kind === 'literal') return expression.value;
  const isVariable = expression.kind === 'function' && expression.name.toLowerCase() === 'env';
  const byDefault = isVariable ? expression.arguments[1] : undefined;
  return byDefault?.kind === 'literal' ? byDefault.value : undefined;
}

async function findSupportedCode(name: string): Promise<string | undefined> {
  const code = (await readCrsName(name.trim()))?.code;
  const model = code === undefined ? undefined : (await findCrs(code))?.model;
  return model !== undefined && (await createTransformer(model)) !== undefined ? code : undefined;
}

/**
 * Returns the call with both CRSs as codes. Throws a `ResolveError` for names that are unknown or depend on the
 * feature. The geometry stays as written.
 */
export function completeReprojection(call: FunctionCall, systems: GeometrySystems): FunctionCall {
  const [geometry, to, from, ...others] = call.arguments;
  if (geometry === undefined || to === undefined || others.length > 0)
    throw new ResolveError(call, 'reproject requires a geometry and the CRS of the result, such as EPSG:3857');
  const target = createLiteral(readCode(to, systems));
  const source = from === undefined ? findGeometrySystem(geometry, systems) : readCode(from, systems);
  if (source === undefined)
    throw new ResolveError(
      call,
      'the CRS of the geometry is unknown; name it in the third argument of reproject, such as EPSG:4326',
    );
  return { ...call, arguments: [geometry, target, createLiteral(source)] };
}

function readCode(argument: Expression, { reprojectionCodes, findAttributeSystem }: GeometrySystems): string {
  const name = readConstant(argument);
  if (name === undefined) throw new ResolveError(argument, 'the CRS of reproject must be constant, such as EPSG:3857');
  const code = reprojectionCodes.get(name);
  // A completed call has the well-known text of data whose CRS has no code.
  if (code === undefined && name === findAttributeSystem(undefined)) return name;
  if (code === undefined)
    throw new ResolveError(
      argument,
      `unknown or unsupported coordinate reference system '${excerpt(name)}'; use a code such as EPSG:3857`,
    );
  return code;
}

/** Returns the code of the CRS of a computed geometry; undefined if it is unknown. */
export function findGeometrySystem(expression: Expression, systems: GeometrySystems): string | undefined {
  const byDefault = (): string | undefined => systems.findAttributeSystem(undefined);
  if (expression.kind === 'property') return systems.findAttributeSystem(expression.name);
  if (expression.kind !== 'function') return byDefault();
  const [first, second] = expression.arguments;
  if (isReprojection(expression)) return second && readCode(second, systems);
  const name = expression.name.toLowerCase();
  if (name === 'property' && first?.kind === 'literal') return systems.findAttributeSystem(first.value);
  if (name === 'if_then_else' && second !== undefined) return findGeometrySystem(second, systems);
  return countGeometryArguments(expression) > 0 && first !== undefined
    ? findGeometrySystem(first, systems)
    : byDefault();
}

/** Returns the CRS of the first geometry that is not a constant: constants are in the CRS of the others. */
export function findSharedSystem(geometries: readonly Expression[], systems: GeometrySystems): string | undefined {
  const leading = geometries.find((each) => each.kind === 'property' || each.kind === 'function');
  return leading === undefined ? systems.findAttributeSystem(undefined) : findGeometrySystem(leading, systems);
}
