/** Plans which parts of a style are painted at a scale, and which data of the features that requires. */

import { statisticsFunctions } from '../../filter/evaluate/evaluate.ts';
import { isExpression } from '../../filter/model/expression-contents.ts';
import { hasInnerPart } from '../../filter/model/inner-parts.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import { parseTemplates } from '../../styling/graphics/address-template.ts';
import { resolveMarks } from '../../styling/graphics/resolve-marks.ts';
import { DEFAULT_MARK_PIXELS } from '../../styling/legend/symbols/well-known-marks.ts';
import { type Lengths, readPenPixels, readPixels } from '../../styling/legend/values/lengths.ts';
import { isForLegendsOnly } from '../../styling/model/inclusion.ts';
import type {
  Expression,
  FeatureTypeStyle,
  Fill,
  Graphic,
  Mark,
  Rule,
  Stroke,
  Symbolizer,
  UserStyle,
  VendorOption,
} from '../../styling/model/model.ts';
import type { FeatureTypeDescription, SortKey } from '../../vector/port/port.ts';
import { type Blend, readBlend } from '../rasterizer/blend.ts';
import { bindReprojections } from './bind-reprojections.ts';
import { bindRuleVariables, listAttributeNames } from './bind-style.ts';
import { listContentsInTurns } from './part-contents.ts';
import { splitByComposite } from './split-by-composite.ts';

export interface StylePlan {
  /** Painted in this order, each over all features. */
  readonly groups: readonly PaintedGroup[];
  /** The names of the attributes that the style reads. */
  readonly values: readonly string[];
  /** The names of the geometries that the style draws. */
  readonly geometries: readonly string[];
  readonly hasIds: boolean;
  /** The order in which features are painted; the order of the layer by default. */
  readonly sort: readonly SortKey[] | undefined;
  /** The distance that symbols extend beyond a feature, in pixels. */
  readonly reachPixels: number;
}

/** The way a feature type style is composited with the content below it. */
export interface Compositing {
  /** Undefined for plain compositing over the content below. */
  readonly blend: Blend | undefined;
  /**
   * Whether this style and the following ones, up to the next base, are blended separately and then composited as a
   * whole.
   */
  readonly isBase: boolean;
}

/** The order that several feature type styles share, with its group name. */
export interface ZOrder {
  readonly name: string;
  readonly sort: readonly SortKey[];
}

/** The rules of a feature type style that are in scale. */
export interface PaintedGroup extends Compositing {
  /** Undefined if its features are painted separately. */
  readonly zOrder: ZOrder | undefined;
  readonly rules: readonly Rule[];
  /** Whether only the first matching rule paints each feature. */
  readonly isFirstOnly: boolean;
  /** Whether the blend mode applies between its features, too. */
  readonly blendsFeatures: boolean;
  /** Whether it has pictures, patterns or blended features, which plain coverage does not support. */
  readonly hasGraphics: boolean;
}

export interface PlanSettings {
  readonly scaleDenominator: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly getLengths: (symbolizer: Pick<Symbolizer, 'uom'>) => Lengths;
  /** The distance from the picture in which labels of features matter. */
  readonly labelMargin: number;
}

/** Styles of clients can be large, so that other work continues between rules. Throws a Problem for invalid functions. */
export async function planStyle(
  style: UserStyle,
  type: FeatureTypeDescription,
  settings: PlanSettings,
): Promise<StylePlan> {
  const groups: PaintedGroup[] = [];
  const named = new Set<string>();
  let hasIds = false;
  let reachPixels = 0;
  for (const each of style.featureTypeStyles) {
    if (isForLegendsOnly(each)) continue;
    const planned = (await planGroups(each, type, settings)).filter(({ rules }) => rules.length > 0);
    groups.push(...planned);
    for (const rule of listPlanRules({ groups: planned })) {
      const contents = await listContentsInTurns(rule);
      for (const name of contents.attributes) named.add(resolveAttributeName(type, name));
      hasIds ||= contents.hasIdentifiers || contents.functions.has('id');
      await yieldIfDue();
      for (const symbolizer of rule.symbolizers)
        reachPixels = Math.max(reachPixels, computePlannedReach(symbolizer, settings));
    }
  }
  const used = type.attributes.filter(({ name }) => named.has(name));
  const other = used.filter(({ kind, name }) => kind === 'geometry' && name !== type.defaultGeometry);
  return {
    groups,
    values: used.flatMap(({ kind, name }) => (kind === 'value' ? name : [])),
    geometries: [
      ...(type.defaultGeometry === undefined ? [] : [type.defaultGeometry]),
      ...other.map(({ name }) => name),
    ],
    hasIds,
    sort: style.featureTypeStyles.map((each) => readSortKeys(each, type)).find((sort) => sort !== undefined),
    reachPixels,
  };
}

function computePlannedReach(symbolizer: Symbolizer, { getLengths, labelMargin }: PlanSettings): number {
  const reach = computeReach(symbolizer, getLengths(symbolizer));
  const isObstacle = findOptionText(symbolizer.vendorOptions, 'labelObstacle')?.toLowerCase() === 'true';
  return symbolizer.kind === 'textSymbolizer' || isObstacle ? Math.max(reach, labelMargin) : reach;
}

export function listPlanRules({
  groups,
}: {
  readonly groups: readonly Pick<PaintedGroup, 'rules'>[];
}): readonly Rule[] {
  return groups.flatMap(({ rules }) => rules);
}

/** A feature type style is one group, unless a part of its symbolizers is blended. */
async function planGroups(
  { rules, vendorOptions }: FeatureTypeStyle,
  type: FeatureTypeDescription,
  settings: PlanSettings,
): Promise<readonly PaintedGroup[]> {
  const painted: Rule[] = [];
  for (const rule of rules) {
    if (!isInScale(rule, settings.scaleDenominator) || isForLegendsOnly(rule)) continue;
    await yieldIfDue();
    const parsed = parseTemplates(resolveMarks(omitLegendSymbolizers(rule)));
    await yieldIfDue();
    const bound = await bindRuleVariables(parsed, settings.variables);
    const { functions } = await listContentsInTurns(bound);
    rejectStatistics(functions);
    const placed = functions.has('reproject') ? await bindReprojections(bound, type) : bound;
    painted.push(passStrokeOption(placed, vendorOptions));
  }
  const compositing = readCompositing({ vendorOptions });
  const groups: PaintedGroup[] = [];
  for (const { blend, rules: staged } of splitByComposite(painted)) {
    groups.push({
      rules: staged,
      zOrder: readZOrder({ vendorOptions }, type),
      isFirstOnly: isFirstRuleOnly({ vendorOptions }),
      ...chooseCompositing(compositing, blend, groups.length === 0),
      blendsFeatures: blend !== undefined,
      hasGraphics: blend !== undefined || (await haveGraphics(staged)),
    });
  }
  return groups;
}

function rejectStatistics(functions: ReadonlySet<string>): void {
  const name = statisticsFunctions.find((each) => functions.has(each));
  if (name === undefined) return;
  const reason = 'features have no statistics; use it in styles of rasters';
  throw problem('map-function-invalid', { function: name, reason });
}

async function haveGraphics(rules: readonly Rule[]): Promise<boolean> {
  for (const { symbolizers } of rules) {
    await yieldIfDue();
    if (symbolizers.some(hasGraphics)) return true;
  }
  return false;
}

/** The mode of a base applies once, to everything on it; its further stages have only their own. */
function chooseCompositing({ isBase, blend }: Compositing, own: Blend | undefined, isFirst: boolean): Compositing {
  if (!isBase) return { blend: own ?? blend, isBase };
  return isFirst ? { blend, isBase } : { blend: own, isBase: false };
}

function omitLegendSymbolizers(rule: Rule): Rule {
  if (!rule.symbolizers.some(isForLegendsOnly)) return rule;
  return { ...rule, symbolizers: rule.symbolizers.filter((each) => !isForLegendsOnly(each)) };
}

/** Applies `exactStrokes` of a feature type style to its symbolizers. */
function passStrokeOption(rule: Rule, options: FeatureTypeStyle['vendorOptions']): Rule {
  const option = options?.find(({ name }) => name.toLowerCase() === 'exactstrokes');
  if (option === undefined) return rule;
  const symbolizers = rule.symbolizers.map((each) => ({
    ...each,
    vendorOptions: [...(each.vendorOptions ?? []), option],
  }));
  return { ...rule, symbolizers };
}

export function readCompositing({ vendorOptions }: Pick<FeatureTypeStyle, 'vendorOptions'>): Compositing {
  return {
    blend: readBlend(findOptionText(vendorOptions, 'composite') ?? ''),
    isBase: findOptionText(vendorOptions, 'composite-base')?.toLowerCase() === 'true',
  };
}

/** Returns whether only the first matching rule paints each feature. */
export function isFirstRuleOnly({ vendorOptions }: Pick<FeatureTypeStyle, 'vendorOptions'>): boolean {
  return findOptionText(vendorOptions, 'ruleEvaluation')?.toLowerCase() === 'first';
}

/** Graphics of labels are drawn by the label layer and do not count. */
function hasGraphics(part: object): boolean {
  if (isExpression(part) || ('kind' in part && part.kind === 'textSymbolizer')) return false;
  if ('kind' in part && (part.kind === 'externalGraphic' || (part.kind === 'mark' && isSpecialMark(part as Mark))))
    return true;
  return hasInnerPart(part, (inner, key) => key === 'graphicFill' || key === 'graphicStroke' || hasGraphics(inner));
}

/** Returns whether a mark is a glyph or an outline from a file. */
function isSpecialMark({ wellKnownName: name, externalMark }: Mark): boolean {
  if (externalMark !== undefined) return true;
  const first = name?.kind === 'concatenation' ? name.parts[0] : name;
  return first?.kind === 'literal' && first.value.trim().toLowerCase().startsWith('ttf://');
}

function readZOrder(style: Pick<FeatureTypeStyle, 'vendorOptions'>, type: FeatureTypeDescription): ZOrder | undefined {
  const name = findOptionText(style.vendorOptions, 'sortByGroup') ?? '';
  const sort = name === '' ? undefined : readSortKeys(style, type);
  return sort && { name, sort };
}

/** Reads the vendor option `sortBy`: names of attributes, followed by D for descending order. */
function readSortKeys(
  { vendorOptions }: Pick<FeatureTypeStyle, 'vendorOptions'>,
  { attributes }: FeatureTypeDescription,
): readonly SortKey[] | undefined {
  const written = findOptionText(vendorOptions, 'sortBy') ?? '';
  if (written === '') return undefined;
  const sortable = new Set(
    attributes.flatMap((each) => (each.kind === 'value' && each.type !== 'bytes' ? each.name : [])),
  );
  const keys: SortKey[] = [];
  for (const part of written.split(',')) {
    const [name = '', direction = ''] = part.trim().split(/\s+/);
    // An attribute has no effect after its first key.
    if (!sortable.delete(name)) continue;
    keys.push({ attribute: name, isDescending: direction.toUpperCase().startsWith('D') });
  }
  return keys.length > 0 ? keys : undefined;
}

/**
 * Resolves a name that may be a path or have a prefix to an attribute; returns its last step if none matches exactly.
 */
function resolveAttributeName({ attributes }: FeatureTypeDescription, name: string): string {
  if (attributes.some((each) => each.name === name)) return name;
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}

export function isInScale({ minScaleDenominator, maxScaleDenominator }: Rule, scale: number): boolean {
  // Scales are computed, so differences within rounding are ignored.
  const rounding = scale * 1e-9;
  return (
    scale + rounding >= (minScaleDenominator ?? 0) &&
    scale + rounding < (maxScaleDenominator ?? Number.POSITIVE_INFINITY)
  );
}

/** Returns the text of a vendor option; undefined if it is missing or an expression. */
export function findOptionText(options: readonly VendorOption[] | undefined, name: string): string | undefined {
  const value = options?.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  return value?.kind === 'literal' ? value.value.trim() : undefined;
}

/** The assumed reach of sizes that are computed for each feature; most symbols are smaller. */
const COMPUTED_REACH_PIXELS = 64;

/** The assumed reach of geometries that functions move or enlarge; their distances are in units of the data. */
const ENLARGED_REACH_PIXELS = 256;

const enlargingFunctions: ReadonlySet<string> = new Set([
  'buffer',
  'bufferwithsegments',
  'isometric',
  'mincircle',
  'offset',
  'union',
]);

function isEnlarged(geometry: Expression): boolean {
  if (geometry.kind !== 'function') return false;
  return enlargingFunctions.has(geometry.name.toLowerCase()) || geometry.arguments.some(isEnlarged);
}

/** The maximum reach, independent of the style. */
const MAX_REACH_PIXELS = 1_000;

/** Returns the distance that a symbolizer paints beyond a shape. */
export function computeReach(symbolizer: Symbolizer, lengths: Lengths): number {
  if (symbolizer.geometry !== undefined && isEnlarged(symbolizer.geometry)) return ENLARGED_REACH_PIXELS;
  if (listAttributeNames(symbolizer).length > 0 && symbolizer.kind !== 'textSymbolizer')
    return COMPUTED_REACH_PIXELS * lengths.factor;
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      return limitReach(symbolizer.graphic ? computeGraphicReach(symbolizer.graphic, lengths) : 0);
    case 'lineSymbolizer':
      return limitReach(
        computeStrokeReach(symbolizer.stroke, lengths) + computeOffsetReach(symbolizer.perpendicularOffset, lengths),
      );
    case 'polygonSymbolizer': {
      const { fill, stroke, displacement, perpendicularOffset } = symbolizer;
      const shift = Math.max(
        Math.abs(readPixels(lengths, displacement?.x, 0)),
        Math.abs(readPixels(lengths, displacement?.y, 0)),
      );
      return limitReach(
        Math.max(computeStrokeReach(stroke, lengths), computeFillReach(fill)) +
          shift +
          computeOffsetReach(perpendicularOffset, lengths),
      );
    }
    case 'textSymbolizer':
      return COMPUTED_REACH_PIXELS * lengths.factor;
    case 'rasterSymbolizer':
      return 0;
  }
}

function limitReach(reach: number): number {
  return Math.min(MAX_REACH_PIXELS, Math.ceil(reach));
}

function computeOffsetReach(offset: Parameters<typeof readPixels>[1], lengths: Lengths): number {
  return Math.abs(readPixels(lengths, offset, 0));
}

function computeFillReach(fill: Fill | undefined): number {
  return fill === undefined ? 0 : 1;
}

/** Mitred corners extend farther than the sides of a line. */
function computeStrokeReach(stroke: Stroke | undefined, lengths: Lengths): number {
  if (stroke === undefined) return 0;
  if (stroke.graphicStroke !== undefined) return computeGraphicReach(stroke.graphicStroke.graphic, lengths);
  return readPenPixels(lengths, stroke.width, 1) * 2 + 1;
}

function computeGraphicReach({ size, displacement, symbols }: Graphic, lengths: Lengths): number {
  const [mark] = symbols;
  const pen = mark?.kind === 'mark' ? computeStrokeReach(mark.stroke, lengths) : 0;
  const half =
    readPixels(lengths, size, mark?.kind === 'externalGraphic' ? COMPUTED_REACH_PIXELS : DEFAULT_MARK_PIXELS) *
    Math.SQRT1_2;
  const shift = Math.hypot(readPixels(lengths, displacement?.x, 0), readPixels(lengths, displacement?.y, 0));
  // An anchor at a corner moves the whole symbol to one side.
  return half * 2 + pen + shift;
}
