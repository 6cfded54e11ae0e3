/**
 * Password digests of other servers: SHA-256 with 16 bytes of salt and 100,000 rounds, in Base64 after `digest1:`. The
 * first successful login hashes the password with argon2id, and later logins are verified with that hash.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';
import type { Notes } from '../../storage/port/port.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Task } from '../../workers/task.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const PREFIX = 'digest1:';
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;
const ROUNDS = 100_000;

export function isImportedDigest(text: string): boolean {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  return /^[A-Za-z0-9+/]{64}$/.test(encoded);
}

interface DigestQuestion {
  readonly digest: string;
  readonly password: string;
}

/** Takes about 0.3 s. */
const matchingDigest: Task<DigestQuestion, boolean> = {
  module: import.meta.url,
  name: 'matchesDigest',
  work: matchesDigest,
};

export function matchesDigest({ digest, password }: DigestQuestion): boolean {
  const bytes = Buffer.from(digest.slice(PREFIX.length), 'base64');
  if (bytes.length !== SALT_BYTES + DIGEST_BYTES) return false;
  const text = Buffer.from(password.normalize('NFC'));
  let value = hash('sha256', Buffer.concat([bytes.subarray(0, SALT_BYTES), text]), 'buffer');
  for (let round = 1; round < ROUNDS; round += 1) value = hash('sha256', value, 'buffer');
  return timingSafeEqual(value, bytes.subarray(SALT_BYTES));
}

/** The argon2id hash of a password, and the digest that it replaces. */
interface Replacement {
  readonly of: string;
  readonly hash: string;
}

export interface ImportedDigestsOptions {
  readonly workers: Pick<WorkerPool, 'run'>;
  readonly notes: Pick<Notes, 'read' | 'write'>;
}

/**
 * Replacements are notes of the storage, so that all nodes know them. The record keeps the digest: a changed record
 * would be a change of the configuration, and would block the undo of the change that created the user.
 */
export class ImportedDigests {
  readonly #options: ImportedDigestsOptions;

  constructor(options: ImportedDigestsOptions) {
    this.#options = options;
  }

  /** Verifies the password of a user. */
  async verify(userId: string, digest: Secret, password: string): Promise<boolean> {
    const { notes } = this.#options;
    const name = `imported password ${userId}`;
    const of = hash('sha256', revealSecret(digest), 'base64');
    const text = await notes.read(name);
    // Only this class writes these notes.
    const known = text === undefined ? undefined : (JSON.parse(text) as Replacement);
    if (known?.of === of) return verifyPassword(toSecret(known.hash), password);
    if (!(await this.matches(digest, password))) return false;
    const replacement: Replacement = { of, hash: revealSecret(await hashPassword(password)) };
    await notes.write(name, JSON.stringify(replacement));
    return true;
  }

  /** Compares a password with a digest, without a replacement. */
  matches(digest: Secret, password: string): Promise<boolean> {
    return this.#options.workers.run(matchingDigest, { digest: revealSecret(digest), password });
  }
}
