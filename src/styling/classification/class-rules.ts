/** Creates rules and colour maps from classes. */

import type { Comparison, ComparisonOperator, Filter } from '../../filter/model/filter.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { ColorMapEntry } from '../model/color-map.ts';
import type { Fill, Stroke } from '../model/paint.ts';
import type { Rule, StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import type { Symbolizer } from '../model/symbolizer.ts';
import type { ClassRange, ValueClass } from './classes.ts';

export interface ColoredClass {
  readonly class: ValueClass;
  /** `#RRGGBB`. */
  readonly color: string;
}

export interface ClassSymbols {
  readonly shape: 'point' | 'line' | 'polygon';
  readonly strokeColor: string;
  /** Negative for no stroke. */
  readonly strokeWeight: number;
  readonly pointSize: number;
}

/** The number of decimals of percentages; undefined for none. */
export type PercentageDigits = number | undefined;

export function createVectorRules(
  attribute: string,
  classes: readonly ColoredClass[],
  symbols: ClassSymbols,
  digits: PercentageDigits,
): readonly Rule[] {
  return classes.map((each) => ({
    kind: 'rule',
    title: `${formatTitle(each.class)}${formatShare(each.class, digits)}`,
    filter: createFilter(attribute, each.class),
    symbolizers: [createSymbolizer(each.color, symbols)],
  }));
}

/** Ramps and single values colour their own quantities; an interval ends below its quantity. */
export function createRasterRule(
  classes: readonly ColoredClass[],
  { isContinuous, digits }: { readonly isContinuous: boolean; readonly digits: PercentageDigits },
): Rule {
  const isSingle = classes.every((each) => each.class.kind === 'value');
  const type = isContinuous ? 'ramp' : isSingle ? 'values' : 'intervals';
  const entries = isSingle
    ? classes.map((each) => createEntry(each, Number(each.class.kind === 'value' ? each.class.value : 0), digits))
    : isContinuous
      ? createRampEntries(classes, digits)
      : createIntervalEntries(classes, digits);
  return {
    kind: 'rule',
    symbolizers: [{ kind: 'rasterSymbolizer', colorMap: { kind: 'entries', type, entries } }],
  };
}

export function createClassStyle(layer: string, rules: readonly Rule[]): StyledLayerDescriptor {
  return {
    kind: 'styledLayerDescriptor',
    layers: [
      {
        kind: 'namedLayer',
        name: layer,
        styles: [{ kind: 'userStyle', featureTypeStyles: [{ kind: 'featureTypeStyle', rules }] }],
      },
    ],
  };
}

/** Titles of ranges begin with a space, which clients of other servers rely on. */
function formatTitle(each: ValueClass): string {
  if (each.kind === 'value') return String(each.value);
  const lower = each.min === undefined ? undefined : `${each.includesMin ? '>=' : '>'} ${each.min}`;
  const upper = each.max === undefined ? undefined : `${each.includesMax ? '<=' : '<'} ${each.max}`;
  return ` ${[lower, upper].filter((part) => part !== undefined).join(' AND ')}`;
}

function formatShare({ share }: ValueClass, digits: PercentageDigits): string {
  return share === undefined || digits === undefined ? '' : ` (${(share * 100).toFixed(digits)}%)`;
}

function createFilter(attribute: string, each: ValueClass): Filter {
  const compare = (operator: ComparisonOperator, value: string | number): Comparison => ({
    kind: 'comparison',
    operator,
    left: { kind: 'property', name: attribute },
    right: createLiteral(String(value)),
  });
  if (each.kind === 'value') return compare('equal', String(each.value));
  const lower = each.min === undefined ? [] : [compare(each.includesMin ? 'greaterOrEqual' : 'greater', each.min)];
  const upper = each.max === undefined ? [] : [compare(each.includesMax ? 'lessOrEqual' : 'less', each.max)];
  const [first, ...others] = [...lower, ...upper];
  if (first === undefined)
    return { kind: 'not', filter: { kind: 'isNull', value: { kind: 'property', name: attribute } } };
  return others.length === 0 ? first : { kind: 'and', filters: [first, ...others] };
}

function createSymbolizer(color: string, symbols: ClassSymbols): Symbolizer {
  const fill: Fill = { kind: 'fill', color: createLiteral(color) };
  switch (symbols.shape) {
    case 'line':
      return { kind: 'lineSymbolizer', stroke: createStroke(color, Math.abs(symbols.strokeWeight)) };
    case 'polygon':
      return { kind: 'polygonSymbolizer', fill, ...createOutline(symbols) };
    case 'point':
      return {
        kind: 'pointSymbolizer',
        graphic: {
          kind: 'graphic',
          symbols: [{ kind: 'mark', wellKnownName: createLiteral('circle'), fill, ...createOutline(symbols) }],
          size: createLiteral(String(symbols.pointSize)),
        },
      };
  }
}

function createOutline({ strokeColor, strokeWeight }: ClassSymbols): { readonly stroke?: Stroke } {
  return strokeWeight < 0 ? {} : { stroke: createStroke(strokeColor, strokeWeight) };
}

/** Clients expect a single parameter, so the default width is omitted. */
function createStroke(color: string, width: number): Stroke {
  return {
    kind: 'stroke',
    color: createLiteral(color),
    ...(width === 1 ? {} : { width: createLiteral(String(width)) }),
  };
}

function createEntry(each: ColoredClass, quantity: number, digits: PercentageDigits): ColorMapEntry {
  return {
    color: createLiteral(each.color),
    quantity: createLiteral(String(quantity)),
    label: `${formatTitle(each.class)}${formatShare(each.class, digits)}`.trim(),
  };
}

/** An entry at the lowest value, then one at the end of each class. */
function createRampEntries(classes: readonly ColoredClass[], digits: PercentageDigits): readonly ColorMapEntry[] {
  const ranges = listRanges(classes);
  const [first] = ranges;
  const start = first?.range.min;
  return [
    ...(first === undefined || start === undefined || start === first.range.max
      ? []
      : [{ color: createLiteral(first.colored.color), quantity: createLiteral(String(start)), label: String(start) }]),
    ...ranges.map(({ colored, range }) => createEntry(colored, range.max ?? range.min ?? 0, digits)),
  ];
}

/** Values below the first class are transparent. The last quantity is above the highest value, which belongs to it. */
function createIntervalEntries(classes: readonly ColoredClass[], digits: PercentageDigits): readonly ColorMapEntry[] {
  const ranges = listRanges(classes);
  const [first] = ranges;
  const start = first?.range.min;
  return [
    ...(first === undefined || start === undefined
      ? []
      : [
          {
            color: createLiteral(first.colored.color),
            quantity: createLiteral(String(start)),
            opacity: createLiteral('0'),
          },
        ]),
    ...ranges.map(({ colored, range }) => {
      const end = range.max ?? Number.MAX_VALUE;
      return createEntry(colored, range.includesMax ? findNextNumber(end) : end, digits);
    }),
  ];
}

function listRanges(classes: readonly ColoredClass[]) {
  return classes.flatMap((colored): readonly { readonly colored: ColoredClass; readonly range: ClassRange }[] =>
    colored.class.kind === 'range' ? [{ colored, range: colored.class }] : [],
  );
}

/** Returns the smallest double above a number. */
function findNextNumber(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  if (value === Number.MAX_VALUE) return value;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}
