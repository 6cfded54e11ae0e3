/** Reads PMTiles. Everything is read on demand: the header, directories, and the bytes of a tile. */

import { createLruCache } from '../../../lib/cache/lru-cache.ts';
import { computeTileId } from '../../../lib/tile-archive/tile-id.ts';
import { MAX_METADATA_BYTES, parseMetadata, readLayers, readTexts } from '../model/archive-metadata.ts';
import type { ByteFile } from '../model/byte-file.ts';
import {
  type ArchivedTilePosition,
  type StoredTile,
  type TileArchive,
  TileArchiveError,
  type TileArchiveInfo,
} from '../model/tile-archive.ts';
import { decompress, MAX_TILE_BYTES } from '../model/unpack-tile.ts';
import { type Directory, type DirectoryEntry, findEntry, getEntry, parseDirectory } from './directory.ts';
import { HEADER_BYTES, type PmtilesHeader, parseHeader, type Section } from './header.ts';

/** Writers make directories of some ten kilobytes. In memory, they need up to eight times their size. */
const MAX_DIRECTORY_BYTES = 4_194_304;

/** The root and leaves below each other; writers use two. The limit ends loops. */
const MAX_DEPTH = 4;

/** The entries of the leaf directories in memory, with 32 bytes each. Neighbouring tiles are in the same ones. */
const MAX_CACHED_ENTRIES = 1_048_576;

/** Closes the file if it is not valid. */
export function openPmtiles(file: ByteFile): TileArchive {
  try {
    if (file.sizeBytes < HEADER_BYTES) throw new TileArchiveError('it is not a PMTiles archive');
    return new Pmtiles(file, parseHeader(file.read(0, HEADER_BYTES)));
  } catch (error) {
    file.close();
    throw error;
  }
}

class Pmtiles implements TileArchive {
  readonly info: TileArchiveInfo;
  readonly #file: ByteFile;
  readonly #header: PmtilesHeader;
  readonly #leaves = createLruCache<Directory>(MAX_CACHED_ENTRIES);
  #root: Directory | undefined;

  constructor(file: ByteFile, header: PmtilesHeader) {
    this.#file = file;
    this.#header = header;
    const { format, minZoom, maxZoom, bounds, metadata } = header;
    const details = metadata.length === 0 ? {} : this.#readMetadata(metadata);
    this.info = { format, minZoom, maxZoom, bounds, ...readTexts(details), layers: readLayers(details) };
  }

  readTile(position: ArchivedTilePosition): StoredTile | undefined {
    const { minZoom, maxZoom } = this.info;
    if (position.zoom < minZoom || position.zoom > maxZoom) return undefined;
    const tileId = computeTileId(position);
    return this.#descend((directory) => findEntry(directory, tileId));
  }

  readSample(): StoredTile | undefined {
    return this.#descend((directory) => getEntry(directory, 0));
  }

  close(): void {
    this.#file.close();
  }

  #descend(find: (directory: Directory) => DirectoryEntry | undefined): StoredTile | undefined {
    this.#root ??= this.#readDirectory(this.#header.root);
    let directory = this.#root;
    for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
      const entry = find(directory);
      if (entry === undefined || entry.length === 0) return undefined;
      if (entry.runLength > 0) return this.#readTileData(entry);
      directory = this.#getLeaf(entry);
    }
    throw new TileArchiveError(`its directories are deeper than ${MAX_DEPTH} levels`);
  }

  #readTileData({ offset, length }: DirectoryEntry): StoredTile {
    if (length > MAX_TILE_BYTES) {
      throw new TileArchiveError(`one of its tiles has ${length} bytes, and the limit is ${MAX_TILE_BYTES}`);
    }
    const bytes = this.#file.read(this.#header.tiles.offset + offset, length);
    return { bytes, encoding: this.#header.tileEncoding };
  }

  #getLeaf({ offset, length }: DirectoryEntry): Directory {
    const key = `${offset} ${length}`;
    const known = this.#leaves.get(key);
    if (known !== undefined) return known;
    const leaf = this.#readDirectory({ offset: this.#header.leaves.offset + offset, length });
    this.#leaves.set(key, leaf, leaf.tileIds.length);
    return leaf;
  }

  #readDirectory(section: Section): Directory {
    return parseDirectory(this.#readSection(section, MAX_DIRECTORY_BYTES, 'one of its directories'));
  }

  #readMetadata(section: Section) {
    return parseMetadata(Buffer.from(this.#readSection(section, MAX_METADATA_BYTES, 'its metadata')).toString('utf8'));
  }

  #readSection({ offset, length }: Section, maxBytes: number, what: string): Uint8Array {
    if (length > maxBytes) throw new TileArchiveError(`${what} exceeds the limit of ${maxBytes} bytes`);
    return decompress(this.#file.read(offset, length), this.#header.internalEncoding, maxBytes, what);
  }
}
