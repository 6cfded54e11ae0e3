/** Passwords at rest: argon2id, computed off the event loop. */
import { hash, verify } from '@node-rs/argon2';

/** 19 MiB, two passes, one lane: about 20 ms, the least that OWASP calls safe. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Whether the password belongs to the hash; a hash that cannot be read belongs to none. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  try {
    return await verify(passwordHash, password);
  } catch {
    return false;
  }
}
