/** Secrets of API tokens: `grt_`, 36 random letters and digits, and a checksum of 6 letters and digits. */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TOKEN_PREFIX } from '../../lib/identity/credentials.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 214 bits. */
const RANDOM_CHARACTERS = 36;
/** 62 to the power of 6 exceeds 2 to the power of 32. */
const CHECKSUM_CHARACTERS = 6;

const secretPattern = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** Returns a number below its limit. */
export type RandomIndex = (limit: number) => number;

export function createTokenSecret(random: RandomIndex = randomInt): string {
  const body = TOKEN_PREFIX + createRandomText(RANDOM_CHARACTERS, random);
  return body + computeChecksum(body);
}

/** The public id of a token. */
export function createTokenId(random: RandomIndex = randomInt): string {
  return createRandomText(16, random);
}

function createRandomText(length: number, random: RandomIndex): string {
  return Array.from({ length }, () => digits[random(digits.length)]).join('');
}

/** Recognizes typing errors and invented tokens without a look-up. */
export function isTokenSecret(text: string): boolean {
  return secretPattern.test(text) && computeChecksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-6);
}

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    text = digits[rest % digits.length] + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}

/** The secret has 214 random bits, so a fast hash suffices. */
export function hashTokenSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
