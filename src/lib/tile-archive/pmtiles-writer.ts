/**
 * Writes PMTiles, version 3. Tiles arrive in the order of their ids and follow the head of the file; directories and
 * metadata are at the end, and the head is written last.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** The head contains the header and the root directory: readers fetch it with their first request. */
export const HEAD_BYTES = 16_384;

const HEADER_BYTES = 127;

/** Usual for writers: a leaf directory has some ten kilobytes. */
const LEAF_ENTRIES = 4_096;

/** Tiles whose copies are found: most copies are of few tiles, such as those of water. */
const MAX_REMEMBERED = 100_000;

const GZIP = 2;
const UNCOMPRESSED = 1;

export const pmtilesTypes = { mvt: 1, png: 2, jpeg: 3, webp: 4 } as const;

export interface PmtilesSummary {
  readonly type: keyof typeof pmtilesTypes;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** In degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly tileId: number;
  runLength: number;
  readonly offset: number;
  readonly length: number;
}

interface Stored {
  readonly offset: number;
  readonly length: number;
}

export class PmtilesWriter {
  readonly #isVector: boolean;
  readonly #stored = new Map<string, Stored>();
  readonly #leaves: Buffer[] = [];
  readonly #pointers: Entry[] = [];
  #entries: Entry[] = [];
  #dataBytes = 0;
  #leafBytes = 0;
  #addressed = 0;
  #entryCount = 0;
  #contentCount = 0;

  constructor(type: PmtilesSummary['type']) {
    this.#isVector = type === 'mvt';
  }

  /** Returns the bytes to append to the file; undefined for a copy of another tile. */
  add(tileId: number, tile: Uint8Array): Uint8Array | undefined {
    const hash = createHash('sha256').update(tile).digest('base64');
    const known = this.#stored.get(hash);
    const packed = known === undefined ? (this.#isVector ? gzipSync(tile) : tile) : undefined;
    const stored = known ?? { offset: this.#dataBytes, length: packed?.length ?? 0 };
    if (packed !== undefined) {
      this.#dataBytes += packed.length;
      this.#contentCount += 1;
    }
    this.#remember(hash, stored);
    this.#addEntry(tileId, stored);
    return packed;
  }

  /** Returns the bytes at the end of the file, and those of its head, which replace `HEAD_BYTES` zeros. */
  finish({ type, minZoom, maxZoom, bounds, metadata }: PmtilesSummary): {
    readonly tail: Buffer;
    readonly head: Buffer;
  } {
    let root = gzipSync(encodeDirectory(this.#entries));
    if (this.#pointers.length > 0 || root.length > HEAD_BYTES - HEADER_BYTES) {
      this.#flushLeaf();
      root = gzipSync(encodeDirectory(this.#pointers));
    }
    if (root.length > HEAD_BYTES - HEADER_BYTES) throw new Error('The root directory exceeds the head of the file.');
    const text = gzipSync(JSON.stringify(metadata));
    const tail = Buffer.concat([text, ...this.#leaves]);
    const head = Buffer.alloc(HEAD_BYTES);
    head.write('PMTiles', 'latin1');
    head[7] = 3;
    const metadataOffset = HEAD_BYTES + this.#dataBytes;
    const numbers = [
      HEADER_BYTES,
      root.length,
      metadataOffset,
      text.length,
      metadataOffset + text.length,
      this.#leafBytes,
      HEAD_BYTES,
      this.#dataBytes,
      this.#addressed,
      this.#entryCount,
      this.#contentCount,
    ];
    for (const [index, number] of numbers.entries()) head.writeBigUInt64LE(BigInt(number), 8 + index * 8);
    const isClustered = 1;
    head.set([isClustered, GZIP, this.#isVector ? GZIP : UNCOMPRESSED, pmtilesTypes[type], minZoom, maxZoom], 96);
    const [west, south, east, north] = bounds;
    for (const [index, degrees] of [west, south, east, north].entries()) writeDegrees(head, degrees, 102 + index * 4);
    head[118] = minZoom;
    writeDegrees(head, (west + east) / 2, 119);
    writeDegrees(head, (south + north) / 2, 123);
    root.copy(head, HEADER_BYTES);
    return { tail, head };
  }

  #remember(hash: string, stored: Stored): void {
    this.#stored.delete(hash);
    this.#stored.set(hash, stored);
    const [oldest] = this.#stored.keys();
    if (oldest !== undefined && this.#stored.size > MAX_REMEMBERED) this.#stored.delete(oldest);
  }

  #addEntry(tileId: number, { offset, length }: Stored): void {
    this.#addressed += 1;
    const last = this.#entries.at(-1);
    if (last !== undefined && last.offset === offset && last.tileId + last.runLength === tileId) {
      last.runLength += 1;
      return;
    }
    if (this.#entries.length >= LEAF_ENTRIES) this.#flushLeaf();
    this.#entries.push({ tileId, runLength: 1, offset, length });
    this.#entryCount += 1;
  }

  #flushLeaf(): void {
    const [first] = this.#entries;
    if (first === undefined) return;
    const leaf = gzipSync(encodeDirectory(this.#entries));
    this.#pointers.push({ tileId: first.tileId, runLength: 0, offset: this.#leafBytes, length: leaf.length });
    this.#leaves.push(leaf);
    this.#leafBytes += leaf.length;
    this.#entries = [];
  }
}

function writeDegrees(head: Buffer, degrees: number, at: number): void {
  head.writeInt32LE(Math.round(degrees * 10_000_000), at);
}

/** Column by column; an offset of 0 means directly after the previous entry. */
function encodeDirectory(entries: readonly Entry[]): Buffer {
  const bytes: number[] = [];
  const write = (value: number) => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  write(entries.length);
  for (const [at, { tileId }] of entries.entries()) write(tileId - (entries[at - 1]?.tileId ?? 0));
  for (const { runLength } of entries) write(runLength);
  for (const { length } of entries) write(length);
  for (const [at, { offset }] of entries.entries()) {
    const before = entries[at - 1];
    write(before !== undefined && before.offset + before.length === offset ? 0 : offset + 1);
  }
  return Buffer.from(bytes);
}
