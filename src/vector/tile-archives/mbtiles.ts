/** Reads MBTiles: an SQLite database with a table or view of tiles. Its rows are counted from the south. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { toFileProblem } from '../geopackage/failure.ts';
import { openForReading } from '../geopackage/open-file.ts';
import { checkLoops, explainPlan } from './mbtiles-views.ts';
import {
  clampBounds,
  MAX_METADATA_BYTES,
  type MetadataObject,
  parseMetadata,
  readLayers,
  readTexts,
} from './model/archive-metadata.ts';
import {
  type ArchivedFormat,
  type ArchivedTilePosition,
  MAX_ZOOM,
  type StoredTile,
  type TileArchive,
  TileArchiveError,
  type TileArchiveInfo,
  WORLD,
} from './model/tile-archive.ts';
import { detectPictureFormat, isGzip, MAX_TILE_BYTES } from './model/unpack-tile.ts';

/** Names of the metadata are few; each value can be long. */
const MAX_METADATA_ROWS = 1_000;

const formats: Readonly<Record<string, ArchivedFormat>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  avif: 'avif',
  pbf: 'mvt',
  mvt: 'mvt',
};

const WHERE_TILE = 'WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?';

export function openMbtiles(path: string): TileArchive {
  return convertErrors(path, () => {
    const database = openForReading(path, 'an MBTiles file');
    try {
      checkTiles(database);
      return new Mbtiles(path, database);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

class Mbtiles implements TileArchive {
  readonly info: TileArchiveInfo;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
    // The length is checked first, so that a huge value is not loaded.
    this.#select = database.prepare(
      `SELECT CASE WHEN length(tile_data) <= ${MAX_TILE_BYTES} THEN tile_data ELSE length(tile_data) END AS tile FROM tiles ${WHERE_TILE} LIMIT 1`,
    );
    this.info = this.#readInfo();
  }

  readTile({ zoom, column, row }: ArchivedTilePosition): StoredTile | undefined {
    return convertErrors(this.#path, () => toStoredTile(this.#select.get(zoom, column, 2 ** zoom - 1 - row)?.['tile']));
  }

  readSample(): StoredTile | undefined {
    return convertErrors(this.#path, () => {
      const found = this.#database.prepare('SELECT zoom_level, tile_column, tile_row FROM tiles LIMIT 1').get();
      if (found === undefined) return undefined;
      const { zoom_level: zoom = null, tile_column: column = null, tile_row: row = null } = found;
      return toStoredTile(this.#select.get(zoom, column, row)?.['tile']);
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #readInfo(): TileArchiveInfo {
    const metadata = readMetadata(this.#database);
    const sample = this.readSample();
    const format = formats[readText(metadata, 'format').toLowerCase()] ?? guessFormat(sample);
    if (format === undefined) {
      throw new TileArchiveError(
        `its format is '${readText(metadata, 'format').slice(0, 30)}', and supported are png, jpg, webp, avif and pbf`,
        { isUnsupported: true },
      );
    }
    const { minZoom, maxZoom } = this.#readZooms(metadata);
    const details = metadata['json'] === undefined ? {} : parseMetadata(readText(metadata, 'json'));
    const declared = readText(metadata, 'bounds').split(',').map(Number);
    return {
      format,
      minZoom,
      maxZoom,
      bounds: clampBounds(declared) ?? WORLD,
      ...readTexts(metadata),
      layers: readLayers(details),
    };
  }

  /** Some writers omit the zoom levels. */
  #readZooms(metadata: MetadataObject): { readonly minZoom: number; readonly maxZoom: number } {
    const declared = [readZoom(metadata['minzoom']), readZoom(metadata['maxzoom'])] as const;
    const [minZoom, maxZoom] = declared.map((zoom, index) => {
      if (zoom !== undefined) return zoom;
      const found = this.#database
        .prepare(`SELECT ${index === 0 ? 'min' : 'max'}(zoom_level) AS zoom FROM tiles`)
        .get()?.['zoom'];
      return found === null ? 0 : readZoom(found);
    });
    if (minZoom === undefined || maxZoom === undefined || minZoom > maxZoom) {
      throw new TileArchiveError(`its zoom levels are invalid; expected integers from 0 to ${MAX_ZOOM}`);
    }
    return { minZoom, maxZoom };
  }
}

/** Rejects files without tiles, and views that read whole tables for each tile. */
function checkTiles(database: DatabaseSync): void {
  const found = database
    .prepare("SELECT type FROM sqlite_master WHERE name = 'tiles' AND type IN ('table', 'view')")
    .get()?.['type'];
  if (found === undefined) throw new TileArchiveError("it has no table 'tiles'");
  if (found === 'table') return;
  const plan = explainPlan(database, `SELECT tile_data FROM tiles ${WHERE_TILE}`, [0, 0, 0]);
  const scanned = plan.find((detail) => /^(?:SCAN|MATERIALIZE|CO-ROUTINE|USE TEMP)/.test(detail));
  if (scanned !== undefined) {
    throw new TileArchiveError(
      `its view 'tiles' cannot find a tile with an index (${scanned.slice(0, 100)}); add an index, or create a table`,
      { isUnsupported: true },
    );
  }
  checkLoops(database, 'tiles', `SELECT tile_data FROM tiles ${WHERE_TILE}`, [0, 0, 0]);
  // The sample and the zoom levels are read without a condition.
  checkLoops(database, 'tiles', 'SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles');
}

function readMetadata(database: DatabaseSync): MetadataObject {
  const found = database
    .prepare("SELECT type FROM sqlite_master WHERE name = 'metadata' AND type IN ('table', 'view')")
    .get()?.['type'];
  if (found === undefined) return {};
  if (found === 'view') checkLoops(database, 'metadata', 'SELECT name, value FROM metadata');
  const rows = database
    .prepare(`SELECT name, value FROM metadata WHERE length(value) <= ${MAX_METADATA_BYTES} LIMIT ${MAX_METADATA_ROWS}`)
    .iterate();
  const metadata: Record<string, unknown> = {};
  let bytes = 0;
  for (const { name, value } of rows) {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
    bytes += text.length;
    if (bytes > MAX_METADATA_BYTES) break;
    Object.defineProperty(metadata, String(name), { value: text, enumerable: true, configurable: true });
  }
  return metadata;
}

function readText(metadata: MetadataObject, name: string): string {
  return String(metadata[name] ?? '').trim();
}

function readZoom(value: unknown): number | undefined {
  const zoom = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN);
  return Number.isInteger(zoom) && zoom >= 0 && zoom <= MAX_ZOOM ? zoom : undefined;
}

function guessFormat(sample: StoredTile | undefined): ArchivedFormat | undefined {
  if (sample === undefined) return undefined;
  return sample.encoding === 'gzip' ? 'mvt' : detectPictureFormat(sample.bytes);
}

function toStoredTile(value: unknown): StoredTile | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Uint8Array) return { bytes: value, encoding: isGzip(value) ? 'gzip' : 'none' };
  throw new TileArchiveError(
    typeof value === 'number' && value > MAX_TILE_BYTES
      ? `one of its tiles has ${value} bytes, and the limit is ${MAX_TILE_BYTES}`
      : 'one of its tiles does not consist of bytes',
  );
}

/** Messages of SQLite contain names of the file; those of this module do not. */
function convertErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TileArchiveError ? error : toFileProblem(error, path, 'an MBTiles file');
  }
}
