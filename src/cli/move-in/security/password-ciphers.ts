/** The password-based ciphers of the source, with the ciphers of Node. */
import { createDecipheriv, hash } from 'node:crypto';

/** PBEWithMD5AndDES of PKCS #5: single DES is triple DES with one key three times. */
export function decryptMd5Des(
  bytes: Buffer,
  password: string,
  options: { readonly salt: Buffer; readonly rounds: number },
): Buffer {
  let derived: Buffer = Buffer.concat([toLowBytes(password), options.salt]);
  for (let round = 0; round < options.rounds; round += 1) derived = hash('md5', derived, 'buffer');
  const key = derived.subarray(0, 8);
  return decrypt('des-ede3-cbc', Buffer.concat([key, key, key]), derived.subarray(8, 16), bytes);
}

/** PBEWithMD5AndTripleDES of the Java keystore, which hashes both halves of the salt. */
export function decryptMd5TripleDes(
  bytes: Buffer,
  password: string,
  options: { readonly salt: Buffer; readonly rounds: number },
): Buffer {
  const salt = Buffer.from(options.salt);
  if (salt.subarray(0, 4).equals(salt.subarray(4, 8))) {
    // The original algorithm contains this asymmetry.
    for (let index = 0; index < 2; index += 1) {
      const former = salt[index] ?? 0;
      salt[index] = salt[3 - index] ?? 0;
      salt[2] = former;
    }
  }
  const secret = toLowBytes(password);
  const halves = [salt.subarray(0, 4), salt.subarray(4, 8)].map((half) => {
    let hashed: Buffer = half;
    for (let round = 0; round < options.rounds; round += 1) {
      hashed = hash('md5', Buffer.concat([hashed, secret]), 'buffer');
    }
    return hashed;
  });
  const derived = Buffer.concat(halves);
  return decrypt('des-ede3-cbc', derived.subarray(0, 24), derived.subarray(24, 32), bytes);
}

/** PBE with SHA-256 and 256-bit AES-CBC, whose key is derived as for PKCS #12. */
export function decryptSha256Aes(
  bytes: Buffer,
  password: string,
  options: { readonly salt: Buffer; readonly rounds: number },
): Buffer {
  const key = derivePkcs12(password, { ...options, purpose: 1, bytes: 32 });
  const iv = derivePkcs12(password, { ...options, purpose: 2, bytes: 16 });
  return decrypt('aes-256-cbc', key, iv, bytes);
}

const HASH_BYTES = 32;
const BLOCK_BYTES = 64;

/** RFC 7292, appendix B.2, with SHA-256. */
export function derivePkcs12(
  password: string,
  {
    salt,
    rounds,
    purpose,
    bytes,
  }: { readonly salt: Buffer; readonly rounds: number; readonly purpose: number; readonly bytes: number },
): Buffer {
  const diversifier = Buffer.alloc(BLOCK_BYTES, purpose);
  const secret = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const input = Buffer.concat([repeatToBlocks(salt), repeatToBlocks(secret)]);
  const pieces: Buffer[] = [];
  for (let length = 0; length < bytes; length += HASH_BYTES) {
    let hashed = hash('sha256', Buffer.concat([diversifier, input]), 'buffer');
    for (let round = 1; round < rounds; round += 1) hashed = hash('sha256', hashed, 'buffer');
    pieces.push(hashed);
    addToBlocks(input, hashed);
  }
  return Buffer.concat(pieces).subarray(0, bytes);
}

function repeatToBlocks(bytes: Buffer): Buffer {
  return bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES, bytes);
}

/** Adds the repeated hash and one to each block, as a number. */
function addToBlocks(input: Buffer, hashed: Buffer): void {
  const added = Buffer.alloc(BLOCK_BYTES, hashed);
  for (let start = 0; start < input.length; start += BLOCK_BYTES) {
    let carry = 1;
    for (let index = BLOCK_BYTES - 1; index >= 0; index -= 1) {
      carry += (input[start + index] ?? 0) + (added[index] ?? 0);
      input[start + index] = carry & 0xff;
      carry >>= 8;
    }
  }
}

/** The ciphers use the lower seven bits of each character. */
function toLowBytes(password: string): Buffer {
  return Buffer.from(Array.from({ length: password.length }, (_, index) => password.charCodeAt(index) & 0x7f));
}

function decrypt(cipher: string, key: Buffer, iv: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(cipher, key, iv);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}
