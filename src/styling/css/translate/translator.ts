/** Translates a style sheet to the style model. */
import { deepFreeze } from '../../../lib/deep-freeze.ts';
import type { Fill } from '../../model/paint.ts';
import type { FeatureTypeStyle, StyledLayerDescriptor, UserStyle } from '../../model/styled-layer-descriptor.ts';
import type { AtomFactory } from '../cascade/atom.ts';
import { Budget, TooComplex } from '../cascade/budget.ts';
import { byPriority, type SimpleRule } from '../cascade/simple-rule.ts';
import type { CssComplaints } from '../css-complaints.ts';
import type { CssLimits } from '../css-limits.ts';
import type { StyleDirectives, Stylesheet } from '../stylesheet.ts';
import { cascade } from './cascaded.ts';
import { cascadingDrawings } from './cascading.ts';
import type { PlacedDrawing } from './drawing.ts';
import { featureTypeStyles, type LevelledStyle } from './feature-type-styles.ts';
import { flatDrawings } from './flat.ts';
import { fillOf } from './paint.ts';
import { withoutUndefined } from './without-undefined.ts';

/** What a layer is called whose style has no name: in SLD it must have one. */
const defaultName = 'style';

export interface Translation {
  readonly complaints: CssComplaints;
  readonly limits: CssLimits;
  /** The one that made the conditions of the rules. */
  readonly atoms: AtomFactory;
}

/** Undefined after a complaint. */
export function translate(
  { directives }: Stylesheet,
  rules: readonly SimpleRule[],
  translation: Translation,
): StyledLayerDescriptor | undefined {
  const { complaints } = translation;
  const background = backgroundOf(rules, complaints);
  const styles = stylesOf(directives, rules, translation);
  if (styles === undefined) return undefined;
  if (styles.every(({ style }) => style.rules.every(({ symbolizers }) => symbolizers.length === 0))) {
    const drawing = 'fill, stroke, mark, label or raster-channels';
    complaints.add(0, 'stylesheet', `no rule draws anything, since none that can apply has ${drawing}`);
    return undefined;
  }
  const { name, title, abstract, uniqueRuleNames } = directives;
  const sorted = styles.toSorted((one, other) => one.zIndex - other.zIndex).map(({ style }) => style);
  const userStyle = withoutUndefined<UserStyle>({
    kind: 'userStyle',
    name,
    title,
    abstract,
    background,
    featureTypeStyles: uniqueRuleNames ? withRuleNames(sorted) : sorted,
  });
  return deepFreeze({
    kind: 'styledLayerDescriptor',
    layers: [{ kind: 'namedLayer', name: name || defaultName, styles: [userStyle] }],
  });
}

/** Counted over the whole style, so that one rule can be asked for by its name. */
function withRuleNames(styles: readonly FeatureTypeStyle[]): readonly FeatureTypeStyle[] {
  let count = 0;
  return styles.map((style) => ({
    ...style,
    rules: style.rules.map((rule) => {
      count += 1;
      return { ...rule, name: String(count) };
    }),
  }));
}

function stylesOf(
  directives: StyleDirectives,
  rules: readonly SimpleRule[],
  { complaints, limits, atoms }: Translation,
): readonly LevelledStyle[] | undefined {
  const types = new Set(rules.flatMap(({ type }) => type ?? []));
  const budget = new Budget(limits);
  try {
    // SLD cannot say "every other type", and so what is for all types is drawn below what is for some.
    return [undefined, ...types].flatMap((type) => {
      const ofType = rules.filter((rule) => rule.type === undefined || rule.type === type);
      const styles = stylesOfType(directives, ofType, type, (all) => cascadingDrawings(all, budget, atoms));
      return styles.length === 0 && type !== undefined ? [drawingNothing(type)] : styles;
    });
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const isFlat = directives.mode === 'flat';
    const advice = `Fewer rules that can apply together${isFlat ? '' : ", or @mode 'Flat',"} would help`;
    complaints.add(0, 'stylesheet', `the rules cannot be translated: ${error.message}. ${advice}`);
    return undefined;
  }
}

/** Keeps what is for all types from a type for which nothing is to be drawn. */
function drawingNothing(featureTypeName: string): LevelledStyle {
  const rules = [{ kind: 'rule' as const, symbolizers: [] }];
  return { zIndex: 0, style: { kind: 'featureTypeStyle', featureTypeName, rules } };
}

function stylesOfType(
  { mode, autoThreshold }: StyleDirectives,
  rules: readonly SimpleRule[],
  type: string | undefined,
  drawingsOf: (rules: readonly SimpleRule[]) => readonly PlacedDrawing[],
): readonly LevelledStyle[] {
  if (mode === 'flat') return featureTypeStyles(flatDrawings(rules, drawingsOf), 'all', type);
  const isFirstOnly = mode === 'simple' || (mode === 'auto' && rules.length > autoThreshold);
  return levelsOf(rules).flatMap((level) => {
    const taking = rules.filter(({ levels }) => levels === undefined || levels.includes(level));
    const drawings = drawingsOf(taking).map((placed) => onLevel(placed, level));
    return featureTypeStyles(drawings, isFirstOnly ? 'first' : 'all', type);
  });
}

/** Each z-index has a cascade of its own, in which rules without one take part as well. */
function levelsOf(rules: readonly SimpleRule[]): readonly number[] {
  const levels = rules.flatMap((rule) => rule.levels ?? [0]);
  return [...new Set(levels)].toSorted((one, other) => one - other);
}

function onLevel({ drawing, ...place }: PlacedDrawing, level: number): PlacedDrawing {
  const symbolizers = drawing.symbolizers.filter(({ zIndex }) => zIndex === level);
  return { ...place, drawing: { ...drawing, symbolizers } };
}

/** The background is one for the whole map, and so only a rule for everything can set it. */
function backgroundOf(rules: readonly SimpleRule[], complaints: CssComplaints): Fill | undefined {
  const given = rules.filter(({ properties }) => properties.has('background') || properties.has('background-opacity'));
  const isForAll = ({ type, atoms, scale }: SimpleRule): boolean =>
    type === undefined && atoms.length === 0 && scale.from === 0 && scale.to === Number.POSITIVE_INFINITY;
  for (const rule of given)
    if (!isForAll(rule))
      complaints.add(rule.offset, 'background', "'background' can only be set in a rule for all features: '*'");
  const own = cascade(given.filter(isForAll).toSorted(byPriority)).at(0);
  return fillOf({ prefix: 'fill', own: (name) => own(name.replace('fill', 'background')), ofSymbol: () => undefined });
}
