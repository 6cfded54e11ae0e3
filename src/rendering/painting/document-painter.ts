/** Paints maps as vector documents: shapes are paths, labels are text, and only rasters are pixels. */

import {
  type CanvasLibrary,
  type DrawingContext,
  loadCanvas,
  type PdfDocument,
  type SvgSurface,
} from '../../styling/legend/canvas/canvas.ts';
import { restoreFamilyNames } from '../../styling/legend/canvas/use-fonts.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import { drawDecorationsOnto } from '../decorations/draw-decorations.ts';
import { LabelLayer } from '../labels/label-layer.ts';
import { expandBatchAddresses } from '../layers/feature-addresses.ts';
import type {
  AddressTemplates,
  LayerSurface,
  LevelRange,
  PaintedLayer,
  SurfaceSettings,
} from '../layers/map-surface.ts';
import { OrderedPainting } from '../layers/ordered-painting.ts';
import { type PreparedLayer, paintBatch, prepareLayer } from '../layers/prepared-layer.ts';
import { paintRaster, type RasterPainting } from '../raster/paint-raster.ts';
import type { DrawnMap } from '../request/map-request.ts';
import { PixelShape } from '../shapes/pixel-shape.ts';
import { createContextPainter } from '../symbols/group-painter.ts';

export type DocumentKind = 'svg' | 'pdf';

export interface DrawnDocument extends DrawnMap {
  /** Undefined if the map exceeds the limit of a vector document. */
  readonly content: Uint8Array | undefined;
}

export interface DocumentSurface extends LayerSurface {
  finish(): Promise<DrawnDocument>;
}

/** Tens of megabytes as text. Larger documents are slow to open, and a map of so many shapes is mostly black. */
const MAX_ORDINATES = 2_000_000;

/** A hundredth of a millimeter on a page of 300 pixels per inch; invisible in print, and half of the positions. */
const TOLERANCE_PIXELS = 0.1;

export class DocumentPainter implements DocumentSurface {
  readonly isDirect = true;
  readonly #settings: SurfaceSettings;
  readonly #maxOrdinates: number;
  readonly #library: CanvasLibrary;
  readonly #sheet: Sheet;
  readonly #labels = new LabelLayer();
  readonly #shape = new PixelShape();
  #layer: PreparedLayer | undefined;
  #orderedPainting: OrderedPainting | undefined;
  #ordinates = 0;

  static async open(
    kind: DocumentKind,
    settings: SurfaceSettings,
    maxOrdinates = MAX_ORDINATES,
  ): Promise<DocumentPainter> {
    return new DocumentPainter(kind, settings, maxOrdinates, await loadCanvas());
  }

  private constructor(kind: DocumentKind, settings: SurfaceSettings, maxOrdinates: number, library: CanvasLibrary) {
    const { frame, background } = settings;
    this.#settings = settings;
    this.#maxOrdinates = maxOrdinates;
    this.#library = library;
    this.#sheet = kind === 'svg' ? new SvgSheet(library, frame) : new PdfSheet(library, frame);
    if (background === undefined) return;
    const { context } = this.#sheet;
    context.fillStyle = `rgb(${background.red}, ${background.green}, ${background.blue})`;
    context.fillRect(0, 0, frame.width, frame.height);
  }

  expandAddresses(templates: AddressTemplates, batch: FeatureBatch): Promise<readonly string[]> {
    return expandBatchAddresses(templates, batch);
  }

  async startLayer(layer: PaintedLayer): Promise<void> {
    this.#orderedPainting = undefined;
    this.#layer = await this.#prepareLayer(layer);
  }

  async startOrderedLayers(layers: readonly PaintedLayer[]): Promise<void> {
    this.#layer = undefined;
    const started: PreparedLayer[] = [];
    for (const layer of layers) started.push(await this.#prepareLayer(layer));
    this.#orderedPainting = new OrderedPainting(started);
  }

  async bufferBatch(part: number, batch: FeatureBatch): Promise<void> {
    this.#ordinates += batch.ordinates.length;
    if (!this.#isOverLimit) this.#orderedPainting?.bufferBatch(part, batch);
  }

  async paintLevel(level: readonly LevelRange[]): Promise<void> {
    if (!this.#isOverLimit) this.#orderedPainting?.paint(level, this.#shape);
  }

  #prepareLayer(layer: PaintedLayer): Promise<PreparedLayer> {
    const { frame } = this.#settings;
    return prepareLayer(layer, {
      settings: this.#settings,
      labels: this.#labels,
      createPainter: (_, __, { pictures, reachPixels }) =>
        createContextPainter(this.#sheet.context, {
          library: this.#library,
          frame,
          pictures,
          reachPixels,
          tolerancePixels: TOLERANCE_PIXELS,
        }),
    });
  }

  async paint(batch: FeatureBatch): Promise<void> {
    this.#ordinates += batch.ordinates.length;
    if (this.#layer === undefined || this.#isOverLimit) return;
    paintBatch(batch, this.#layer, this.#shape);
  }

  paintRaster(painting: RasterPainting): Promise<void> {
    return this.overlay(paintRaster(painting));
  }

  async overlay(straight: Uint8Array): Promise<void> {
    this.close();
    const { width, height } = this.#settings.frame;
    const surface = this.#library.createCanvas(width, height);
    const pixels = new Uint8ClampedArray(straight.buffer, straight.byteOffset, straight.byteLength);
    surface.getContext('2d').putImageData(new this.#library.ImageData(pixels, width, height), 0, 0);
    this.#sheet.context.drawImage(surface, 0, 0, width, height);
  }

  async finish(): Promise<DrawnDocument> {
    this.close();
    if (this.#isOverLimit) return { content: undefined };
    const { decorations } = this.#settings;
    const { context } = this.#sheet;
    this.#labels.drawOnto(context, this.#library, this.#settings.frame);
    if (decorations) await drawDecorationsOnto(context, this.#library, decorations, this.#settings);
    const { missingGlyphs } = this.#labels;
    return { content: this.#sheet.finish(), ...(missingGlyphs.length === 0 ? {} : { missingGlyphs }) };
  }

  close(): void {
    this.#layer = undefined;
    this.#orderedPainting = undefined;
  }

  get #isOverLimit(): boolean {
    return this.#ordinates > this.#maxOrdinates;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Sheet {
  readonly context: DrawingContext;
  finish(): Uint8Array;
}

class SvgSheet implements Sheet {
  readonly context: DrawingContext;
  readonly #surface: SvgSurface;
  readonly #size: Size;

  constructor({ createCanvas, SvgExportFlag }: CanvasLibrary, size: Size) {
    this.#surface = createCanvas(size.width, size.height, SvgExportFlag.NoPrettyXML);
    this.#size = size;
    this.context = this.#surface.getContext('2d');
  }

  /** Adds the view box that programs need to scale the picture. */
  finish(): Uint8Array {
    const { width, height } = this.#size;
    const content = completePositions(restoreFamilyNames(this.#surface.getContent()));
    const start = content.indexOf('<svg ') + '<svg '.length;
    const box = Buffer.from(`viewBox="0 0 ${width} ${height}" `);
    return new Uint8Array(Buffer.concat([content.subarray(0, start), box, content.subarray(start)]));
  }
}

/** Removes the comma after the last position of a letter, for which strict programs ignore all positions. */
function completePositions(svg: Buffer): Buffer {
  if (!svg.includes('<text ')) return svg;
  return Buffer.from(svg.toString().replaceAll(/ ([xy])="([-\d., e]*), "/g, ' $1="$2"'));
}

/** One page, at 72 pixels per inch. */
class PdfSheet implements Sheet {
  readonly context: DrawingContext;
  readonly #document: PdfDocument;

  constructor(library: CanvasLibrary, { width, height }: Size) {
    this.#document = new library.PDFDocument();
    this.context = this.#document.beginPage(width, height);
  }

  finish(): Uint8Array {
    this.#document.endPage();
    return new Uint8Array(this.#document.close());
  }
}
