/** Reads whether the tiles of an archive are images or vector tiles, from a few kilobytes of the file. */
import { readTableRows } from './sqlite-rows.ts';

export type TileKind = 'vector' | 'raster';

const PMTILES_HEADER_BYTES = 127;

/** The position of the type of tiles in the header of PMTiles, and its number for vector tiles. */
const TILE_TYPE = 99;
const VECTOR_TILES = 1;

export async function readPmtilesKind(file: Blob): Promise<TileKind> {
  const header = new Uint8Array(await file.slice(0, PMTILES_HEADER_BYTES).arrayBuffer());
  return header[TILE_TYPE] === VECTOR_TILES ? 'vector' : 'raster';
}

/** The server reports files that are damaged. */
export async function readMbtilesKind(file: Blob): Promise<TileKind> {
  try {
    for await (const [name, value] of readTableRows(file, 'metadata')) {
      if (name === 'format') return ['pbf', 'mvt'].includes(String(value).toLowerCase()) ? 'vector' : 'raster';
    }
  } catch {
    // The file is no SQLite database.
  }
  return 'raster';
}
