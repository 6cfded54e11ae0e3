/** Compares a text with a stored secret, which is encrypted or a password hash. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { revealSecret, type Secret } from '../../lib/identity/secret.ts';
import { isPasswordHash, verifyPassword } from './passwords.ts';
import { isSealed, SealBroken, type Sealer } from './sealer.ts';

export async function matchesSecret(sealer: Sealer, stored: Secret, clear: string): Promise<boolean> {
  if (isSealed(revealSecret(stored))) return isSealOf(sealer, stored, clear);
  return isPasswordHash(clear) ? hasSameKeyedHash(revealSecret(stored), clear) : verifyPassword(stored, clear);
}

/** An encrypted text that the keystore cannot decrypt matches no text. */
export function isSealOf(sealer: Sealer, sealed: Secret, clear: string): boolean {
  try {
    return hasSameKeyedHash(sealer.open(sealed), clear);
  } catch (error) {
    if (error instanceof SealBroken) {
      return false;
    }
    throw error;
  }
}

/** The duration reveals neither the position of the first difference nor the length; the key is used only once. */
function hasSameKeyedHash(one: string, other: string): boolean {
  const key = randomBytes(32);
  const hashText = (text: string) => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(hashText(one), hashText(other));
}
