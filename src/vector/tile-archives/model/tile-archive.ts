/** The interface of tile archives: files with the tiles of one map in Web Mercator. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { DataAttribution } from '../../../lib/tile-archive/data-attribution.ts';

export type ArchivedFormat = 'png' | 'jpeg' | 'webp' | 'avif' | 'mvt';

/** How the bytes of a tile are compressed, in addition to the compression of its own format. */
export type TileEncoding = 'none' | 'gzip' | 'br' | 'zstd';

/** A layer of vector tiles as the metadata describes it. */
export interface ArchivedLayer {
  readonly id: string;
  readonly description?: string;
  /** The type of all its geometries if the statistics of the tiles contain it. */
  readonly geometry: 'MultiPoint' | 'MultiLineString' | 'MultiPolygon' | 'Geometry';
  /** The names of its attributes and their types: `Number`, `String` or `Boolean`. */
  readonly fields: ReadonlyMap<string, string>;
}

export interface TileArchiveInfo {
  readonly format: ArchivedFormat;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** In degrees; the whole square of Web Mercator if the archive does not declare it. */
  readonly bounds: Bounds;
  readonly title?: string;
  readonly description?: string;
  readonly attribution?: DataAttribution;
  readonly layers: readonly ArchivedLayer[];
}

/** The position of a tile; rows are counted from the north. */
export interface ArchivedTilePosition {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
}

export interface StoredTile {
  readonly bytes: Uint8Array;
  readonly encoding: TileEncoding;
}

/** Reads are synchronous: archives are read in threads. */
export interface TileArchive {
  readonly info: TileArchiveInfo;
  /** Returns undefined for a tile that is not stored. */
  readTile(position: ArchivedTilePosition): StoredTile | undefined;
  /** Returns any tile; undefined if the archive is empty. */
  readSample(): StoredTile | undefined;
  close(): void;
}

/** The archive is damaged or not supported; the reason completes the sentence `The file … is not valid:`. */
export class TileArchiveError extends Error {
  readonly isUnsupported: boolean;

  constructor(reason: string, { isUnsupported = false }: { readonly isUnsupported?: boolean } = {}) {
    super(reason);
    this.isUnsupported = isUnsupported;
  }
}

/** Tile numbers of this zoom still have at most 31 bits. */
export const MAX_ZOOM = 30;

/** The square of Web Mercator, in degrees. */
export const WORLD: Bounds = { minX: -180, minY: -85.051_128_779_806_59, maxX: 180, maxY: 85.051_128_779_806_59 };
