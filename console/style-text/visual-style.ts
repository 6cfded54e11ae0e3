/**
 * What the visual editor shows of a style: the rules with the values that forms can change. All other parts are written
 * by hand: they are shown as text, and no edit of a form touches them.
 */
import type { TextRange } from './css-tree.ts';
import type { FilterRows } from './filter-rows.ts';

/** The fields of the forms, by part. Names are those of CSS where it has one property for the field. */
export const fields = {
  fill: ['fill', 'fill-opacity'],
  stroke: ['stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray'],
  mark: ['mark', 'mark-size', 'mark-rotation', 'mark-fill', 'mark-stroke', 'mark-stroke-width'],
  label: ['label', 'font-family', 'font-size', 'font-weight', 'font-fill', 'halo-color', 'halo-radius'],
} as const;

export type PartName = keyof typeof fields;
export type FieldName = (typeof fields)[PartName][number];

export const partNames = Object.keys(fields) as readonly PartName[];
export const fieldNames: readonly FieldName[] = Object.values(fields).flat();

export type FieldState =
  | { readonly kind: 'value'; readonly value: string }
  /** An expression, or anything else that forms do not understand. */
  | { readonly kind: 'by hand'; readonly range: TextRange };

export interface VisualRule extends TextRange {
  readonly title: string;
  /** When the rule applies, as text; empty for always. */
  readonly condition: string;
  /** The same as rows of a form; undefined for conditions beyond rows. */
  readonly filter: FilterRows | undefined;
  /** Absent fields have no entry. */
  readonly fields: ReadonlyMap<FieldName, FieldState>;
  readonly byHand: readonly TextRange[];
}

export interface VisualStyle {
  readonly rules: readonly VisualRule[];
  /** Parts outside of the rules. */
  readonly byHand: readonly TextRange[];
}

export type ValueKind = 'color' | 'number' | 'share' | 'mark' | 'attribute' | 'text' | 'numbers' | 'weight';

export const valueKinds: Readonly<Record<FieldName, ValueKind>> = {
  fill: 'color',
  'fill-opacity': 'share',
  stroke: 'color',
  'stroke-width': 'number',
  'stroke-opacity': 'share',
  'stroke-dasharray': 'numbers',
  mark: 'mark',
  'mark-size': 'number',
  'mark-rotation': 'number',
  'mark-fill': 'color',
  'mark-stroke': 'color',
  'mark-stroke-width': 'number',
  label: 'attribute',
  'font-family': 'text',
  'font-size': 'number',
  'font-weight': 'weight',
  'font-fill': 'color',
  'halo-color': 'color',
  'halo-radius': 'number',
};

const patterns: Readonly<Record<ValueKind, RegExp>> = {
  color: /^(?:#(?:[\da-f]{3}|[\da-f]{6})|(?!none$)[a-z]{3,20})$/i,
  number: /^-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})$/,
  share: /^(?:0|1|0?\.\d{1,9}|[01]\.\d{1,9})$/,
  mark: /^[\w:/-]{1,60}$/,
  attribute: /^[A-Za-z_]\w{0,62}$/,
  text: /^[^"'<>&\\{};\n]{1,80}$/,
  numbers: /^\d{1,5}(?:\.\d{1,5})?(?: \d{1,5}(?:\.\d{1,5})?){0,9}$/,
  weight: /^(?:normal|bold)$/,
};

/** Whether a form can show and write the value. */
export function isFieldValue(field: FieldName, value: string): boolean {
  return patterns[valueKinds[field]].test(value);
}
