/** The order in which the features of a fill, line or circle layer are drawn. */
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral, readLiteralNumber } from '../../filter/model/literal.ts';
import type { DocumentComplaints } from '../documents/document-complaints.ts';
import type { DocumentPath } from '../documents/document-value.ts';
import type { VendorOption } from '../model/paint.ts';
import type { LayerProperties } from './layer-properties.ts';

export interface LayerOrder {
  readonly option: VendorOption;
  readonly path: DocumentPath;
}

const SORTED_TYPES: ReadonlySet<string> = new Set(['fill', 'line', 'circle']);

/** Returns undefined, after a warning, for keys by which a store does not sort. */
export function readLayerOrder(properties: LayerProperties, type: string): LayerOrder | undefined {
  if (!SORTED_TYPES.has(type)) return undefined;
  const name = `${type}-sort-key`;
  const key = properties.number(name);
  // All features have the same constant key.
  if (key === undefined || key.kind === 'literal') return undefined;
  const path = properties.find(name)?.path ?? properties.path;
  const sort = findSort(key);
  if (sort !== undefined) return { option: { name: 'sortBy', value: createLiteral(sort) }, path };
  properties.complaints.warn(path, `${name} has an effect only if it is an attribute or a multiple of one`);
  return undefined;
}

/** Returns the attribute and the direction: a higher key is drawn above a lower one. */
function findSort(key: Expression): string | undefined {
  if (key.kind === 'property') return /[\s,]/.test(key.name) ? undefined : `${key.name} A`;
  if (key.kind !== 'arithmetic') return undefined;
  const { operator, left, right } = key;
  const [a, b] = [readLiteralNumber(left), readLiteralNumber(right)];
  if (operator === 'subtract' && a !== undefined) return reverse(findSort(right));
  if (operator === 'multiply' && a !== undefined && a !== 0) return a > 0 ? findSort(right) : reverse(findSort(right));
  const isScaled = operator === 'multiply' || operator === 'divide';
  if (isScaled && b !== undefined && b !== 0) return b > 0 ? findSort(left) : reverse(findSort(left));
  return (operator === 'add' || operator === 'subtract') && b !== undefined ? findSort(left) : undefined;
}

function reverse(sort: string | undefined): string | undefined {
  if (sort === undefined) return undefined;
  return sort.endsWith(' A') ? `${sort.slice(0, -1)}D` : `${sort.slice(0, -1)}A`;
}

/** Features are read once, in the order of the first layer that has one. */
export function reportOtherOrders(
  layers: readonly { readonly sourceLayer?: string; readonly order?: LayerOrder }[],
  complaints: DocumentComplaints,
): void {
  const applied = new Map<string, Expression>();
  for (const { sourceLayer = '', order } of layers) {
    if (order === undefined) continue;
    const first = applied.get(sourceLayer) ?? order.option.value;
    applied.set(sourceLayer, first);
    const isSame = JSON.stringify(first) === JSON.stringify(order.option.value);
    if (!isSame) complaints.warn(order.path, 'the sort key of an earlier layer applies');
  }
}
