/** Compares a text with a stored secret, which is encrypted or a password hash. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { revealSecret, type Secret } from '../../lib/identity/secret.ts';
import { isImportedDigest } from './imported-digest.ts';
import { isPasswordHash, verifyPassword } from './passwords.ts';
import { isSealed, SealBroken, type Sealer } from './sealer.ts';
import type { Security } from './security.ts';

export async function matchesSecret(
  { sealer, importedDigests }: Pick<Security, 'sealer' | 'importedDigests'>,
  stored: Secret,
  clear: string,
): Promise<boolean> {
  const text = revealSecret(stored);
  if (isSealed(text)) return isSealOf(sealer, stored, clear);
  if (isPasswordHash(clear) || isImportedDigest(clear)) return hasSameKeyedHash(text, clear);
  return isImportedDigest(text)
    ? ((await importedDigests?.matches(stored, clear)) ?? false)
    : verifyPassword(stored, clear);
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
