/** What a keystore password must be like. */
import { hash, timingSafeEqual } from 'node:crypto';
import { problem } from '../../lib/problems/problem.ts';

const MIN_CHARACTERS = 8;

/** Longer ones protect no better, and the password is read back in one piece. */
const MAX_CHARACTERS = 1_000;

/** What a client says of the two passwords; blanks around them are not part of them. */
export interface PasswordDraft {
  readonly old: string | null | undefined;
  readonly next: string | null | undefined;
}

/** Both passwords; a problem that names each one that is missing. */
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

/** Throws unless the old password is the current one and the new one may take its place. */
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
    return `it has ${characters} characters, and at least ${MIN_CHARACTERS} are needed`;
  }
  if (characters > MAX_CHARACTERS) {
    return `it has more than ${MAX_CHARACTERS} characters`;
  }
  // It must come back from XML as it is.
  if (/\p{Cc}|[\ufffe\uffff]/u.test(next) || !next.isWellFormed()) {
    return 'it contains a control character, or text that is not Unicode';
  }
  return isSameText(next, current) ? 'it is the same as the old one' : undefined;
}

/** Takes as long for a near miss as for a far one; digests have one length whatever the texts have. */
function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
