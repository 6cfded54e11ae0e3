/** What the password of a user must be like. */
import { problem } from '../../lib/problems/problem.ts';

/** Longer ones protect no better and cost more to hash. */
const MAX_PASSWORD_BYTES = 1_024;

/** Throws unless somebody could log in with it; how strong it is, is theirs to decide. */
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
  // HTTP Basic cannot carry them (RFC 7617).
  return /\p{Cc}/u.test(password) || !password.isWellFormed() ? 'it contains a control character' : undefined;
}
