/** Reads the layers of a style. Each becomes a feature type style with one rule. */
import type { Expression } from '../../filter/model/expression.ts';
import type { Constant, Filter } from '../../filter/model/filter.ts';
import type { DocumentComplaints } from '../documents/document-complaints.ts';
import { type DocumentObject, type DocumentPath, type DocumentValue, isObject } from '../documents/document-value.ts';
import type { Fill } from '../model/paint.ts';
import type { FeatureTypeStyle, Rule } from '../model/styled-layer-descriptor.ts';
import type { Symbolizer } from '../model/symbolizer.ts';
import { multiply } from './common/arithmetic.ts';
import { toMaxScaleDenominator, toMinScaleDenominator } from './common/zoom.ts';
import type { ExpressionBudget } from './expression-inputs.ts';
import { createExpressionContext } from './expressions.ts';
import { translateFilter } from './filters.ts';
import { readHeatmap } from './heatmaps.ts';
import type { Sprites } from './icons.ts';
import { createSymbolSymbolizers } from './labels.ts';
import { LayerProperties } from './layer-properties.ts';
import { type LayerOrder, readLayerOrder } from './sort-keys.ts';
import {
  createCircleSymbolizers,
  createExtrusionSymbolizers,
  createFill,
  createFillSymbolizers,
  createLineSymbolizers,
  createRasterSymbolizers,
} from './symbolizers.ts';

export interface ReadLayer {
  readonly sourceLayer?: string;
  readonly style?: FeatureTypeStyle;
  readonly background?: Fill;
  readonly order?: LayerOrder;
}

export interface LayerContext {
  readonly complaints: DocumentComplaints;
  readonly budget: ExpressionBudget;
  /** By id, for layers that refer to another one. */
  readonly definitions: ReadonlyMap<string, DocumentObject>;
  readonly sprites: Sprites;
}

const symbolizers: ReadonlyMap<string, (properties: LayerProperties, sprites: Sprites) => readonly Symbolizer[]> =
  new Map([
    ['fill', (properties, sprites) => createFillSymbolizers(properties, sprites)],
    ['line', createLineSymbolizers],
    ['circle', createCircleSymbolizers],
    ['symbol', createSymbolSymbolizers],
    ['raster', createRasterSymbolizers],
    ['fill-extrusion', createExtrusionSymbolizers],
  ]);

/** Types that a server does not draw. */
const undrawnTypes: ReadonlySet<string> = new Set([
  ...['hillshade', 'color-relief', 'sky', 'model', 'slot', 'raster-particle', 'clip', 'building', 'custom'],
]);

/** Members of layers besides layout and paint. */
const knownMembers: ReadonlySet<string> = new Set([
  ...['id', 'type', 'source', 'source-layer', 'minzoom', 'maxzoom', 'filter', 'layout', 'paint', 'metadata', 'ref'],
  ...['interactive', 'slot', 'appearances'],
]);

/** Returns nothing for hidden and undrawn layers, and after complaints. */
export function readLayer(layer: DocumentValue, path: DocumentPath, context: LayerContext): readonly ReadLayer[] {
  const { complaints, budget } = context;
  if (!isObject(layer)) {
    complaints.add(path, 'expected a layer');
    return [];
  }
  const id = layer.get('id');
  if (typeof id === 'number') complaints.tolerate([...path, 'id'], 'expected a text', 'the number is read as text');
  else if (typeof id !== 'string') complaints.add(path, "expected a text in 'id'");
  for (const name of layer.keys())
    if (!knownMembers.has(name)) complaints.warnUnlessStrict([...path, name], `unknown member '${name}'`);
  const whole = resolveReference(layer, path, context);
  const type = whole.get('type');
  if (isHidden(whole)) return [];
  if (typeof type === 'string' && undrawnTypes.has(type)) {
    complaints.warn([...path, 'type'], `layers of the type ${type} are not drawn`);
    return [];
  }
  const properties = new LayerProperties(
    { complaints, budget, path },
    {
      layout: readMembers(whole, 'layout', path, complaints),
      paint: readMembers(whole, 'paint', path, complaints),
    },
  );
  if (type === 'background') return readBackground(properties);
  if (type === 'heatmap') {
    const { symbolizer, transform } = readHeatmap(properties);
    properties.reportUnused();
    return toReadLayer(whole, { id: String(id), path, complaints, budget, drawn: [symbolizer], transform });
  }
  const create = typeof type === 'string' ? symbolizers.get(type) : undefined;
  if (create === undefined) {
    complaints.add(
      [...path, ...(whole.has('type') ? ['type'] : [])],
      `expected a type such as ${[...symbolizers.keys(), 'heatmap', 'background'].join(', ')}`,
    );
    return [];
  }
  const drawn = create(properties, context.sprites);
  const order = readLayerOrder(properties, String(type));
  properties.reportUnused();
  return toReadLayer(whole, { id: String(id), path, complaints, budget, drawn, order });
}

/** `ref` copies all but the paint of another layer. */
function resolveReference(
  layer: DocumentObject,
  path: DocumentPath,
  { complaints, definitions }: LayerContext,
): DocumentObject {
  const ref = layer.get('ref');
  if (ref === undefined) return layer;
  const parent = typeof ref === 'string' ? definitions.get(ref) : undefined;
  if (parent === undefined || parent.has('ref')) {
    complaints.add([...path, 'ref'], 'expected the id of a layer without a ref');
    return layer;
  }
  const copied = ['type', 'source', 'source-layer', 'minzoom', 'maxzoom', 'filter', 'layout'];
  return new Map([...layer, ...[...parent].filter(([name]) => copied.includes(name))]);
}

function isHidden(layer: DocumentObject): boolean {
  const layout = layer.get('layout');
  return isObject(layout) && layout.get('visibility') === 'none';
}

function readMembers(
  layer: DocumentObject,
  name: 'layout' | 'paint',
  path: DocumentPath,
  complaints: DocumentComplaints,
): DocumentObject {
  const members = layer.get(name);
  if (members === undefined) return new Map();
  if (isObject(members)) return members;
  complaints.add([...path, name], 'expected an object');
  return new Map();
}

function readBackground(properties: LayerProperties): readonly ReadLayer[] {
  const { color, alpha } = properties.color('background-color');
  const opacity = multiply(properties.number('background-opacity'), alpha);
  const isPattern = properties.has('background-pattern');
  properties.ignore('background-pattern');
  properties.reportUnused();
  // Black, the default colour, would hide the map that the author sees.
  if (isPattern && color === undefined) return [];
  return [{ background: createFill(color, opacity) }];
}

interface DrawnLayer {
  readonly id: string;
  readonly path: DocumentPath;
  readonly complaints: DocumentComplaints;
  readonly budget: ExpressionBudget;
  readonly drawn: readonly Symbolizer[];
  /** Creates the transformation of the features that match a filter. */
  readonly transform?: ((filter: Filter | undefined) => Expression) | undefined;
  readonly order?: LayerOrder | undefined;
}

function toReadLayer(
  layer: DocumentObject,
  { id, path, complaints, budget, drawn, transform, order }: DrawnLayer,
): readonly ReadLayer[] {
  const sourceLayer = layer.get('source-layer');
  const value = layer.get('filter');
  const filter: Filter | Constant | undefined =
    value === undefined
      ? { kind: 'include' }
      : translateFilter(
          value,
          createExpressionContext({ complaints, budget, path: [...path, 'filter'], kind: 'boolean' }),
        );
  const minZoom = readZoom(layer, 'minzoom', path, complaints);
  const maxZoom = readZoom(layer, 'maxzoom', path, complaints);
  if (filter === undefined || filter.kind === 'exclude' || drawn.length === 0) return [];
  const condition = filter.kind === 'include' ? undefined : filter;
  const rule: Rule = {
    kind: 'rule',
    name: id,
    title: id,
    ...(condition === undefined || transform !== undefined ? {} : { filter: condition }),
    ...(maxZoom === undefined || maxZoom >= 24 ? {} : { minScaleDenominator: toMinScaleDenominator(maxZoom) }),
    ...(minZoom === undefined || minZoom <= 0 ? {} : { maxScaleDenominator: toMaxScaleDenominator(minZoom) }),
    symbolizers: drawn,
  };
  return [
    {
      ...(typeof sourceLayer === 'string' ? { sourceLayer } : {}),
      style: {
        kind: 'featureTypeStyle',
        name: id,
        ...(transform === undefined ? {} : { transformation: transform(condition) }),
        rules: [rule],
        ...(order === undefined ? {} : { vendorOptions: [order.option] }),
      },
      ...(order === undefined ? {} : { order }),
    },
  ];
}

function readZoom(
  layer: DocumentObject,
  name: 'minzoom' | 'maxzoom',
  path: DocumentPath,
  complaints: DocumentComplaints,
): number | undefined {
  const zoom = layer.get(name);
  if (zoom === undefined || (typeof zoom === 'number' && zoom >= 0 && zoom <= 24)) return zoom;
  if (typeof zoom === 'number')
    complaints.tolerate([...path, name], 'expected a number from 0 to 24', 'the nearest is used');
  else complaints.add([...path, name], 'expected a number from 0 to 24');
  return typeof zoom === 'number' ? Math.min(24, Math.max(0, zoom)) : undefined;
}
