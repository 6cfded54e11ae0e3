/** Validates a new keystore password. */
import { hash, timingSafeEqual } from 'node:crypto';
import { problem } from '../../lib/problems/problem.ts';

/** Shorter passwords are too easy to guess. */
const MIN_CHARACTERS = 8;

/** Longer passwords add no security, and responses contain the password as a whole. */
const MAX_CHARACTERS = 1_000;

/** The two passwords as the client sent them; leading and trailing blanks are removed. */
export interface PasswordDraft {
  readonly old: string | null | undefined;
  readonly next: string | null | undefined;
}

/** Returns both passwords; throws a problem that names each missing one. */
export function requirePasswords({ old, next }: PasswordDraft): { readonly old: string; readonly next: string } {
  const passwords = { old: old?.trim() ?? '', next: next?.trim() ?? '' };
  const complaints = [
    ...(passwords.old === '' ? [{ field: 'masterPassword.oldMasterPassword', message: 'is required' }] : []),
    ...(passwords.next === '' ? [{ field: 'masterPassword.newMasterPassword', message: 'is required' }] : []),
  ];
  if (complaints.length > 0) {
    throw problem('document-invalid', { complaints, field: complaints[0]?.field ?? 'masterPassword' });
  }
  return passwords;
}

/** Throws unless the old password is the current one and the new one is acceptable. */
export function checkPasswordChange(change: {
  readonly current: string;
  readonly old: string;
  readonly next: string;
}): void {
  if (!isSameText(change.old, change.current)) {
    throw problem('keystore-password-wrong', { field: 'masterPassword.oldMasterPassword' });
  }
  const reason = findWeakness(change.next, change.current);
  if (reason !== undefined) {
    throw problem('keystore-password-weak', { reason, field: 'masterPassword.newMasterPassword' });
  }
}

function findWeakness(next: string, current: string): string | undefined {
  const characters = [...next].length;
  if (characters < MIN_CHARACTERS) {
    return `it has ${characters} characters; at least ${MIN_CHARACTERS} are required`;
  }
  if (characters > MAX_CHARACTERS) {
    return `it has more than ${MAX_CHARACTERS} characters`;
  }
  // The password must survive a round trip through XML.
  if (/\p{Cc}|[\ufffe\uffff]/u.test(next) || !next.isWellFormed()) {
    return 'it contains a control character or invalid Unicode';
  }
  return isSameText(next, current) ? 'it equals the old one' : undefined;
}

/** Compares in constant time; digests have a fixed length regardless of the texts. */
function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
