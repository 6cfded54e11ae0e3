/** The three families of rules: what their keys look like, and in which order they are shown. */
import { Problem } from '../../lib/problems/problem.ts';
import { compareLayerKeys, formatLayerKey, parseLayerKey } from './layer-rules.ts';
import { formatRestKey, parseRestKey } from './rest-rules.ts';
import { createMalformedRuleProblem } from './rule-key.ts';
import { formatServiceKey, parseServiceKey } from './service-rules.ts';

export type RuleFamilyName = 'layers' | 'services' | 'rest';

/** A rule as it is kept: its key in canonical spelling, and its roles. */
export interface RuleEntry {
  readonly key: string;
  readonly roles: readonly string[];
}

/** What rules a server has before anybody changes them. */
export type InitialRules = Readonly<Record<RuleFamilyName, readonly RuleEntry[]>>;

interface RuleFamily {
  /** The one spelling of a key; a problem for a key that is none. */
  readonly toCanonicalKey: (text: string) => string;
  /** The order in which rules are shown; absent where they keep the order in which they were added. */
  readonly compare?: (a: string, b: string) => number;
}

const families: Readonly<Record<RuleFamilyName, RuleFamily>> = {
  layers: {
    toCanonicalKey: (text) => formatLayerKey(parseLayerKey(text)),
    compare: (a, b) => compareLayerKeys(parseLayerKey(a), parseLayerKey(b)),
  },
  services: {
    toCanonicalKey: (text) => formatServiceKey(parseServiceKey(text)),
    // A star sorts before every letter.
    compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  },
  // The first that fits decides: their order means something.
  rest: { toCanonicalKey: (text) => formatRestKey(parseRestKey(text)) },
};

/** Two names and a letter; a path of 50 segments. */
const MAX_KEY_LENGTH = 2_000;

export function toCanonicalKey(family: RuleFamilyName, text: string): string {
  if (text.length > MAX_KEY_LENGTH) {
    throw createMalformedRuleProblem(text, `it is longer than ${MAX_KEY_LENGTH} characters`);
  }
  return families[family].toCanonicalKey(text);
}

export function isRuleKey(family: RuleFamilyName, text: string): boolean {
  try {
    toCanonicalKey(family, text);
    return true;
  } catch (error) {
    if (error instanceof Problem) {
      return false;
    }
    throw error;
  }
}

export function sortRules<R extends { readonly key: string; readonly position: number }>(
  family: RuleFamilyName,
  rules: readonly R[],
): readonly R[] {
  const compare = families[family].compare;
  return rules.toSorted((a, b) => (compare === undefined ? a.position - b.position : compare(a.key, b.key)));
}
