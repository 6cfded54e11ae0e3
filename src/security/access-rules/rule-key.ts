/** What the keys of all families of rules have in common. */
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { toPrintable } from '../../lib/text/wording.ts';

/** In place of a name: every workspace, layer, service or method. */
export const ANY = '*';

/** Whether text can be part of a name: no control characters, no blanks around it. */
export function isPlainText(text: string): boolean {
  return text.trim() === text && !/\p{Cc}|[\u2028\u2029\ufffe\uffff]/u.test(text) && text.isWellFormed();
}

export function createMalformedRuleProblem(key: string, reason: string): Problem {
  return problem('rule-malformed', { key: toPrintable(key), reason });
}
