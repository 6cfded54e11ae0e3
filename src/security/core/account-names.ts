/** Validates the names of users and groups, including those of directories. */

import { problem } from '../../lib/problems/problem.ts';
import { MAX_NAME_BYTES } from '../../lib/text/name-rule.ts';
import { toPrintable } from '../../lib/text/wording.ts';
import { checkName } from '../../records/names.ts';

/**
 * Checks the name of a local user or group: it must be valid in a path and, before a colon, in an HTTP Basic header.
 */
export function checkOwnName(name: string, what: 'user' | 'group', field: string): void {
  checkName(name, { what, field, forbidden: [':'] });
}

/** Checks the name of any user or group, including those of directories. */
export function checkAccountName(name: string, what: 'user' | 'group'): void {
  const isUsable =
    name.trim() !== '' &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES &&
    name.isWellFormed() &&
    !/\p{Cc}|[\ufffe\uffff]/u.test(name);
  if (!isUsable) {
    const reason = `1 to ${MAX_NAME_BYTES} bytes of text without control characters were expected`;
    throw problem('name-illegal', {
      what,
      name: toPrintable(name, 80),
      reason,
    });
  }
}

/**
 * Maps all spellings that a directory treats as one name to the same text: `ANN` and `ann`, composed and decomposed
 * letters, surrounding and repeated blanks, invisible characters (RFC 4518).
 */
export function normalizeAccountName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}\ufffc]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD');
}
