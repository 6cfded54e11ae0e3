/** Validates the names that clients send. */

import { problem } from '../lib/problems/problem.ts';
import { findNameFault, type NameRestrictions } from '../lib/text/name-rule.ts';

export interface NameRule extends NameRestrictions {
  /** The named resource for messages: `workspace`. */
  readonly what: string;
  /** The field that messages name. */
  readonly field: string;
}

export function checkName(name: string, rule: NameRule): void {
  const reason = findNameFault(name, rule);
  if (reason !== undefined) {
    throw problem('name-illegal', { what: rule.what, name: formatPrintableName(name), reason, field: rule.field });
  }
}

/** Returns the name after a change: an absent name keeps the current one, and an existing name cannot be cleared. */
export function resolveNewName(current: string, sent: string | null | undefined, rule: NameRule): string {
  if (sent === undefined || sent === current) {
    return current;
  }
  if (sent === null || sent === '') {
    throw problem('name-emptied', { what: rule.what, field: rule.field });
  }
  checkName(sent, rule);
  return sent;
}

/** Returns the name in a form that is safe for messages, regardless of its characters. */
export function formatPrintableName(name: string): string {
  const shown = name.toWellFormed().replace(/\p{Cc}/gu, '\ufffd');
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
