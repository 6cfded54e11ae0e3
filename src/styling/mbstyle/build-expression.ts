/** Builds the expressions of the model that expressions and functions of the style specification become. */
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { type DocumentValue, isList } from '../documents/document-value.ts';
import type { OutputKind } from './common/output-kind.ts';

export function createCall(name: string, ...inputs: readonly Expression[]): Expression {
  return { kind: 'function', name, arguments: inputs };
}

export const [truth, falsehood] = [createLiteral('true'), createLiteral('false')];

/** The value null. */
export const noValue: Expression = createCall('coalesce');

export function createCondition(condition: Expression, yes: Expression, no: Expression): Expression {
  return createCall('if_then_else', condition, yes, no);
}

export function negate(condition: Expression | undefined): Expression | undefined {
  return condition && createCall('not', condition);
}

/** Concatenations are not nested, and adjacent literals are merged. */
export function concatenate(parts: readonly Expression[]): Expression {
  const flat: Expression[] = [];
  for (const part of parts.flatMap((each) => (each.kind === 'concatenation' ? each.parts : [each]))) {
    const last = flat.at(-1);
    if (part.kind === 'literal' && part.value === '') continue;
    if (last?.kind === 'literal' && part.kind === 'literal')
      flat[flat.length - 1] = createLiteral(last.value + part.value);
    else flat.push(part);
  }
  const [first, second] = flat;
  if (first === undefined) return createLiteral('');
  return second === undefined ? first : { kind: 'concatenation', parts: flat };
}

export interface Stop {
  readonly at: number;
  readonly value: Expression;
}

export interface Interpolation {
  readonly lookup: Expression;
  readonly stops: readonly Stop[];
  readonly base: number;
  readonly kind: OutputKind;
}

/** Exponential interpolation of x is linear interpolation of base^x. */
export function createInterpolation({ lookup, stops, base, kind }: Interpolation): Expression {
  const [first] = stops;
  if (stops.length === 1 && first !== undefined) return first.value;
  if (kind === 'text' || kind === 'boolean') return createSteps(lookup, stops);
  const origin = first?.at ?? 0;
  const powers = stops.map(({ at }) => base ** (at - origin));
  const isLinear = base === 1 || base <= 0 || !powers.every(Number.isFinite);
  const input: Expression = isLinear
    ? lookup
    : createCall('pow', createLiteral(base), {
        kind: 'arithmetic',
        operator: 'subtract',
        left: lookup,
        right: createLiteral(origin),
      });
  const points = stops.flatMap(({ at, value }, index) => [createLiteral(isLinear ? at : (powers[index] ?? 0)), value]);
  return createCall('Interpolate', input, ...points, createLiteral(kind === 'color' ? 'color' : 'numeric'));
}

export function createSteps(lookup: Expression, stops: readonly Stop[]): Expression {
  const [first, ...others] = stops;
  if (first === undefined) return createLiteral('');
  return createCall(
    'Categorize',
    lookup,
    first.value,
    ...others.flatMap(({ at, value }) => [createLiteral(at), value]),
  );
}

const geometryDimensions: ReadonlyMap<string, string> = new Map([
  ['Point', '0'],
  ['MultiPoint', '0'],
  ['LineString', '1'],
  ['MultiLineString', '1'],
  ['Polygon', '2'],
  ['MultiPolygon', '2'],
]);

/** The dimension of the geometry, which geometry types are compared with. */
export const dimensionExpression: Expression = createCall('dimension', createCall('geometry'));

/** `["==", ["geometry-type"], "Polygon"]` compares dimensions. */
export function findGeometryComparison(
  inputs: readonly DocumentValue[],
): { readonly left: Expression; readonly right: Expression } | undefined {
  const [left, right] = inputs;
  const isType = (value: DocumentValue | undefined) =>
    value === '$type' || (isList(value) && value.length === 1 && value[0] === 'geometry-type');
  const name = isType(left) ? right : isType(right) ? left : undefined;
  const dimension = typeof name === 'string' ? geometryDimensions.get(name) : undefined;
  return dimension === undefined ? undefined : { left: dimensionExpression, right: createLiteral(dimension) };
}
