/** Which names users and groups may have; those of a directory, which are not ours to choose, included. */

import { problem } from '../../lib/problems/problem.ts';
import { MAX_NAME_BYTES } from '../../lib/text/name-rule.ts';
import { toPrintable } from '../../lib/text/wording.ts';
import { checkName } from '../../records/names.ts';

/** A user or group of our own: a name that can stand in a path and, before a colon, in an HTTP Basic header. */
export function checkOwnName(name: string, what: 'user' | 'group', field: string): void {
  checkName(name, { what, field, forbidden: [':'] });
}

/** A name that somebody, somewhere, may have. */
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
 * What is the same for all spellings that a directory takes for one name: `ANN` and `ann`, composed and decomposed
 * letters, blanks around and between, characters that nobody sees (RFC 4518).
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
