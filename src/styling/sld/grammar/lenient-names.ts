/** Knows which elements in the wrong place or spelling cannot be misunderstood, as other servers read them. */
import type { SldVersion } from '../document/sld-version.ts';
import type { Content } from './content.ts';
import { listElementNames } from './expected.ts';
import { createFilterGrammar } from './filter-grammar.ts';
import { getGrammar } from './grammars.ts';
import { symbolizers } from './names.ts';
import { symbologyGrammar } from './symbology-grammar.ts';

/** In conditions and expressions every part counts: without one they say something else. */
const computingNames: ReadonlySet<string> = new Set([
  ...createFilterGrammar([]).map(([name]) => name),
  ...symbologyGrammar.map(([name]) => name),
]);

/** What is drawn, where, and how large the map must be for it: nobody leaves these out without a change of the picture. */
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

/** What says something about the element it stands in, and has no effect where that has no place for it. */
const descriptiveNames: ReadonlySet<string> = new Set(['Name', 'Title', 'Abstract', 'Description', 'VendorOption']);

/** Whether an element is a condition, an expression or a part of one. */
export function isComputing(name: string): boolean {
  return computingNames.has(name);
}

/**
 * Whether an element that has no place in a content can be left out: it is one of styles, decides nothing of what is
 * drawn, and was not meant for an element in between that was forgotten.
 */
export function canOmit(name: string, parent: string, content: Content, version: SldVersion): boolean {
  if (isComputing(parent) || isComputing(name) || decidingNames.has(name)) return false;
  if (descriptiveNames.has(name)) return true;
  return isKnown(name) && !hasDescendant(name, content, version);
}

/** The element in between that is often forgotten, and that other servers know nothing of; undefined if there is none. */
export function findMissingParent(name: string, parent: string): string | undefined {
  return parent === 'ImageOutline' && findKnownName(name) === 'Stroke' ? 'LineSymbolizer' : undefined;
}

/** The name as the content has it, if it is written in another case; undefined if it has nothing of that name. */
export function findInOtherCase(name: string, content: Content, version: SldVersion): string | undefined {
  const { lowerCases } = grammarCaches[version];
  const byLowerCase = lowerCases.get(content) ?? indexByLowerCase(listElementNames(content, version));
  lowerCases.set(content, byLowerCase);
  return byLowerCase.get(name.toLowerCase());
}

/** The name of an element of any style, if it is one in whatever case. */
export function findKnownName(name: string): string | undefined {
  allNames ??= indexByLowerCase([...getGrammar('1.0.0').keys(), ...getGrammar('1.1.0').keys()]);
  return allNames.get(name.toLowerCase());
}

let allNames: ReadonlyMap<string, string> | undefined;

/** What was worked out about a content: by documents with mistakes only. */
interface GrammarCache {
  readonly lowerCases: WeakMap<Content, ReadonlyMap<string, string>>;
  readonly placesBelow: WeakMap<Content, ReadonlySet<string>>;
}

/** The versions share contents, but not all that can be in them. */
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
