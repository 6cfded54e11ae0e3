/** Translates the values of properties: constants, expressions and the older functions with stops. */
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { type DocumentObject, type DocumentValue, isList, isObject } from '../documents/document-value.ts';
import { concatenate, createCall, createInterpolation, createSteps } from './build-expression.ts';
import { zoomExpression } from './common/zoom.ts';
import type { ExpressionContext } from './expression-inputs.ts';
import { translateExpression } from './expressions.ts';

/** Returns undefined after a complaint or a warning; then the default of the property applies. */
export function translateValue(value: DocumentValue, context: ExpressionContext): Expression | undefined {
  if (isObject(value)) return translateFunction(value, context);
  if (typeof value === 'string' && context.kind === 'text') return translateTokens(value);
  return translateExpression(value, context);
}

/** `{name}` is the value of an attribute. */
export function translateTokens(text: string): Expression {
  const parts = text.split(/\{([^{}]+)\}/);
  return concatenate(
    parts.map((part, index) => (index % 2 === 0 ? createLiteral(part) : { kind: 'property', name: part })),
  );
}

function translateFunction(definition: DocumentObject, context: ExpressionContext): Expression | undefined {
  const property = definition.get('property');
  const type = definition.get('type') ?? selectType(definition, context);
  const lookup: Expression = typeof property === 'string' ? { kind: 'property', name: property } : zoomExpression;
  if (type === 'identity') return context.kind === 'alpha' ? createLiteral('1') : lookup;
  const stops = definition.get('stops');
  if (!isList(stops) || stops.length === 0) {
    context.complaints.add(context.path, "a function needs 'stops'");
    return undefined;
  }
  const translated = hasZoomStops(stops)
    ? translateZoomStops(stops, lookup, definition, context)
    : translatePlainStops(stops, lookup, { definition, type }, { ...context, path: [...context.path, 'stops'] });
  const fallback = definition.get('default');
  if (translated === undefined || fallback === undefined || typeof property !== 'string') return translated;
  const other = translateExpression(fallback, { ...context, path: [...context.path, 'default'] });
  return other && createCall('coalesce', translated, other);
}

/** Texts and flags are not interpolated. */
function selectType(definition: DocumentObject, { kind }: ExpressionContext): string {
  const isInterpolated = kind === 'number' || kind === 'color' || kind === 'alpha';
  if (!isInterpolated) return definition.has('property') ? 'categorical' : 'interval';
  return 'exponential';
}

function hasZoomStops(stops: readonly DocumentValue[]): boolean {
  const [first] = stops;
  return isList(first) && isObject(first[0]);
}

interface FunctionType {
  readonly definition: DocumentObject;
  readonly type: DocumentValue;
}

function translatePlainStops(
  stops: readonly DocumentValue[],
  lookup: Expression,
  { definition, type }: FunctionType,
  context: ExpressionContext,
): Expression | undefined {
  const pairs: { at: DocumentValue; value: Expression }[] = [];
  for (const [index, stop] of stops.entries()) {
    const at = { ...context, path: [...context.path, index] };
    const [input, output] = isList(stop) ? stop : [];
    if (input === undefined || output === undefined) {
      context.complaints.add(at.path, 'a stop needs an input and an output');
      return undefined;
    }
    const value =
      typeof output === 'string' && context.kind === 'text'
        ? translateTokens(output)
        : translateExpression(output, { ...at, path: [...at.path, 1] });
    if (value === undefined) return undefined;
    pairs.push({ at: input, value });
  }
  if (type === 'categorical')
    return createCall('Recode', lookup, ...pairs.flatMap(({ at, value }) => [createLiteral(String(at)), value]));
  const numeric = pairs.flatMap(({ at, value }) => (typeof at === 'number' ? [{ at, value }] : []));
  if (numeric.length !== pairs.length) {
    context.complaints.add(context.path, 'the inputs of stops must be numbers');
    return undefined;
  }
  if (type === 'interval') return createSteps(lookup, numeric);
  const base = definition.get('base');
  return createInterpolation({ lookup, stops: numeric, base: typeof base === 'number' ? base : 1, kind: context.kind });
}

/** Stops by zoom and value: the functions of each zoom are interpolated between zooms. */
function translateZoomStops(
  stops: readonly DocumentValue[],
  lookup: Expression,
  definition: DocumentObject,
  context: ExpressionContext,
): Expression | undefined {
  const byZoom = new Map<number, DocumentValue[]>();
  for (const stop of stops) {
    const [input, output] = isList(stop) ? stop : [];
    const zoom = isObject(input) ? input.get('zoom') : undefined;
    const value = isObject(input) ? input.get('value') : undefined;
    if (typeof zoom !== 'number' || value === undefined || output === undefined) {
      context.complaints.add(context.path, "a stop needs a 'zoom', a 'value' and an output");
      return undefined;
    }
    const pairs = byZoom.get(zoom) ?? [];
    pairs.push([value, output]);
    byZoom.set(zoom, pairs);
  }
  const type = definition.get('type') ?? selectType(definition, context);
  const outputs = [...byZoom].map(([at, pairs]) => ({
    at,
    value: translatePlainStops(pairs, lookup, { definition, type }, { ...context, path: [...context.path, 'stops'] }),
  }));
  const complete = outputs.flatMap(({ at, value }) => (value === undefined ? [] : [{ at, value }]));
  if (complete.length !== outputs.length) return undefined;
  return createInterpolation({ lookup: zoomExpression, stops: complete, base: 1, kind: context.kind });
}
