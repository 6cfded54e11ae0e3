/** Writes the rows of a feature set to worksheets; rows that exceed a sheet continue on the next one. */
import type { Geometry } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureSet } from '../port/port.ts';
import { TextWriter } from '../writing/text-writer.ts';
import { countPositions, isGeometry, toWritableGeometry } from '../writing/writable-geometry.ts';
import { writeWkt } from '../writing/write-wkt.ts';
import { cellStyles, MAX_CELL_CHARACTERS, writeTextCell, writeValueCell } from './cells.ts';

const ID_COLUMN = 'FID';

/** The limit of spreadsheet programs, including the column of ids. */
const MAX_COLUMNS = 16_384;
/** The limit of spreadsheet programs, including the header. */
const MAX_ROWS = 1_048_576;

/** Below the 4 GB of an entry of a ZIP archive, with room for the longest row. */
const MAX_SHEET_BYTES = 2 ** 31;

/** Two digits, a space and a separator. */
const MIN_POSITION_CHARACTERS = 4;

export interface SheetLimits {
  /** Including the header. */
  readonly rows: number;
  readonly bytes: number;
}

export const sheetLimits: SheetLimits = { rows: MAX_ROWS, bytes: MAX_SHEET_BYTES };

export class SheetRows {
  readonly #set: FeatureSet;
  readonly #columns: readonly string[];
  readonly #decimals: number;
  readonly #batches: AsyncIterator<readonly Feature[]>;
  /** For geometries, whose length is known only when they are written. */
  #measure: TextWriter;
  #batch: readonly Feature[] | undefined = [];
  /** The position in the batch. */
  #next = 0;

  constructor(set: FeatureSet, decimals: number) {
    const { attributes } = set.description;
    if (attributes.length >= MAX_COLUMNS) {
      const layer = set.typeName.local;
      throw problem('format-columns-too-many', { layer, count: attributes.length, limit: MAX_COLUMNS - 1 });
    }
    this.#set = set;
    this.#decimals = decimals;
    this.#columns = Array.from({ length: attributes.length + 1 }, (_, index) => formatColumn(index));
    this.#batches = set.batches[Symbol.asyncIterator]();
    this.#measure = new TextWriter(decimals);
  }

  /** Whether rows are left; known after a sheet is written. */
  get hasMore(): boolean {
    return this.#batch !== undefined;
  }

  /** Reads the first features, so that an error of the source precedes the document. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.#readNext(signal);
  }

  /** Yields the document of one sheet with as many rows as it may have. */
  async *writeSheet({ rows, bytes: maxBytes }: SheetLimits, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const out = new TextWriter(this.#decimals);
    this.#writeHead(out);
    let bytes = 0;
    for (let row = 2; row <= rows && bytes < maxBytes; row += 1) {
      const feature = await this.#readNext(signal);
      if (feature === undefined) break;
      this.#writeRow(out, row, feature);
      this.#next += 1;
      while (out.isFull) {
        signal.throwIfAborted();
        const piece = out.flush();
        bytes += piece.length;
        yield piece;
      }
    }
    await this.#readNext(signal);
    out.writeRaw('</sheetData></worksheet>');
    yield out.flush();
  }

  /** Ends the reading of features. Not awaited, because a source that does not respond does not end either. */
  close(): void {
    this.#batches.return?.().catch(() => undefined);
  }

  /** Returns the feature at the current position, which is in the next batch if this one is at its end. */
  #readNext(signal: AbortSignal): Feature | undefined | Promise<Feature | undefined> {
    return this.#batch?.[this.#next] ?? this.#readBatches(signal);
  }

  async #readBatches(signal: AbortSignal): Promise<Feature | undefined> {
    while (this.#batch !== undefined && this.#next >= this.#batch.length) {
      signal.throwIfAborted();
      const { done, value } = await this.#batches.next();
      this.#batch = done === true ? undefined : value;
      this.#next = 0;
    }
    return this.#batch?.[this.#next];
  }

  #writeHead(out: TextWriter): void {
    out.writeRaw(
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row r="1">',
    );
    const names = [ID_COLUMN, ...this.#set.description.attributes.map(({ name }) => name)];
    names.forEach((name, index) => {
      writeTextCell(out, `${this.#columns[index]}1`, name, cellStyles.bold);
    });
    out.writeRaw('</row>');
  }

  #writeRow(out: TextWriter, row: number, { id, values }: Feature): void {
    const { attributes } = this.#set.description;
    out.writeRaw(`<row r="${row}">`);
    writeTextCell(out, `A${row}`, id);
    for (let index = 0; index < attributes.length; index += 1) {
      const value = values[index] ?? null;
      if (value === null) continue;
      const place = `${this.#columns[index + 1]}${row}`;
      if (isGeometry(value)) this.#writeGeometry(out, place, value);
      else writeValueCell(out, place, value, attributes[index]);
    }
    out.writeRaw('</row>');
  }

  /** A part of a geometry would be another geometry, so one that does not fit into a cell is described instead. */
  #writeGeometry(out: TextWriter, place: string, value: Geometry): void {
    const geometry = toWritableGeometry(value);
    if (geometry === null) return;
    const positions = countPositions(geometry);
    const text = positions * MIN_POSITION_CHARACTERS > MAX_CELL_CHARACTERS ? undefined : this.#formatWkt(geometry);
    writeTextCell(
      out,
      place,
      text ?? `${geometry.type.toUpperCase()} with ${positions} positions (too long for a cell)`,
    );
  }

  #formatWkt(geometry: Geometry): string | undefined {
    writeWkt(this.#measure, geometry, this.#set.crs.isNorthFirst);
    if (this.#measure.isFull) {
      this.#measure = new TextWriter(this.#decimals);
      return undefined;
    }
    const bytes = this.#measure.flush();
    return bytes.length > MAX_CELL_CHARACTERS ? undefined : Buffer.from(bytes).toString('latin1');
  }
}

/** Formats the letters of a column: A to Z, AA to ZZ, AAA and so on. */
function formatColumn(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${formatColumn(Math.floor(index / 26) - 1)}${letter}`;
}
