/** Paints the features of layers into pictures that become one in the end. It knows nothing of where they come from. */
import type { FeatureBatch } from '../data/vector/packed-features.ts';
import { loadCanvas } from '../styling/legend/canvas.ts';
import { keepWithin } from './clip-area.ts';
import type { Coverage } from './coverage.ts';
import { type GroupPainter, paintDirectly, paintGraphics, paintPlainly } from './group-painter.ts';
import { indexedPngAtOnce } from './indexed-png.ts';
import { LabelLayer } from './label-layer.ts';
import type { Color, Pixels, PngFile } from './map-request.ts';
import type { MapSurface, PaintedLayer, SurfaceSettings } from './map-surface.ts';
import { PaintingRoom } from './painting-room.ts';
import { Ink, Picture } from './picture.ts';
import { PixelShape } from './pixel-shape.ts';
import { type PainterTools, paintBatch, type StartedLayer, startedLayer } from './started-layer.ts';
import type { PaintedGroup } from './style-plan.ts';

export class MapPainter implements MapSurface {
  readonly #settings: SurfaceSettings;
  readonly #room: PaintingRoom;
  readonly #picture: Picture;
  readonly #coverage: Coverage;
  readonly #labels = new LabelLayer();
  readonly #shape = new PixelShape();
  #layer: StartedLayer | undefined;
  #whole: Picture | undefined;

  /** In room of its own, unless there is some that is kept from map to map. */
  constructor(settings: SurfaceSettings, room = new PaintingRoom()) {
    const { frame, background, clip } = settings;
    this.#settings = settings;
    this.#room = room;
    const { picture, coverage } = room.take(frame.width, frame.height);
    this.#picture = picture;
    this.#coverage = coverage;
    // What is clipped is laid over the background in the end.
    if (background !== undefined && clip === undefined) this.#picture.fill(inkOf(background));
  }

  async startLayer(layer: PaintedLayer): Promise<void> {
    this.#finishLayer();
    this.#layer = await startedLayer(layer, {
      settings: this.#settings,
      labels: this.#labels,
      painterFor: (group, index, tools) => this.#groupPainter(group, index === 0, tools),
    });
  }

  async paint(batch: FeatureBatch): Promise<void> {
    if (this.#layer !== undefined) paintBatch(batch, this.#layer, this.#settings.frame, this.#shape);
  }

  async lay(straight: Uint8Array): Promise<void> {
    this.#finishLayer();
    const picture = new Picture(this.#picture.width, this.#picture.height);
    picture.set(straight);
    this.#picture.lay(picture.bytes);
  }

  async finish(): Promise<Pixels> {
    const { frame } = this.#settings;
    const bytes = (await this.#finished()).toStraight();
    this.#room.giveBack(this.#picture, this.#coverage);
    return { width: frame.width, height: frame.height, bytes };
  }

  async finishAsPng(): Promise<Pixels | PngFile> {
    const { width, height, pixels } = await this.#finished();
    const png = indexedPngAtOnce({ width, height, pixels, isPremultiplied: true });
    if (png === undefined) return this.finish();
    this.#room.giveBack(this.#picture, this.#coverage);
    return { png };
  }

  close(): void {
    this.#layer = undefined;
  }

  /** The whole picture, which does not change any more. */
  async #finished(): Promise<Picture> {
    this.#whole ??= await this.#finishPicture();
    return this.#whole;
  }

  async #finishPicture(): Promise<Picture> {
    this.#finishLayer();
    const { frame, background, clip } = this.#settings;
    if (!this.#labels.isEmpty) this.#picture.lay(this.#labels.write(await loadCanvas(), frame));
    if (clip === undefined) return this.#picture;
    keepWithin(clip, frame, this.#picture);
    if (background === undefined) return this.#picture;
    const whole = new Picture(frame.width, frame.height);
    whole.fill(inkOf(background));
    whole.lay(this.#picture.bytes);
    return whole;
  }

  #finishLayer(): void {
    for (const painter of this.#layer?.painters ?? []) painter.finish(this.#picture);
    this.#layer = undefined;
  }

  #groupPainter({ blend, hasGraphics }: PaintedGroup, isLowest: boolean, tools: PainterTools): GroupPainter {
    const { frame } = this.#settings;
    const { library, pictures, reachPixels } = tools;
    if (hasGraphics && library !== undefined) return paintGraphics(library, frame, pictures, reachPixels, blend);
    if (isLowest && blend === undefined) return paintDirectly(this.#picture, this.#coverage);
    return paintPlainly(frame, this.#coverage, blend);
  }
}

function inkOf({ red, green, blue }: Color): Ink {
  return new Ink(red / 255, green / 255, blue / 255, 1);
}
