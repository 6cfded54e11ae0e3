/**
 * Resolves nesting and commas: each alternative of a rule becomes a separate rule with the conditions of its parents.
 */
import type { CssComplaints } from '../model/css-complaints.ts';
import type { CssLimits } from '../model/css-limits.ts';
import type { CssRule, CssSelector, CssValue, ScaleRange, Stylesheet, SymbolSelector } from '../model/stylesheet.ts';
import type { CommentHeading } from '../parse/comment-heading.ts';
import { paintProperties, symbolProperties } from '../values/properties.ts';
import { type Atom, type AtomFactory, excludes, implies } from './atom.ts';
import { findLiteralText } from './cascaded-properties.ts';
import type { SimpleRule } from './simple-rule.ts';
import { type CountedParts, computeSpecificity, countParts, noParts } from './specificity.ts';

type Properties = ReadonlyMap<string, readonly CssValue[]>;

interface FlattenState {
  readonly complaints: CssComplaints;
  readonly limits: CssLimits;
  readonly atoms: AtomFactory;
  readonly rules: SimpleRule[];
  order: number;
  root: number;
  isFull: boolean;
}

/** The conditions of a selector and its parents. */
interface Conditions {
  readonly type?: string | undefined;
  readonly atoms: readonly Atom[];
  readonly scale: ScaleRange;
  readonly symbol?: SymbolSelector | undefined;
  readonly counted: CountedParts;
}

/** The state that a nested rule inherits. */
interface RuleContext {
  readonly conditions: readonly Conditions[];
  readonly properties: Properties;
  readonly levels?: readonly number[] | undefined;
  /** The heading of a parent without properties, which would be lost otherwise. */
  readonly heading: CommentHeading;
}

const allScales: ScaleRange = { from: 0, to: Number.POSITIVE_INFINITY };

export function flatten(
  stylesheet: Stylesheet,
  complaints: CssComplaints,
  limits: CssLimits,
  atoms: AtomFactory,
): readonly SimpleRule[] {
  const flattening = { complaints, limits, atoms, rules: [], order: 0, root: 0, isFull: false };
  const outermost: Conditions = { atoms: [], scale: allScales, counted: noParts };
  for (const rule of stylesheet.rules) {
    flattening.root = flattening.order;
    flattenRule(flattening, rule, { conditions: [outermost], properties: new Map(), heading: {} });
  }
  return flattening.rules;
}

function flattenRule(flattening: FlattenState, rule: CssRule, around: RuleContext): void {
  if (flattening.isFull) return;
  const { maxRules } = flattening.limits;
  const total = around.conditions.length * rule.selectors.length;
  if (total > maxRules || (rule.declarations.length > 0 && flattening.rules.length + total > maxRules)) {
    flattening.isFull = true;
    const message = `nested rules and alternatives produce more than the limit of ${maxRules} rules`;
    flattening.complaints.add(rule.offset, 'rule', message);
    return;
  }
  const own = new Map(rule.declarations.map(({ property, values }) => [property, values]));
  const alternatives = around.conditions.flatMap((outer) => {
    const found = rule.selectors.map((selector) => narrowConditions(flattening, outer, selector, rule));
    return found.filter((each) => each !== undefined);
  });
  const heading = rule.title === undefined && rule.abstract === undefined ? around.heading : toHeading(rule);
  const { order, root } = flattening;
  flattening.order += 1;
  const isOfSymbols = alternatives.some(({ symbol }) => symbol !== undefined);
  if (isOfSymbols) checkSymbolProperties(flattening, rule);

  const ownLevels = own.get('z-index')?.map((value) => Number(findLiteralText(value) ?? 0));
  const levels = ownLevels ?? around.levels;
  const inherited = new Map([...around.properties, ...own]);
  // A rule with its own z-index is alone on its level, so it gets the properties of its parents by inheritance only.
  const properties = ownLevels !== undefined && around.levels !== undefined ? inherited : own;
  if (own.size > 0) {
    for (const conditions of alternatives) {
      const { symbol, counted, ...others } = conditions;
      const prefix = symbol === undefined ? '' : `${symbol.class}${symbol.index ?? ''}|`;
      const keys = [...properties.keys()].map((property) => prefix + property);
      const specificity = computeSpecificity(counted);
      flattening.rules.push({
        order,
        root,
        offset: rule.offset,
        ...others,
        symbol,
        specificity,
        levels,
        properties,
        keys,
        ...heading,
      });
    }
  }
  const inner = { conditions: alternatives, properties: inherited, levels, heading: own.size === 0 ? heading : {} };
  for (const nested of rule.rules) flattenRule(flattening, nested, inner);
}

function toHeading({ title, abstract, translations }: CssRule): CommentHeading {
  return { title, abstract, translations };
}

/** Returns undefined if no feature can match, or after an error. */
function narrowConditions(
  flattening: FlattenState,
  around: Conditions,
  { parts }: CssSelector,
  rule: CssRule,
): Conditions | undefined {
  let { type, scale, symbol } = around;
  const atoms = [...around.atoms];
  const addCondition = (filter: Parameters<AtomFactory['getAtom']>[0]): boolean => {
    const atom = flattening.atoms.getAtom(filter);
    if (atoms.some((known) => excludes(known, atom))) return false;
    if (!atoms.some((known) => known.id === atom.id)) atoms.push(atom);
    return true;
  };

  for (const part of parts) {
    if (part.kind === 'none') return undefined;
    switch (part.kind) {
      case 'type':
        if (type !== undefined && type !== part.name) return undefined;
        type = part.name;
        break;
      case 'identifier':
        if (!addCondition({ kind: 'identifiers', identifiers: [part.identifier] })) return undefined;
        break;
      case 'filter':
        if (!addCondition(part.filter)) return undefined;
        break;
      case 'scale':
        scale = { from: Math.max(scale.from, part.range.from), to: Math.min(scale.to, part.range.to) };
        break;
      case 'symbol':
        if (symbol !== undefined && !(symbol.class === part.symbol.class && symbol.index === part.symbol.index)) {
          flattening.complaints.add(
            rule.offset,
            `:${part.symbol.class}`,
            'a rule for symbols cannot be nested in another rule for symbols',
          );
          return undefined;
        }
        symbol = part.symbol;
        break;
    }
  }
  if (scale.from >= scale.to) return undefined;
  return { type, atoms: removeImplied(atoms), scale, symbol, counted: countParts(around.counted, parts) };
}

/** Removes conditions that others imply: `a > 10` implies `a > 5`. */
export function removeImplied(atoms: readonly Atom[]): readonly Atom[] {
  if (atoms.length < 2) return atoms;
  return atoms.filter(
    (atom, index) =>
      !atoms.some((other, at) => at !== index && implies(other, atom) && (at < index || !implies(atom, other))),
  );
}

/** Rejects unknown properties of symbols. `mark-size` in a rule for marks means their size. */
function checkSymbolProperties({ complaints }: FlattenState, rule: CssRule): void {
  for (const { property, offset } of rule.declarations) {
    const isKnown =
      paintProperties.has(property) ||
      symbolProperties.has(property) ||
      /^(?:mark|shield)-(?:size|rotation)$/.test(property);
    if (!isKnown)
      complaints.add(
        offset,
        property,
        `symbols have no property '${property}'. Expected: fill, stroke, size, rotation or another symbol property`,
      );
  }
}
