/**
 * Paints the features of layers into pictures that are merged in the end. It does not depend on the source of the
 * features.
 */

import { type CanvasLibrary, loadCanvas } from '../../styling/legend/canvas/canvas.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import { drawDecorationPicture } from '../decorations/draw-decorations.ts';
import { LabelLayer } from '../labels/label-layer.ts';
import { expandBatchAddresses } from '../layers/feature-addresses.ts';
import type { AddressTemplates, LevelRange, MapSurface, PaintedLayer, SurfaceSettings } from '../layers/map-surface.ts';
import { OrderedPainting } from '../layers/ordered-painting.ts';
import { type PainterTools, type PreparedLayer, paintBatch, prepareLayer } from '../layers/prepared-layer.ts';
import { encodeIndexedPngSync } from '../output/indexed-png.ts';
import { applyPalette, makeOpacityBinary, sharpenEdges } from '../output/palette.ts';
import { encodeTrueColorPngSync } from '../output/true-color-png.ts';
import { paintRaster, type RasterPainting } from '../raster/paint-raster.ts';
import { type Blend, isColorBlend } from '../rasterizer/blend.ts';
import { clipPicture } from '../rasterizer/clip-area.ts';
import { PaintingBuffers } from '../rasterizer/painting-buffers.ts';
import { Ink, Picture } from '../rasterizer/picture.ts';
import type { ScanlineRasterizer } from '../rasterizer/scanline-rasterizer.ts';
import type { Color, DrawnMap, Pixels, PngFile } from '../request/map-request.ts';
import type { Compositing, PaintedGroup } from '../rules/style-plan.ts';
import { PixelShape } from '../shapes/pixel-shape.ts';
import {
  compositeOver,
  createDirectPainter,
  createGraphicsPainter,
  createPlainPainter,
  createSharedGraphicsPainters,
  createSharedPlainPainters,
  type GroupPainter,
  type SharedPainters,
} from '../symbols/group-painter.ts';

/** Larger pictures with many colours are encoded by a library, which needs less memory. */
const MAX_PNG_PIXELS = 4_194_304;

export class MapPainter implements MapSurface {
  readonly isDirect = false;
  readonly #settings: SurfaceSettings;
  readonly #buffers: PaintingBuffers;
  readonly #picture: Picture;
  readonly #coverage: ScanlineRasterizer;
  readonly #labels = new LabelLayer();
  readonly #shape = new PixelShape();
  #layer: PreparedLayer | undefined;
  #ordered:
    | { readonly painting: OrderedPainting; readonly shared: SharedPainters; readonly laying: Compositing }
    | undefined;
  /** The base that groups are blended on before it is merged into the picture. */
  #base: { readonly picture: Picture; readonly blend: Blend | undefined } | undefined;
  #finishedPicture: Picture | undefined;
  /** Whether a group may have erased the background. */
  #isErased = false;

  /** `room` holds buffers that are reused from map to map. */
  constructor(settings: SurfaceSettings, room = new PaintingBuffers()) {
    const { frame, background, clip } = settings;
    this.#settings = settings;
    this.#buffers = room;
    const { picture, coverage } = room.acquire(frame.width, frame.height);
    this.#picture = picture;
    this.#coverage = coverage;
    coverage.isSharp = settings.antialias !== 'on';
    // A clipped picture is painted over the background at the end.
    if (background !== undefined && clip === undefined) this.#picture.fill(toInk(background));
  }

  expandAddresses(templates: AddressTemplates, batch: FeatureBatch): Promise<readonly string[]> {
    return expandBatchAddresses(templates, batch);
  }

  async startLayer(layer: PaintedLayer): Promise<void> {
    this.#finishLayer();
    this.#layer = await prepareLayer(layer, {
      settings: this.#settings,
      labels: this.#labels,
      createPainter: (group, index, tools) => this.#createGroupPainter(group, index === 0, tools),
    });
  }

  async paint(batch: FeatureBatch): Promise<void> {
    if (this.#layer !== undefined) paintBatch(batch, this.#layer, this.#shape);
  }

  /** The compositing of the first group applies to all. */
  async startOrderedLayers(layers: readonly PaintedLayer[]): Promise<void> {
    this.#finishLayer();
    const groups = layers.flatMap(({ plan }) => plan.groups);
    const [laying = { blend: undefined, isBase: false }] = groups;
    const blend = laying.isBase ? undefined : laying.blend;
    const { frame } = this.#settings;
    const shared = groups.some(({ hasGraphics }) => hasGraphics)
      ? createSharedGraphicsPainters(await loadCanvas(), frame, blend)
      : createSharedPlainPainters(frame, this.#coverage, blend);
    const started: PreparedLayer[] = [];
    for (const layer of layers) {
      started.push(
        await prepareLayer(layer, {
          settings: this.#settings,
          labels: this.#labels,
          createPainter: (_, __, { pictures, reachPixels }) => shared.getPainter(pictures, reachPixels),
        }),
      );
    }
    this.#ordered = { painting: new OrderedPainting(started), shared, laying };
  }

  async bufferBatch(part: number, batch: FeatureBatch): Promise<void> {
    this.#ordered?.painting.bufferBatch(part, batch);
  }

  async paintLevel(level: readonly LevelRange[]): Promise<void> {
    this.#ordered?.painting.paint(level, this.#shape);
  }

  async paintRaster(painting: RasterPainting): Promise<void> {
    this.#overlayStraight(paintRaster(painting), painting.laying);
  }

  async overlay(straight: Uint8Array): Promise<void> {
    this.#overlayStraight(straight, { blend: undefined, isBase: false });
  }

  #overlayStraight(straight: Uint8Array, laying: Compositing): void {
    this.#finishLayer();
    const target = this.#selectTarget(laying);
    const mode = laying.isBase ? undefined : laying.blend;
    if (mode === undefined) {
      target.overlayStraight(straight);
      return;
    }
    const picture = new Picture(this.#picture.width, this.#picture.height);
    picture.set(straight);
    compositeOver(target, picture.bytes, mode);
  }

  async finish(): Promise<Pixels> {
    const { frame, palette, hasBinaryOpacity } = this.#settings;
    const straight = (await this.#getFinishedPicture()).toStraight();
    if (hasBinaryOpacity) makeOpacityBinary(straight);
    const bytes = palette === undefined ? straight : applyPalette(palette, straight);
    this.#buffers.release(this.#picture, this.#coverage);
    return { width: frame.width, height: frame.height, bytes, ...this.#listMissingGlyphs() };
  }

  async finishAsPng(): Promise<Pixels | PngFile> {
    if (this.#settings.palette !== undefined || this.#settings.hasBinaryOpacity) return this.finish();
    const { width, height, pixels } = await this.#getFinishedPicture();
    const colored = { width, height, pixels, isPremultiplied: true };
    const isSmall = pixels.length <= MAX_PNG_PIXELS;
    const png = encodeIndexedPngSync(colored) ?? (isSmall ? encodeTrueColorPngSync(colored) : undefined);
    if (png === undefined) return { ...(await this.finish()), isVaried: true };
    this.#buffers.release(this.#picture, this.#coverage);
    return { png, ...this.#listMissingGlyphs() };
  }

  #listMissingGlyphs(): DrawnMap {
    const { missingGlyphs } = this.#labels;
    return missingGlyphs.length === 0 ? {} : { missingGlyphs };
  }

  close(): void {
    this.#layer = undefined;
    this.#ordered = undefined;
  }

  /** Returns the whole picture, which is final after the first call. */
  async #getFinishedPicture(): Promise<Picture> {
    this.#finishedPicture ??= await this.#decorate(await this.#finishPicture());
    return this.#finishedPicture;
  }

  async #decorate(picture: Picture): Promise<Picture> {
    const { frame, decorations, symbolFactor } = this.#settings;
    if (decorations === undefined || decorations.length === 0) return picture;
    picture.overlay(await drawDecorationPicture(await loadCanvas(), decorations, frame, symbolFactor));
    return picture;
  }

  async #finishPicture(): Promise<Picture> {
    this.#finishLayer();
    this.#mergeBase();
    const { frame, background, clip } = this.#settings;
    if (!this.#labels.isEmpty) this.#paintLabels(await loadCanvas());
    if (clip === undefined) {
      if (background !== undefined && this.#isErased) this.#picture.fillBelow(toInk(background));
      return this.#picture;
    }
    clipPicture(clip, frame, this.#picture);
    if (background === undefined) return this.#picture;
    const whole = new Picture(frame.width, frame.height);
    whole.fill(toInk(background));
    whole.overlay(this.#picture.bytes);
    return whole;
  }

  #paintLabels(library: CanvasLibrary): void {
    const { frame, antialias, adjacentTiles } = this.#settings;
    this.#coverage.isSharp = antialias === 'off';
    if (antialias !== 'off') {
      this.#labels.paint(library, this.#picture, this.#coverage, adjacentTiles);
      return;
    }
    const labels = new Picture(frame.width, frame.height);
    this.#labels.paint(library, labels, this.#coverage, adjacentTiles);
    sharpenEdges(labels.bytes);
    this.#picture.overlay(labels.bytes);
  }

  #finishLayer(): void {
    if (this.#ordered !== undefined) this.#ordered.shared.finish(this.#selectTarget(this.#ordered.laying));
    this.#ordered = undefined;
    const { painters = [], plan } = this.#layer ?? {};
    for (const [index, painter] of painters.entries()) {
      const group = plan?.groups[index];
      if (group !== undefined) painter.finish(this.#selectTarget(group));
    }
    this.#layer = undefined;
  }

  /** Returns the picture that a group is painted on. */
  #selectTarget({ isBase, blend }: Compositing): Picture {
    if (blend !== undefined && !isColorBlend(blend)) this.#isErased = true;
    if (isBase) {
      this.#mergeBase();
      this.#base = { picture: new Picture(this.#picture.width, this.#picture.height), blend };
    }
    return this.#base?.picture ?? this.#picture;
  }

  #mergeBase(): void {
    if (this.#base !== undefined) compositeOver(this.#picture, this.#base.picture.bytes, this.#base.blend);
    this.#base = undefined;
  }

  #createGroupPainter(group: PaintedGroup, isLowest: boolean, tools: PainterTools): GroupPainter {
    const { isBase, hasGraphics, blendsFeatures } = group;
    // The blend mode of a base applies to everything that is painted on it.
    const blend = isBase ? undefined : group.blend;
    const { frame } = this.#settings;
    const { library, pictures, reachPixels } = tools;
    if (hasGraphics && library !== undefined)
      return createGraphicsPainter({ library, frame, pictures, reachPixels }, blend, blendsFeatures);
    if (isLowest && !isBase && this.#base === undefined && blend === undefined)
      return createDirectPainter(this.#picture, this.#coverage);
    return createPlainPainter(frame, this.#coverage, blend);
  }
}

function toInk({ red, green, blue }: Color): Ink {
  return new Ink(red / 255, green / 255, blue / 255, 1);
}
