/** Decides which misplaced or misspelt elements are unambiguous, as other servers read them. */
import { findNearestName } from '../../../lib/text/nearest-name.ts';
import type { SldVersion } from '../document/sld-version.ts';
import type { Content } from './content.ts';
import { listElementNames } from './expected.ts';
import { createFilterGrammar } from './filter-grammar.ts';
import { getGrammar, getOtherVersion } from './grammars.ts';
import { conditions, identifiers, symbolizers, symbologyFunctions } from './names.ts';
import { symbologyGrammar } from './symbology-grammar.ts';

/** Every part of a condition or expression is significant. */
const computingNames: ReadonlySet<string> = new Set([
  ...createFilterGrammar([]).map(([name]) => name),
  ...symbologyGrammar.map(([name]) => name),
]);

/** Elements that determine what is drawn, where, and at which scale: omitting one changes the picture. */
const decidingNames: ReadonlySet<string> = new Set([
  'StyledLayerDescriptor',
  'NamedLayer',
  'UserLayer',
  'NamedStyle',
  'UserStyle',
  'UseSLDLibrary',
  'RemoteOWS',
  'InlineFeature',
  'LayerFeatureConstraints',
  'LayerCoverageConstraints',
  'FeatureTypeConstraint',
  'Extent',
  'FeatureTypeStyle',
  'CoverageStyle',
  'Transformation',
  'Rule',
  'MinScaleDenominator',
  'MaxScaleDenominator',
  ...symbolizers,
  'BaseSymbolizer',
  'Graphic',
  'GraphicFill',
  'GraphicStroke',
  'Mark',
  'ExternalGraphic',
  'OnlineResource',
  'InlineContent',
  'ColorMap',
  'ColorMapEntry',
]);

/** Elements that describe their parent, and have no effect if the parent does not support them. */
const descriptiveNames: ReadonlySet<string> = new Set(['Name', 'Title', 'Abstract', 'Description', 'VendorOption']);

/** Returns whether an element is a condition, an expression or a part of one. */
export function isComputing(name: string): boolean {
  return computingNames.has(name);
}

/**
 * Returns whether an element that is not allowed in a content can be omitted: it is a style element, does not
 * determine what is drawn, and does not belong to a missing intermediate element.
 */
export function canOmit(name: string, parent: string, content: Content, version: SldVersion): boolean {
  if (isComputing(parent) || isComputing(name) || decidingNames.has(name)) return false;
  if (descriptiveNames.has(name)) return true;
  return isKnown(name) && !hasDescendant(name, content, version);
}

/**
 * Returns how an element is read that the reference server skips although it was intended to have an effect, as the end
 * of a sentence; undefined for all others.
 */
export function findSkippedReading(name: string, parent: string): string | undefined {
  const known = findKnownName(name);
  if (parent === 'Rule' && known === 'FeatureTypeStyle') return 'has no effect in Rule, and its rules are not drawn';
  if (known !== undefined) return undefined;
  if (parent === 'Filter') {
    const nearest = findNearestName(name, [...conditions, ...identifiers]);
    return nearest && `is not a condition and has no effect (did you mean '${nearest}'?)`;
  }
  const filter = parent === 'Rule' ? findNearestName(name, ['Filter', 'ElseFilter']) : undefined;
  return filter && `is unknown, so the rule applies to all features (did you mean '${filter}'?)`;
}

/**
 * Returns the intermediate element that is often left out, and that other servers ignore, or undefined.
 */
export function findMissingParent(name: string, parent: string): string | undefined {
  return parent === 'ImageOutline' && findKnownName(name) === 'Stroke' ? 'LineSymbolizer' : undefined;
}

/** Expressions of newer filters and of the other version that the readers understand everywhere. */
const otherExpressions: ReadonlySet<string> = new Set(['ValueReference', ...symbologyFunctions]);

/** Returns whether an element can be read as an expression in a content that expects one. */
export function isReadableExpression(name: string, content: Content): boolean {
  if (!otherExpressions.has(name)) return false;
  return (
    content.kind === 'parameter' ||
    (content.kind === 'elements' && content.steps.some(({ names }) => names.includes('PropertyName')))
  );
}

/** Returns whether the other version allows an element in its parent; the readers understand both versions. */
export function belongsToOtherVersion(name: string, parent: string, version: SldVersion): boolean {
  const other = getOtherVersion(version);
  const content = getGrammar(other).get(parent);
  return content?.kind === 'elements' && listElementNames(content, other).includes(name);
}

/** Returns the correct name if it differs in case only; undefined if the content has no such name. */
export function findInOtherCase(name: string, content: Content, version: SldVersion): string | undefined {
  const { lowerCases } = grammarCaches[version];
  const byLowerCase = lowerCases.get(content) ?? indexByLowerCase(listElementNames(content, version));
  lowerCases.set(content, byLowerCase);
  return byLowerCase.get(name.toLowerCase());
}

/** Returns the correct name of any style element, ignoring case. */
export function findKnownName(name: string): string | undefined {
  allNames ??= indexByLowerCase([...getGrammar('1.0.0').keys(), ...getGrammar('1.1.0').keys()]);
  return allNames.get(name.toLowerCase());
}

let allNames: ReadonlyMap<string, string> | undefined;

/** Derived data of a content, computed only for documents with deviations. */
interface GrammarCache {
  readonly lowerCases: WeakMap<Content, ReadonlyMap<string, string>>;
  readonly placesBelow: WeakMap<Content, ReadonlySet<string>>;
}

/** The versions share contents, but not all of their elements. */
const grammarCaches: Readonly<Record<SldVersion, GrammarCache>> = {
  '1.0.0': { lowerCases: new WeakMap(), placesBelow: new WeakMap() },
  '1.1.0': { lowerCases: new WeakMap(), placesBelow: new WeakMap() },
};

function indexByLowerCase(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

function isKnown(name: string): boolean {
  return findKnownName(name) === name;
}

function hasDescendant(name: string, content: Content, version: SldVersion): boolean {
  const { placesBelow } = grammarCaches[version];
  const known = placesBelow.get(content);
  if (known !== undefined) return known.has(name);
  const grammar = getGrammar(version);
  const below = listElementNames(content, version).flatMap((each) => {
    const inner = grammar.get(each);
    return inner === undefined ? [] : listElementNames(inner, version);
  });
  placesBelow.set(content, new Set(below));
  return below.includes(name);
}
