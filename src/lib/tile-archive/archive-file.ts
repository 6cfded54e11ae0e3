/** Writes tiles to a PMTiles or MBTiles file. All calls are synchronous, because both are used one after the other. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { DegreeBox } from './exported-tiles.ts';
import { MbtilesWriter } from './mbtiles-writer.ts';
import { HEAD_BYTES, type PmtilesSummary, PmtilesWriter } from './pmtiles-writer.ts';
import { computeTileId, type TilePosition } from './tile-id.ts';

export type ArchiveKind = 'pmtiles' | 'mbtiles';

export type ArchivedType = PmtilesSummary['type'];

export interface ArchiveMetadata {
  readonly name: string;
  readonly description?: string;
  readonly attribution?: string;
  readonly vector_layers?: readonly unknown[];
}

export interface ArchiveSummary {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: DegreeBox;
  readonly metadata: ArchiveMetadata;
}

export interface ArchiveFile {
  /** Tiles must be added in the order of their ids. */
  add(position: TilePosition, tile: Uint8Array): void;
  /** The size of the file so far. */
  countBytes(): number;
  finish(summary: ArchiveSummary): void;
  /** Can be called twice. */
  close(): void;
}

/** The file must not exist. */
export function createArchiveFile(path: string, kind: ArchiveKind, type: ArchivedType): ArchiveFile {
  return kind === 'pmtiles' ? new PmtilesFile(path, type) : new MbtilesFile(path, type);
}

class PmtilesFile implements ArchiveFile {
  readonly #type: ArchivedType;
  readonly #writer: PmtilesWriter;
  #descriptor: number | undefined;
  #bytes = 0;

  constructor(path: string, type: ArchivedType) {
    this.#type = type;
    this.#writer = new PmtilesWriter(type);
    this.#descriptor = openSync(path, 'wx', 0o600);
    this.#append(Buffer.alloc(HEAD_BYTES));
  }

  add(position: TilePosition, tile: Uint8Array): void {
    const piece = this.#writer.add(computeTileId(position), tile);
    if (piece !== undefined) this.#append(piece);
  }

  countBytes(): number {
    return this.#bytes;
  }

  finish({ metadata, ...summary }: ArchiveSummary): void {
    const { head, tail } = this.#writer.finish({ ...summary, type: this.#type, metadata: { ...metadata } });
    this.#append(tail);
    this.#write(head, 0);
    this.close();
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #append(piece: Uint8Array): void {
    this.#write(piece, this.#bytes);
    this.#bytes += piece.length;
  }

  #write(piece: Uint8Array, position: number): void {
    if (this.#descriptor === undefined) throw new Error('The archive is closed.');
    for (let at = 0; at < piece.length; ) {
      at += writeSync(this.#descriptor, piece, at, piece.length - at, position + at);
    }
  }
}

/** The names of formats in MBTiles. */
const formatNames: Readonly<Record<ArchivedType, string>> = { mvt: 'pbf', png: 'png', jpeg: 'jpg', webp: 'webp' };

class MbtilesFile implements ArchiveFile {
  readonly #type: ArchivedType;
  readonly #writer: MbtilesWriter;
  #bytes = 0;

  constructor(path: string, type: ArchivedType) {
    this.#type = type;
    this.#writer = new MbtilesWriter(path, { isVector: type === 'mvt' });
  }

  add(position: TilePosition, tile: Uint8Array): void {
    this.#writer.add(position, tile);
    this.#bytes = this.#writer.countBytes();
  }

  countBytes(): number {
    return this.#bytes;
  }

  finish({ minZoom, maxZoom, bounds, metadata: { vector_layers: layers, ...texts } }: ArchiveSummary): void {
    this.#writer.finish({
      ...texts,
      format: formatNames[this.#type],
      minzoom: String(minZoom),
      maxzoom: String(maxZoom),
      bounds: bounds.join(','),
      ...(layers === undefined ? {} : { json: JSON.stringify({ vector_layers: layers }) }),
    });
  }

  close(): void {
    this.#writer.close();
  }
}
