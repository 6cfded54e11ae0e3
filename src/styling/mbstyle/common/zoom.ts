/** Zoom levels as scale denominators. */
import type { Expression } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';

/**
 * The scale denominator of zoom 0: the world is 512 pixels wide, with pixels of 0.28 mm. Tiles of 256 pixels have twice
 * this denominator at the same level.
 */
export const ZOOM_0_DENOMINATOR = 279_541_132.014;

/** Moves limits away from the exact scales of zoom levels, at which maps are drawn. */
const MARGIN = 1.000_001;

/** Visible from this zoom, inclusive: the denominator is below the limit. */
export function toMaxScaleDenominator(minZoom: number): number {
  return roundLimit(ZOOM_0_DENOMINATOR / 2 ** minZoom);
}

/** Visible below this zoom, exclusive. */
export function toMinScaleDenominator(maxZoom: number): number {
  return roundLimit(ZOOM_0_DENOMINATOR / 2 ** maxZoom);
}

function roundLimit(denominator: number): number {
  return Number((denominator * MARGIN).toPrecision(12));
}

export function toZoom(denominator: number): number {
  return Number(Math.log2(ZOOM_0_DENOMINATOR / denominator).toFixed(4));
}

const denominator: Expression = { kind: 'function', name: 'env', arguments: [createLiteral('wms_scale_denominator')] };

/** The zoom of the map, as an expression on its scale. */
export const zoomExpression: Expression = {
  kind: 'arithmetic',
  operator: 'divide',
  left: {
    kind: 'function',
    name: 'log',
    arguments: [
      {
        kind: 'arithmetic',
        operator: 'divide',
        left: createLiteral(ZOOM_0_DENOMINATOR),
        right: denominator,
      },
    ],
  },
  right: createLiteral(Math.LN2),
};
