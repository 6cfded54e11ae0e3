/** Gives the bytes of an archive to the PMTiles library. */
import type { RangeResponse, Source } from 'pmtiles';

export class BytesSource implements Source {
  readonly #bytes: Buffer;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  getBytes = async (offset: number, length: number): Promise<RangeResponse> => ({
    data: new Uint8Array(this.#bytes.subarray(offset, offset + length)).buffer,
  });
  getKey = () => 'file';
}
