/** Translates a style sheet to the style model. */
import { deepFreeze } from '../../../lib/values/deep-freeze.ts';
import type { Fill } from '../../model/paint.ts';
import type { FeatureTypeStyle, StyledLayerDescriptor, UserStyle } from '../../model/styled-layer-descriptor.ts';
import type { AtomFactory } from '../cascade/atom.ts';
import { Budget, TooComplex } from '../cascade/budget.ts';
import { cascadeRules } from '../cascade/cascaded-properties.ts';
import { comparePriority, type SimpleRule } from '../cascade/simple-rule.ts';
import type { CssComplaints } from '../model/css-complaints.ts';
import type { CssLimits } from '../model/css-limits.ts';
import type { StyleDirectives, Stylesheet } from '../model/stylesheet.ts';
import { buildCascadedDrawings } from './cascaded-drawings.ts';
import { buildFeatureTypeStyles, type LevelledStyle } from './feature-type-styles.ts';
import { buildFlatDrawings } from './flat-drawings.ts';
import { omitUndefined } from './omit-undefined.ts';
import { buildFill } from './paint.ts';
import type { ConditionalDrawing } from './rule-drawing.ts';

/** The layer name for a style without a name, because SLD requires one. */
const defaultName = 'style';

export interface TranslationContext {
  readonly complaints: CssComplaints;
  readonly limits: CssLimits;
  /** The factory of the conditions in the rules. */
  readonly atoms: AtomFactory;
}

/** Returns undefined after an error. */
export function translateStylesheet(
  { directives }: Stylesheet,
  rules: readonly SimpleRule[],
  translation: TranslationContext,
): StyledLayerDescriptor | undefined {
  const { complaints } = translation;
  const background = readBackground(rules, complaints);
  const styles = buildStyles(directives, rules, translation);
  if (styles === undefined) return undefined;
  if (styles.every(({ style }) => style.rules.every(({ symbolizers }) => symbolizers.length === 0))) {
    const drawing = 'fill, stroke, mark, label or raster-channels';
    complaints.add(0, 'stylesheet', `no rule draws anything. At least one rule that can apply must set ${drawing}`);
    return undefined;
  }
  const { name, title, abstract, uniqueRuleNames } = directives;
  const sorted = styles.toSorted((one, other) => one.zIndex - other.zIndex).map(({ style }) => style);
  const userStyle = omitUndefined<UserStyle>({
    kind: 'userStyle',
    name,
    title,
    abstract,
    background,
    featureTypeStyles: uniqueRuleNames ? addRuleNames(sorted) : sorted,
  });
  return deepFreeze({
    kind: 'styledLayerDescriptor',
    layers: [{ kind: 'namedLayer', name: name || defaultName, styles: [userStyle] }],
  });
}

/** Numbers are unique in the whole style, so that clients can request one rule by its name. */
function addRuleNames(styles: readonly FeatureTypeStyle[]): readonly FeatureTypeStyle[] {
  let count = 0;
  return styles.map((style) => ({
    ...style,
    rules: style.rules.map((rule) => {
      count += 1;
      return { ...rule, name: String(count) };
    }),
  }));
}

function buildStyles(
  directives: StyleDirectives,
  rules: readonly SimpleRule[],
  { complaints, limits, atoms }: TranslationContext,
): readonly LevelledStyle[] | undefined {
  const types = new Set(rules.flatMap(({ type }) => type ?? []));
  const budget = new Budget(limits);
  try {
    // SLD cannot express "every other type", so rules for all types are drawn below rules for some types.
    return [undefined, ...types].flatMap((type) => {
      const ofType = rules.filter((rule) => rule.type === undefined || rule.type === type);
      const styles = buildStylesOfType(directives, ofType, type, (all) => buildCascadedDrawings(all, budget, atoms));
      return styles.length === 0 && type !== undefined ? [createEmptyStyle(type)] : styles;
    });
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const isFlat = directives.mode === 'flat';
    const advice = `Use fewer rules that can apply together${isFlat ? '' : ", or @mode 'Flat'"}`;
    complaints.add(0, 'stylesheet', `the rules cannot be translated: ${error.message}. ${advice}`);
    return undefined;
  }
}

/** Prevents the rules for all types from drawing a type for which nothing is drawn. */
function createEmptyStyle(featureTypeName: string): LevelledStyle {
  const rules = [{ kind: 'rule' as const, symbolizers: [] }];
  return { zIndex: 0, style: { kind: 'featureTypeStyle', featureTypeName, rules } };
}

function buildStylesOfType(
  { mode, autoThreshold }: StyleDirectives,
  rules: readonly SimpleRule[],
  type: string | undefined,
  buildDrawings: (rules: readonly SimpleRule[]) => readonly ConditionalDrawing[],
): readonly LevelledStyle[] {
  if (mode === 'flat') return buildFeatureTypeStyles(buildFlatDrawings(rules, buildDrawings), 'all', type);
  const isFirstOnly = mode === 'simple' || (mode === 'auto' && rules.length > autoThreshold);
  return listLevels(rules).flatMap((level) => {
    const taking = rules.filter(({ levels }) => levels === undefined || levels.includes(level));
    const drawings = buildDrawings(taking).map((placed) => selectLevel(placed, level));
    return buildFeatureTypeStyles(drawings, isFirstOnly ? 'first' : 'all', type);
  });
}

/** Each z-index has a separate cascade, which includes rules without a z-index. */
function listLevels(rules: readonly SimpleRule[]): readonly number[] {
  const levels = rules.flatMap((rule) => rule.levels ?? [0]);
  return [...new Set(levels)].toSorted((one, other) => one - other);
}

function selectLevel({ drawing, ...place }: ConditionalDrawing, level: number): ConditionalDrawing {
  const symbolizers = drawing.symbolizers.filter(({ zIndex }) => zIndex === level);
  return { ...place, drawing: { ...drawing, symbolizers } };
}

/** The background applies to the whole map, so only a rule for everything can set it. */
function readBackground(rules: readonly SimpleRule[], complaints: CssComplaints): Fill | undefined {
  const given = rules.filter(({ properties }) => properties.has('background') || properties.has('background-opacity'));
  const isForAll = ({ type, atoms, scale }: SimpleRule): boolean =>
    type === undefined && atoms.length === 0 && scale.from === 0 && scale.to === Number.POSITIVE_INFINITY;
  for (const rule of given)
    if (!isForAll(rule))
      complaints.add(rule.offset, 'background', "'background' is only allowed in a rule for all features: '*'");
  const own = cascadeRules(given.filter(isForAll).toSorted(comparePriority)).getLookup(0);
  return buildFill({
    prefix: 'fill',
    own: (name) => own(name.replace('fill', 'background')),
    ofSymbol: () => undefined,
  });
}
