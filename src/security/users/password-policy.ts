/** Validates the password of a user. */
import { problem } from '../../lib/problems/problem.ts';

/** Longer passwords add no security and cost more to hash. */
const MAX_PASSWORD_BYTES = 1_024;

/** Throws unless the password works for a login; its strength is the user's responsibility. */
export function checkPassword(password: string, field: string): void {
  const reason = findPasswordError(password);
  if (reason !== undefined) {
    throw problem('password-unacceptable', { reason, field });
  }
}

function findPasswordError(password: string): string | undefined {
  if (password.trim() === '') {
    return 'it is empty or blank';
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return `it is longer than ${MAX_PASSWORD_BYTES} bytes`;
  }
  // HTTP Basic cannot carry control characters (RFC 7617).
  return /\p{Cc}/u.test(password) || !password.isWellFormed() ? 'it contains a control character' : undefined;
}
