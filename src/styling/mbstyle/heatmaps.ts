/** Translates heatmap layers to the transformation Heatmap and a colour map. */
import { writeEcqlExpression, writeEcqlFilter } from '../../filter/ecql/ecql.ts';
import type { Expression } from '../../filter/model/expression.ts';
import type { Filter } from '../../filter/model/filter.ts';
import { createLiteral, readLiteralNumber } from '../../filter/model/literal.ts';
import { omitUndefined } from '../css/translate/omit-undefined.ts';
import { type DocumentPath, type DocumentValue, isList } from '../documents/document-value.ts';
import type { ColorMap, ColorMapEntry } from '../model/color-map.ts';
import type { RasterSymbolizer } from '../model/symbolizer.ts';
import { createCall } from './build-expression.ts';
import { parseCssColor } from './colors.ts';
import type { LayerProperties } from './layer-properties.ts';

export interface Heatmap {
  readonly symbolizer: RasterSymbolizer;
  /** Rules see the result of the transformation, so that it contains the filter of the layer. */
  readonly transform: (filter: Filter | undefined) => Expression;
}

/** The default of the style specification. */
const DEFAULT_RADIUS = 30;

/** The attribute with a computed weight. */
const WEIGHT = 'heatmap_weight';

export function readHeatmap(properties: LayerProperties): Heatmap {
  const radius = properties.number('heatmap-radius') ?? createLiteral(DEFAULT_RADIUS);
  const weight = readWeight(properties);
  const intensity = properties.constantNumber('heatmap-intensity') ?? 1;
  const opacity = properties.number('heatmap-opacity');
  const colorMap = readColorMap(properties, intensity > 0 ? intensity : 1);
  return {
    symbolizer: omitUndefined<RasterSymbolizer>({ kind: 'rasterSymbolizer', opacity, colorMap }),
    transform: (filter) => createTransformation(radius, weight, filter),
  };
}

/** The transformation computes weights from text, in which a semicolon separates definitions. */
function readWeight(properties: LayerProperties): Expression | undefined {
  const weight = properties.number('heatmap-weight');
  if (weight === undefined || weight.kind === 'property') return weight;
  if (!hasVariable(weight) && !/[;\n]/.test(writeEcqlExpression(weight))) return weight;
  const reason = 'heatmap-weight has no effect if it depends on the zoom or contains a semicolon';
  properties.complaints.warn([...properties.path, 'paint', 'heatmap-weight'], reason);
  return undefined;
}

function createTransformation(
  radius: Expression,
  weight: Expression | undefined,
  filter: Filter | undefined,
): Expression {
  const found =
    filter === undefined ? [] : [createCall('vec:Query', createParameter('filter', writeEcqlFilter(filter)))];
  // The same weight for all features has no effect, because densities are relative.
  const isConstant = weight === undefined || weight.kind === 'literal';
  const isAttribute = weight?.kind === 'property';
  const weighted =
    isConstant || isAttribute
      ? found
      : [
          createCall(
            'vec:Transform',
            createParameter('features', ...found),
            createParameter('transform', `${WEIGHT}=${writeEcqlExpression(weight)}`),
          ),
        ];
  return createCall(
    'vec:Heatmap',
    createParameter('data', ...weighted),
    createParameter('radiusPixels', roundRadius(radius)),
    ...(isConstant ? [] : [createParameter('weightAttr', isAttribute ? weight.name : WEIGHT)]),
  );
}

function createParameter(name: string, ...values: readonly (Expression | string)[]): Expression {
  const written = values.map((each) => (typeof each === 'string' ? createLiteral(each) : each));
  return createCall('parameter', createLiteral(name), ...written);
}

function roundRadius(radius: Expression): Expression {
  const number = readLiteralNumber(radius);
  return number === undefined ? createCall('rint', radius) : createLiteral(Math.max(1, Math.round(number)));
}

function hasVariable(part: object): boolean {
  if ('kind' in part && part.kind === 'function' && 'name' in part && part.name === 'env') return true;
  return Object.values(part).some((inner) => typeof inner === 'object' && inner !== null && hasVariable(inner));
}

/** The default of the style specification. */
const defaultStops: readonly (readonly [number, string])[] = [
  [0, 'rgba(0, 0, 255, 0)'],
  [0.1, 'royalblue'],
  [0.3, 'cyan'],
  [0.5, 'lime'],
  [0.7, 'yellow'],
  [1, 'red'],
];

/** Densities end at 1, so that an intensity moves the stops. */
function readColorMap(properties: LayerProperties, intensity: number): ColorMap {
  const written = properties.find('heatmap-color');
  const stops = written === undefined ? defaultStops : readStops(properties, written);
  const entries = stops.map(([density, text]): ColorMapEntry => {
    const { color, alpha } = parseCssColor(text) ?? { color: '#000000', alpha: 0 };
    return {
      color: createLiteral(color),
      quantity: createLiteral(Number((density / intensity).toPrecision(12))),
      opacity: createLiteral(alpha),
    };
  });
  return { kind: 'entries', type: 'ramp', entries };
}

/** Reads `["interpolate", ["linear"], ["heatmap-density"], 0, "…", 1, "…"]`. */
function readStops(
  { complaints }: LayerProperties,
  { value, path }: { readonly value: DocumentValue; readonly path: DocumentPath },
): readonly (readonly [number, string])[] {
  const [operator, , input, ...rest] = isList(value) ? value : [];
  const isRamp = operator === 'interpolate' && isList(input) && input[0] === 'heatmap-density';
  const stops: (readonly [number, string])[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const [density, color] = [rest[at], rest[at + 1]];
    if (typeof density !== 'number' || typeof color !== 'string' || parseCssColor(color) === undefined) break;
    stops.push([density, color]);
  }
  if (isRamp && stops.length > 0 && stops.length * 2 === rest.length) return stops;
  complaints.add(path, 'expected an interpolation of ["heatmap-density"] with constant colours');
  return defaultStops;
}
