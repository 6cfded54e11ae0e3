/** All properties with their value types. */
import { color } from './color.ts';
import { graphicOrNone, paint } from './graphic.ts';
import { channels, colorMap, contrast, gamma } from './raster.ts';
import { transformation } from './transformation.ts';
import {
  allowNone,
  anchor,
  angle,
  attribute,
  createChoiceKind,
  flag,
  fontFamilies,
  fontWeight,
  label,
  length,
  lengths,
  number,
  oneOrTwo,
  opacity,
  pair,
  size,
  text,
  type ValueKind,
  wholeNumber,
} from './value-kind.ts';
import { vendorProperties } from './vendor-properties.ts';

const composite = createBlendKind();

/** The properties of fills and strokes, which symbols have too. */
export const paintProperties: ReadonlyMap<string, ValueKind> = new Map([
  ['fill', paint],
  ['fill-mime', text],
  ['fill-opacity', opacity],
  ['fill-size', size],
  ['fill-rotation', angle],
  ['stroke', paint],
  ['stroke-mime', text],
  ['stroke-opacity', opacity],
  ['stroke-width', size],
  ['stroke-size', size],
  ['stroke-rotation', angle],
  ['stroke-linecap', createChoiceKind('butt', 'round', 'square')],
  ['stroke-linejoin', createChoiceKind('miter', 'mitre', 'round', 'bevel')],
  ['stroke-dasharray', allowNone(lengths)],
  ['stroke-dashoffset', length],
  ['stroke-repeat', createChoiceKind('repeat', 'stipple')],
]);

/** The properties of symbols beyond fill and stroke. */
export const symbolProperties: ReadonlyMap<string, ValueKind> = new Map([
  ['size', size],
  ['rotation', angle],
]);

export const propertyKinds: ReadonlyMap<string, ValueKind> = new Map([
  ...paintProperties,
  ...symbolProperties,
  ...vendorProperties,
  ['fill-geometry', attribute],
  ['fill-composite', composite],
  ['stroke-geometry', attribute],
  ['stroke-composite', composite],
  ['stroke-offset', length],
  ['mark', graphicOrNone],
  ['mark-mime', text],
  ['mark-geometry', attribute],
  ['mark-composite', composite],
  ['mark-opacity', opacity],
  ['mark-size', size],
  ['mark-rotation', angle],
  ['mark-anchor', anchor],
  ['mark-offset', pair],
  ['label', allowNone(label)],
  ['label-geometry', attribute],
  ['label-composite', composite],
  ['label-anchor', anchor],
  ['label-offset', oneOrTwo],
  ['label-rotation', angle],
  ['label-priority', number],
  ['font-family', fontFamilies],
  ['font-fill', paint],
  ['font-opacity', opacity],
  ['font-style', createChoiceKind('normal', 'italic', 'oblique')],
  ['font-weight', fontWeight],
  ['font-size', size],
  ['halo-color', color],
  ['halo-opacity', opacity],
  ['halo-radius', size],
  ['shield', graphicOrNone],
  ['shield-mime', text],
  ['shield-size', size],
  ['shield-rotation', angle],
  ['raster-channels', channels],
  ['raster-geometry', attribute],
  ['raster-composite', composite],
  ['raster-opacity', opacity],
  ['raster-gamma', gamma],
  ['raster-contrast-enhancement', contrast],
  ['raster-color-map', colorMap],
  ['raster-color-map-type', createChoiceKind('ramp', 'intervals', 'values')],
  ['raster-color-map-extended', flag],
  ['geometry', attribute],
  ['z-index', wholeNumber],
  ['transform', transformation],
  ['composite', composite],
  ['composite-base', flag],
  ['rule-evaluation', createChoiceKind('first', 'all')],
  ['sort-by', createSortKeyKind()],
  ['sort-by-group', text],
  ['background', allowNone(color)],
  ['background-opacity', opacity],
]);

/** Alternative names of properties. */
export const propertyAliases: ReadonlyMap<string, string> = new Map([
  ['raster-z-index', 'z-index'],
  ...['rce', 'raster-contrast-enhancement'].flatMap((prefix) => [
    [`${prefix}-algorithm`, 'rce-algorithm'] as const,
    [`${prefix}-min`, 'rce-min-value'] as const,
    [`${prefix}-max`, 'rce-max-value'] as const,
    [`${prefix}-normalizationfactor`, 'rce-normalization-factor'] as const,
    [`${prefix}-correctionfactor`, 'rce-correction-factor'] as const,
  ]),
]);

/** `multiply`, or with an opacity: `multiply, 0.5` must be quoted, because a comma separates values. */
function createBlendKind(): ValueKind {
  return {
    expected: "a blend mode such as multiply or 'multiply, 0.5'",
    read: (terms) => text.read(terms),
  };
}

/** `[name]`, `name`, or with a direction: `name D`. */
function createSortKeyKind(): ValueKind {
  return {
    expected: "an attribute to sort by, such as name or 'name D',",
    read([key, direction, ...more]) {
      const order = direction === undefined ? '' : direction.kind === 'word' ? direction.text.toUpperCase() : '?';
      const name =
        key?.kind === 'expression' && key.expression.kind === 'property'
          ? key.expression.name
          : key?.kind === 'word' || key?.kind === 'string'
            ? key.text
            : undefined;
      if (name === undefined || more.length > 0 || !['', 'A', 'D'].includes(order)) return undefined;
      return { kind: 'expression', expression: { kind: 'literal', value: order === '' ? name : `${name} ${order}` } };
    },
  };
}
