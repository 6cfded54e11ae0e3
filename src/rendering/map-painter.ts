/** Paints the features of layers into pictures that become one in the end. It knows nothing of where they come from. */
import type { FeatureBatch } from '../data/vector/packed-features.ts';
import { loadCanvas } from '../styling/legend/canvas.ts';
import type { Blend } from './blend.ts';
import { keepWithin } from './clip-area.ts';
import type { Coverage } from './coverage.ts';
import {
  type GroupPainter,
  layOver,
  paintDirectly,
  paintGraphics,
  paintPlainly,
  type SharedPainters,
  shareGraphics,
  sharePlainly,
} from './group-painter.ts';
import { indexedPngAtOnce } from './indexed-png.ts';
import { LabelLayer } from './label-layer.ts';
import type { Color, Pixels, PngFile } from './map-request.ts';
import type { LevelRange, MapSurface, PaintedLayer, SurfaceSettings } from './map-surface.ts';
import { OrderedPainting } from './ordered-painting.ts';
import { PaintingRoom } from './painting-room.ts';
import { inColorsOf } from './palette.ts';
import { Ink, Picture } from './picture.ts';
import { PixelShape } from './pixel-shape.ts';
import { paintRaster, type RasterPainting } from './raster/paint-raster.ts';
import { type PainterTools, paintBatch, type StartedLayer, startedLayer } from './started-layer.ts';
import type { Laying, PaintedGroup } from './style-plan.ts';

export class MapPainter implements MapSurface {
  readonly isDirect = false;
  readonly #settings: SurfaceSettings;
  readonly #room: PaintingRoom;
  readonly #picture: Picture;
  readonly #coverage: Coverage;
  readonly #labels = new LabelLayer();
  readonly #shape = new PixelShape();
  #layer: StartedLayer | undefined;
  #together:
    | { readonly painting: OrderedPainting; readonly shared: SharedPainters; readonly laying: Laying }
    | undefined;
  /** What is mixed by itself before it is laid on the picture. */
  #base: { readonly picture: Picture; readonly blend: Blend | undefined } | undefined;
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

  /** All of them come to lie on what is below as the first says. */
  async startTogether(layers: readonly PaintedLayer[]): Promise<void> {
    this.#finishLayer();
    const groups = layers.flatMap(({ plan }) => plan.groups);
    const [laying = { blend: undefined, isBase: false }] = groups;
    const blend = laying.isBase ? undefined : laying.blend;
    const { frame } = this.#settings;
    const shared = groups.some(({ hasGraphics }) => hasGraphics)
      ? shareGraphics(await loadCanvas(), frame, blend)
      : sharePlainly(frame, this.#coverage, blend);
    const started: StartedLayer[] = [];
    for (const layer of layers) {
      started.push(
        await startedLayer(layer, {
          settings: this.#settings,
          labels: this.#labels,
          painterFor: (_, __, { pictures, reachPixels }) => shared.painterWith(pictures, reachPixels),
        }),
      );
    }
    this.#together = { painting: new OrderedPainting(started), shared, laying };
  }

  async hold(part: number, batch: FeatureBatch): Promise<void> {
    this.#together?.painting.hold(part, batch);
  }

  async paintLevel(level: readonly LevelRange[]): Promise<void> {
    this.#together?.painting.paint(level, this.#settings.frame, this.#shape);
  }

  async paintRaster(painting: RasterPainting): Promise<void> {
    this.#layStraight(paintRaster(painting), painting.laying);
  }

  async lay(straight: Uint8Array): Promise<void> {
    this.#layStraight(straight, { blend: undefined, isBase: false });
  }

  #layStraight(straight: Uint8Array, laying: Laying): void {
    this.#finishLayer();
    const picture = new Picture(this.#picture.width, this.#picture.height);
    picture.set(straight);
    layOver(this.#groundFor(laying), picture.bytes, laying.isBase ? undefined : laying.blend);
  }

  async finish(): Promise<Pixels> {
    const { frame, palette } = this.#settings;
    const straight = (await this.#finished()).toStraight();
    const bytes = palette === undefined ? straight : inColorsOf(palette, straight);
    this.#room.giveBack(this.#picture, this.#coverage);
    return { width: frame.width, height: frame.height, bytes };
  }

  async finishAsPng(): Promise<Pixels | PngFile> {
    if (this.#settings.palette !== undefined) return this.finish();
    const { width, height, pixels } = await this.#finished();
    const png = indexedPngAtOnce({ width, height, pixels, isPremultiplied: true });
    if (png === undefined) return this.finish();
    this.#room.giveBack(this.#picture, this.#coverage);
    return { png };
  }

  close(): void {
    this.#layer = undefined;
    this.#together = undefined;
  }

  /** The whole picture, which does not change any more. */
  async #finished(): Promise<Picture> {
    this.#whole ??= await this.#finishPicture();
    return this.#whole;
  }

  async #finishPicture(): Promise<Picture> {
    this.#finishLayer();
    this.#layBase();
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
    if (this.#together !== undefined) this.#together.shared.finish(this.#groundFor(this.#together.laying));
    this.#together = undefined;
    const { painters = [], plan } = this.#layer ?? {};
    for (const [index, painter] of painters.entries()) {
      const group = plan?.groups[index];
      if (group !== undefined) painter.finish(this.#groundFor(group));
    }
    this.#layer = undefined;
  }

  /** What a group is laid on. */
  #groundFor({ isBase, blend }: Laying): Picture {
    if (isBase) {
      this.#layBase();
      this.#base = { picture: new Picture(this.#picture.width, this.#picture.height), blend };
    }
    return this.#base?.picture ?? this.#picture;
  }

  #layBase(): void {
    if (this.#base !== undefined) layOver(this.#picture, this.#base.picture.bytes, this.#base.blend);
    this.#base = undefined;
  }

  #groupPainter(group: PaintedGroup, isLowest: boolean, tools: PainterTools): GroupPainter {
    const { isBase, hasGraphics } = group;
    // That of a base is for all that comes to lie on it.
    const blend = isBase ? undefined : group.blend;
    const { frame } = this.#settings;
    const { library, pictures, reachPixels } = tools;
    if (hasGraphics && library !== undefined) return paintGraphics(library, frame, pictures, reachPixels, blend);
    if (isLowest && !isBase && this.#base === undefined && blend === undefined)
      return paintDirectly(this.#picture, this.#coverage);
    return paintPlainly(frame, this.#coverage, blend);
  }
}

function inkOf({ red, green, blue }: Color): Ink {
  return new Ink(red / 255, green / 255, blue / 255, 1);
}
