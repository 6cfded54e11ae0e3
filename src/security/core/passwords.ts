/** Password hashing: argon2id, computed off the event loop. */
import { hash, verify } from '@node-rs/argon2';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';

export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number;
  /** The number of passes. */
  readonly timeCost: number;
  readonly parallelism: number;
}

/** 19 MiB, two passes, one lane: about 20 ms, the minimum that OWASP recommends. */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string, cost = PASSWORD_COST): Promise<Secret> {
  return toSecret(await hash(password, cost));
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Creates a hash that matches no password. Verifying it takes as long as a real one, but creating it is cheap. */
export function createDecoyHash(randomBytes: (count: number) => Buffer): Secret {
  const generateBase64 = (count: number) => randomBytes(count).toString('base64').replaceAll('=', '');
  const { memoryCost, timeCost, parallelism } = PASSWORD_COST;
  return toSecret(
    `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${generateBase64(SALT_BYTES)}$${generateBase64(HASH_BYTES)}`,
  );
}

/** Returns whether a text is a hash of this server or of another one with the same cost. */
export function isPasswordHash(text: string): boolean {
  const { memoryCost, timeCost, parallelism } = PASSWORD_COST;
  const start = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  return text.startsWith(start) && /^[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/.test(text.slice(start.length));
}

/** Returns whether the password matches the hash; an invalid hash matches no password. */
export async function verifyPassword(passwordHash: Secret, password: string): Promise<boolean> {
  try {
    return await verify(revealSecret(passwordHash), password);
  } catch {
    return false;
  }
}
