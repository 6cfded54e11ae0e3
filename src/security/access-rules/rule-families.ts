/** The three families of rules: the syntax of their keys and the order in which they are listed. */
import { Problem } from '../../lib/problems/problem.ts';
import { compareLayerKeys, formatLayerKey, parseLayerKey } from './layer-rules.ts';
import { formatRestKey, parseRestKey } from './rest-rules.ts';
import { createMalformedRuleProblem } from './rule-key.ts';
import { formatServiceKey, parseServiceKey } from './service-rules.ts';

export type RuleFamilyName = 'layers' | 'services' | 'rest';

/** A stored rule: its canonical key and its roles. */
export interface RuleEntry {
  readonly key: string;
  readonly roles: readonly string[];
}

/** The rules of a server before the first change. */
export type InitialRules = Readonly<Record<RuleFamilyName, readonly RuleEntry[]>>;

interface RuleFamily {
  /** Returns the canonical spelling of a key; throws a problem for an invalid key. */
  readonly toCanonicalKey: (text: string) => string;
  /** The listing order; absent for rules that keep the order in which they were added. */
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
  // The first matching rule decides, so the order is significant.
  rest: { toCanonicalKey: (text) => formatRestKey(parseRestKey(text)) },
};

/** Enough for two names and a mode, or for a path of 50 segments. */
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
