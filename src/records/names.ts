/** Checks the names that clients send. */

import { problem } from '../lib/problems/problem.ts';
import { findNameFault, type NameRestrictions } from '../lib/text/name-rule.ts';

export interface NameRule extends NameRestrictions {
  /** What is being named, for the message: `workspace`. */
  readonly what: string;
  /** The field to blame. */
  readonly field: string;
}

export function checkName(name: string, rule: NameRule): void {
  const reason = findNameFault(name, rule);
  if (reason !== undefined) {
    throw problem('name-illegal', { what: rule.what, name: formatPrintableName(name), reason, field: rule.field });
  }
}

/** The name after a change: absent stays; what has a name keeps one. */
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

/** The name as it can be shown in a message, whatever a client sent. */
export function formatPrintableName(name: string): string {
  const shown = name.toWellFormed().replace(/\p{Cc}/gu, '\ufffd');
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
