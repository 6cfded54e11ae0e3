/** Computes the hash and the CRC-32 of bytes that arrive in pieces. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { HashedContent } from './port.ts';

export class ContentHash {
  readonly #sha256 = createHash('sha256');
  #checksum = 0;

  update(piece: Uint8Array): void {
    this.#sha256.update(piece);
    this.#checksum = crc32(piece, this.#checksum);
  }

  digest(): HashedContent {
    return { hash: this.#sha256.digest('hex'), checksum: this.#checksum };
  }
}
