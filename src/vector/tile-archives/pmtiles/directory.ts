/** Parses directories of PMTiles: lists of numbers with a variable length, column by column. */
import { TileArchiveError } from '../model/tile-archive.ts';

/** Runs of tiles with the same bytes, in ascending order of their tile ids. */
export interface Directory {
  readonly tileIds: Float64Array;
  /** 0 for a leaf directory. */
  readonly runLengths: Float64Array;
  readonly lengths: Float64Array;
  readonly offsets: Float64Array;
}

export interface DirectoryEntry {
  readonly tileId: number;
  readonly runLength: number;
  readonly length: number;
  readonly offset: number;
}

/** Each of the four numbers of an entry takes at least one byte. */
const MIN_ENTRY_BYTES = 4;

export function parseDirectory(bytes: Uint8Array): Directory {
  const reader = new VarintReader(bytes);
  const count = reader.read();
  if (count * MIN_ENTRY_BYTES > bytes.length) throw createDamagedError();
  const columns = Array.from({ length: 4 }, () => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [tileIds, runLengths, lengths, offsets] = columns;
  let tileId = 0;
  for (let at = 0; at < count; at += 1) {
    const step = reader.read();
    // Ids in ascending order are required for the search.
    if (step === 0 && at > 0) throw createDamagedError();
    tileId += step;
    tileIds[at] = tileId;
  }
  for (let at = 0; at < count; at += 1) runLengths[at] = reader.read();
  for (let at = 0; at < count; at += 1) lengths[at] = reader.read();
  for (let at = 0; at < count; at += 1) {
    const value = reader.read();
    if (value === 0 && at === 0) throw createDamagedError();
    offsets[at] = value === 0 ? (offsets[at - 1] ?? 0) + (lengths[at - 1] ?? 0) : value - 1;
  }
  return { tileIds, runLengths, lengths, offsets };
}

/** Returns the entry of a tile, or the leaf directory that may contain it. */
export function findEntry(directory: Directory, tileId: number): DirectoryEntry | undefined {
  const { tileIds } = directory;
  let [low, high] = [0, tileIds.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((tileIds[middle] ?? 0) <= tileId) low = middle + 1;
    else high = middle;
  }
  const entry = getEntry(directory, low - 1);
  if (entry === undefined || entry.runLength === 0) return entry;
  return tileId < entry.tileId + entry.runLength ? entry : undefined;
}

/** Returns undefined beyond the ends. */
export function getEntry(
  { tileIds, runLengths, lengths, offsets }: Directory,
  index: number,
): DirectoryEntry | undefined {
  const tileId = tileIds[index];
  if (tileId === undefined) return undefined;
  return {
    tileId,
    runLength: runLengths[index] ?? 0,
    length: lengths[index] ?? 0,
    offset: offsets[index] ?? 0,
  };
}

class VarintReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) throw createDamagedError();
      this.#position += 1;
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw createDamagedError();
      if (byte < 0x80) return value;
    }
  }
}

function createDamagedError(): TileArchiveError {
  return new TileArchiveError('one of its directories is damaged');
}
