/** Writes MBTiles: equal tiles are stored once, behind a view. */
import { createHash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import type { TilePosition } from './tile-id.ts';

/** Tiles per transaction: few enough to be in memory. */
const MAX_TRANSACTION_TILES = 1_000;

export class MbtilesWriter {
  readonly #database: DatabaseSync;
  readonly #isVector: boolean;
  readonly #insertTile: StatementSync;
  readonly #insertImage: StatementSync;
  readonly #findImage: StatementSync;
  readonly #countPages: StatementSync;
  #pending = 0;

  /** The file must not exist. */
  constructor(path: string, { isVector }: { readonly isVector: boolean }) {
    this.#isVector = isVector;
    this.#database = new DatabaseSync(path);
    this.#database.exec(`PRAGMA application_id = 0x4d504258;
      CREATE TABLE metadata (name text, value text);
      CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id text);
      CREATE TABLE images (tile_data blob, tile_id text);
      CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
      CREATE UNIQUE INDEX images_id ON images (tile_id);
      CREATE UNIQUE INDEX metadata_name ON metadata (name);
      CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
        map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id;
      BEGIN`);
    this.#insertTile = this.#database.prepare('INSERT INTO map VALUES (?, ?, ?, ?)');
    this.#insertImage = this.#database.prepare('INSERT INTO images VALUES (?, ?)');
    this.#countPages = this.#database.prepare(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    );
    this.#findImage = this.#database.prepare('SELECT 1 FROM images WHERE tile_id = ?');
  }

  add({ zoom, column, row }: TilePosition, tile: Uint8Array): void {
    const id = createHash('sha256').update(tile).digest('hex');
    if (this.#findImage.get(id) === undefined) this.#insertImage.run(this.#isVector ? gzipSync(tile) : tile, id);
    // Rows are counted from the south.
    this.#insertTile.run(zoom, column, 2 ** zoom - 1 - row, id);
    this.#pending += 1;
    if (this.#pending < MAX_TRANSACTION_TILES) return;
    this.#database.exec('COMMIT; BEGIN');
    this.#pending = 0;
  }

  countBytes(): number {
    return this.#countPages.get()?.['bytes'] as number;
  }

  finish(metadata: Readonly<Record<string, string>>): void {
    const insert = this.#database.prepare('INSERT INTO metadata VALUES (?, ?)');
    for (const [name, value] of Object.entries(metadata)) insert.run(name, value);
    this.#database.exec('COMMIT');
    this.close();
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
