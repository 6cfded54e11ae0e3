/** A large exported configuration, compressed in memory; its resources are very similar. */
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import { type ExportedConfiguration, type ExportedResource, parseExportedResource } from './export-resources.ts';

/** Amount compressed at a time: takes milliseconds in another thread. */
const PIECE_BYTES = 1_048_576;

const NEWLINE = 0x0a;

/** The fastest level; better compression is not worth the time. */
const compressOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Most pieces, which end after the resource that fills them, are decompressed into one buffer. */
const decompressOptions = { chunkSize: PIECE_BYTES + 65_536 };

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)];

export class CompressedConfiguration {
  readonly #pieces: readonly Buffer[];
  readonly #hash: string;

  private constructor(pieces: readonly Buffer[], hash: string) {
    this.#pieces = pieces;
    this.#hash = hash;
  }

  /** Undefined if it exceeds the limit even when compressed. */
  static async compress(
    { resources, hash }: ExportedConfiguration,
    maxBytes: number,
  ): Promise<CompressedConfiguration | undefined> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (const plain of splitResources(resources)) {
      const piece = await compress(plain, compressOptions);
      bytes += piece.length;
      if (bytes > maxBytes) {
        return undefined;
      }
      pieces.push(piece);
    }
    return new CompressedConfiguration(pieces, hash);
  }

  async decompress(): Promise<ExportedConfiguration> {
    const resources: ExportedResource[] = [];
    for (const piece of this.#pieces) {
      const bytes = await decompress(piece, decompressOptions);
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(NEWLINE, start);
        resources.push(parseExportedResource(bytes, start, end));
        start = end + 1;
        const others = yieldIfDue();
        if (others !== undefined) {
          await others;
        }
      }
    }
    return { resources, hash: this.#hash };
  }
}

/** One line per resource: the JSON contains no line breaks. */
function* splitResources(resources: readonly ExportedResource[]): Generator<Buffer> {
  let lines: ExportedResource[] = [];
  let size = 0;
  for (const resource of resources) {
    lines.push(resource);
    size += resource.printed.size + 1;
    if (size >= PIECE_BYTES) {
      yield encodeLines(lines, size);
      [lines, size] = [[], 0];
    }
  }
  yield encodeLines(lines, size);
}

function encodeLines(resources: readonly ExportedResource[], size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const { printed } of resources) {
    at = bytes.writeUInt8(NEWLINE, printed.copyTo(bytes, at));
  }
  return bytes;
}
