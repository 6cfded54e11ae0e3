/** Passwords at rest: argon2id, computed off the event loop. */
import { hash, verify } from '@node-rs/argon2';
import { type Secret, secretFrom, textOfSecret } from '../lib/secret.ts';

/** 19 MiB, two passes, one lane: about 20 ms, the least that OWASP calls safe. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<Secret> {
  return secretFrom(await hash(password, cost));
}

/** Whether the password belongs to the hash; a hash that cannot be read belongs to none. */
export async function verifyPassword(passwordHash: Secret, password: string): Promise<boolean> {
  try {
    return await verify(textOfSecret(passwordHash), password);
  } catch {
    return false;
  }
}
