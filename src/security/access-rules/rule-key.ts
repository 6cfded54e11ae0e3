/** Helpers for the keys of all rule families. */
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { toPrintable } from '../../lib/text/wording.ts';

/** Matches every workspace, layer, service or method. */
export const ANY = '*';

/** Returns whether text can be part of a name: no control characters, no leading or trailing blanks. */
export function isPlainText(text: string): boolean {
  return text.trim() === text && !/\p{Cc}|[\u2028\u2029\ufffe\uffff]/u.test(text) && text.isWellFormed();
}

export function createMalformedRuleProblem(key: string, reason: string): Problem {
  return problem('rule-malformed', { key: toPrintable(key), reason });
}
