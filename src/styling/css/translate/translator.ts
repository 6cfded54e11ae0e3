/** Translates a style sheet to the style model. */
import { deepFreeze } from '../../../lib/deep-freeze.ts';
import type { Fill } from '../../model/fill.ts';
import type { StyledLayerDescriptor } from '../../model/styled-layer-descriptor.ts';
import type { UserStyle } from '../../model/user-style.ts';
import type { AtomFactory } from '../cascade/atom.ts';
import { Budget, TooComplex } from '../cascade/budget.ts';
import { byPriority, type SimpleRule } from '../cascade/simple-rule.ts';
import type { CssComplaints } from '../css-complaints.ts';
import type { CssLimits } from '../css-limits.ts';
import type { StyleDirectives, Stylesheet } from '../stylesheet.ts';
import { cascade } from './cascaded.ts';
import { cascadingDrawings } from './cascading.ts';
import { defined } from './defined.ts';
import type { PlacedDrawing } from './drawing.ts';
import { featureTypeStyles, type LevelledStyle } from './feature-type-styles.ts';
import { flatDrawings } from './flat.ts';
import { fillOf } from './paint.ts';

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
  if (styles.length === 0) {
    const drawing = 'fill, stroke, mark, label or raster-channels';
    complaints.add(0, 'stylesheet', `no rule draws anything, since none that can apply has ${drawing}`);
    return undefined;
  }
  const { name, title, abstract } = directives;
  const userStyle = defined<UserStyle>({
    kind: 'userStyle',
    name,
    title,
    abstract,
    background,
    featureTypeStyles: styles.toSorted((one, other) => one.zIndex - other.zIndex).map(({ style }) => style),
  });
  return deepFreeze({
    kind: 'styledLayerDescriptor',
    layers: [{ kind: 'namedLayer', name: name || defaultName, styles: [userStyle] }],
  });
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
      return stylesOfType(directives, ofType, type, (all) => cascadingDrawings(all, budget, atoms));
    });
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const advice = "Fewer rules that can apply together, or @mode 'Flat', would help";
    complaints.add(0, 'stylesheet', `the rules cannot be translated: ${error.message}. ${advice}`);
    return undefined;
  }
}

function stylesOfType(
  { mode, autoThreshold }: StyleDirectives,
  rules: readonly SimpleRule[],
  type: string | undefined,
  drawingsOf: (rules: readonly SimpleRule[]) => readonly PlacedDrawing[],
): readonly LevelledStyle[] {
  if (mode === 'flat') return featureTypeStyles(flatDrawings(rules), 'all', type);
  const isFirstOnly = mode === 'simple' || (mode === 'auto' && rules.length > autoThreshold);
  return featureTypeStyles(drawingsOf(rules), isFirstOnly ? 'first' : 'all', type);
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
