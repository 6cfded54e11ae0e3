/** Finds the uppermost feature of a batch in each cell of a map. */
import { LINES, POINTS } from '../../vector/port/packed-features.ts';
import { markTransferable } from '../../workers/transferables.ts';
import { Ink, Picture } from '../rasterizer/picture.ts';
import type { AreaPaint } from '../rasterizer/plain-paint.ts';
import { PlainPainter } from '../rasterizer/plain-painter.ts';
import { ScanlineRasterizer } from '../rasterizer/scanline-rasterizer.ts';
import { PixelShape } from '../shapes/pixel-shape.ts';
import { forEachMiddle } from '../shapes/shape-middles.ts';
import { type BatchSearch, createSearchWork, type SearchBatch, visitFeatures } from './batch-search.ts';
import { createSymbolVisitor, type PlacedLayer } from './drawn-symbols.ts';

/** The rows of a grid that a batch has changed. */
export interface ChangedRows {
  readonly firstRow: number;
  /** The index in the batch of the feature of each cell, row by row from the top; -1 for none. */
  readonly cells: Int32Array<ArrayBuffer>;
}

export const searchGrid = createSearchWork(openGridSearch);

/** Each pixel of the frame is a cell of the grid. */
export const gridSearch: BatchSearch<PlacedLayer, ChangedRows> = {
  open: openGridSearch,
  task: { module: import.meta.url, name: 'searchGrid', work: searchGrid },
};

async function openGridSearch(query: PlacedLayer): Promise<SearchBatch<ChangedRows>> {
  const { frame } = query.placement;
  const shape = new PixelShape();
  const visitSymbols = await createSymbolVisitor(query, shape);
  const painter = new KeyPainter(frame.width, frame.height);
  return async (batch, signal) => {
    await visitFeatures(
      batch,
      (feature, range) =>
        visitSymbols(batch, feature, range, (radius) => {
          if (shape.isNear(frame, 2 * radius)) painter.paint(shape, 2 * radius, feature);
          return false;
        }),
      signal,
    );
    const changed = painter.takeRows();
    return markTransferable(changed, [changed.cells.buffer]);
  };
}

/** A shape owns a cell if it covers half of it. */
const HALF = 128;

/** Fills shapes independent of their style: the inside of an outline counts too. */
class KeyPainter {
  readonly #picture: Picture;
  readonly #painter: PlainPainter;
  readonly #cells: Int32Array;
  /** The changed rows: from the first up to the end. */
  #first: number;
  #end = 0;

  constructor(columns: number, rows: number) {
    this.#picture = new Picture(columns, rows);
    this.#painter = new PlainPainter(this.#picture, new ScanlineRasterizer(columns, rows));
    this.#cells = new Int32Array(columns * rows).fill(-1);
    this.#first = rows;
  }

  /** Returns the rows that were painted since the last call, and empties them. */
  takeRows(): ChangedRows {
    const { width, height } = this.#picture;
    const firstRow = Math.min(this.#first, this.#end);
    const cells = this.#cells.slice(firstRow * width, this.#end * width);
    this.#cells.fill(-1, firstRow * width, this.#end * width);
    this.#first = height;
    this.#end = 0;
    return { firstRow, cells };
  }

  paint(shape: PixelShape, diameter: number, key: number): void {
    const width = Math.max(1, diameter);
    if (shape.kind === POINTS) {
      forEachMiddle(shape, (x, y) => this.#mark(x - width / 2, y - width / 2, x + width / 2, y + width / 2, key));
      return;
    }
    this.#painter.paintArea(shape, shape.kind === LINES ? createRoundLinePaint(width) : area);
    this.#writeKeys(shape, width, key);
    // A shape smaller than a cell owns the cell of its centre.
    forEachMiddle(shape, (x, y) => this.#mark(x, y, x, y, key));
  }

  #mark(minX: number, minY: number, maxX: number, maxY: number, key: number): void {
    const { width } = this.#picture;
    const rows = this.#changeRows(Math.floor(minY), Math.floor(maxY));
    for (let row = rows.first; row <= rows.last; row += 1) {
      const first = row * width + Math.max(0, Math.floor(minX));
      const end = row * width + Math.min(width - 1, Math.floor(maxX)) + 1;
      if (end > first) this.#cells.fill(key, first, end);
    }
  }

  /** Writes the key into the painted cells and clears the picture. */
  #writeKeys(shape: PixelShape, margin: number, key: number): void {
    const { width, bytes, pixels } = this.#picture;
    const { minY, maxY } = measureVerticalExtent(shape);
    const rows = this.#changeRows(Math.floor(minY - margin), Math.ceil(maxY + margin));
    for (let row = rows.first; row <= rows.last; row += 1) {
      for (let cell = row * width; cell < (row + 1) * width; cell += 1) {
        if ((bytes[cell * 4 + 3] ?? 0) >= HALF) this.#cells[cell] = key;
        pixels[cell] = 0;
      }
    }
  }

  /** Returns the part of a range of rows, both inclusive, that is in the grid. */
  #changeRows(from: number, to: number): { readonly first: number; readonly last: number } {
    const first = Math.max(0, from);
    const last = Math.min(this.#picture.height - 1, to);
    if (first <= last) {
      this.#first = Math.min(this.#first, first);
      this.#end = Math.max(this.#end, last + 1);
    }
    return { first, last };
  }
}

const ink = new Ink(1, 1, 1, 1);
const area: AreaPaint = { fill: ink, line: undefined, offset: 0, shiftX: 0, shiftY: 0 };

function createRoundLinePaint(width: number): AreaPaint {
  const line = { ink, pen: { width, join: 'round', cap: 'round' }, dashes: [], dashOffset: 0 } as const;
  return { ...area, fill: undefined, line };
}

function measureVerticalExtent({ places, ends, rings }: PixelShape): { readonly minY: number; readonly maxY: number } {
  let [minY, maxY] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 1; at < (ends[rings - 1] ?? 0) * 2; at += 2) {
    minY = Math.min(minY, places[at] ?? 0);
    maxY = Math.max(maxY, places[at] ?? 0);
  }
  return { minY, maxY };
}
