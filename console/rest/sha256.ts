/** SHA-256 (FIPS 180-4). Browsers offer their own only on pages that were loaded by HTTPS. */

const BLOCK_BYTES = 64;
const ROUNDS = 64;

const primes = listPrimes(ROUNDS);
const roundConstants = Uint32Array.from(primes, (prime) => readFraction(Math.cbrt(prime)));
const initialHash = primes.slice(0, 8).map((prime) => readFraction(Math.sqrt(prime)));

export function hashSha256(text: string): Uint8Array<ArrayBuffer> {
  const message = new TextEncoder().encode(text);
  // The message, a one bit, zeros, and the number of its bits.
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const hash = Uint32Array.from(initialHash);
  for (let offset = 0; offset < padded.length; offset += BLOCK_BYTES) addBlock(hash, view, offset);
  const bytes = new DataView(new ArrayBuffer(hash.byteLength));
  for (const [index, word] of hash.entries()) bytes.setUint32(index * hash.BYTES_PER_ELEMENT, word);
  return new Uint8Array(bytes.buffer);
}

function addBlock(hash: Uint32Array, view: DataView, offset: number): void {
  const words = new Uint32Array(ROUNDS);
  const at = (index: number) => words[index] ?? 0;
  for (let index = 0; index < ROUNDS; index += 1) {
    if (index < 16) {
      words[index] = view.getUint32(offset + index * 4);
    } else {
      const [early, late] = [at(index - 15), at(index - 2)];
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[index] = at(index - 16) + first + at(index - 7) + second;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let index = 0; index < ROUNDS; index += 1) {
    const upper = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + upper + choice + (roundConstants[index] ?? 0) + at(index)) | 0;
    const lower = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + lower + majority) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) hash[index] = (hash[index] ?? 0) + value;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits after the point. */
function readFraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function listPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
