/** Paints the features of layers into pictures that become one in the end. It knows nothing of where they come from. */
import type { Bounds } from '../data/crs/bounds.ts';
import { type FeatureBatch, SHAPE_FIELDS } from '../data/vector/packed-features.ts';
import { type CanvasLibrary, loadCanvas } from '../styling/legend/canvas.ts';
import type { Pictures } from '../styling/legend/drawing.ts';
import { type Lengths, lengthsOf } from '../styling/legend/lengths.ts';
import { loadPictures } from '../styling/legend/pictures.ts';
import type { Symbolizer } from '../styling/model.ts';
import { keepWithin } from './clip-area.ts';
import type { Coverage } from './coverage.ts';
import { FeatureCursor } from './feature-cursor.ts';
import type { Frame } from './frame.ts';
import { type DrawnGeometry, drawnGeometry } from './geometry-functions.ts';
import { type GroupPainter, paintDirectly, paintGraphics, paintPlainly } from './group-painter.ts';
import { indexedPngAtOnce } from './indexed-png.ts';
import { LabelLayer } from './label-layer.ts';
import type { Color, Pixels, PngFile } from './map-request.ts';
import type { MapSurface, PaintedLayer, SurfaceSettings } from './map-surface.ts';
import { PaintingRoom } from './painting-room.ts';
import { Ink, Picture } from './picture.ts';
import { PixelShape, type Projection } from './pixel-shape.ts';
import { createProjector } from './projector.ts';
import { type CompiledGroup, type CompiledRule, collectRules, compileGroup } from './rule-choice.ts';
import type { PaintedGroup } from './style-plan.ts';
import { labelling, type PaintShape } from './symbolizer-painters.ts';

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
    const { plan, from, to, graphics } = layer;
    const rules = plan.groups.flatMap((group) => group.rules);
    const hasPictures = plan.groups.some((group) => group.hasGraphics) || rules.some(hasShield);
    const library = hasPictures ? await loadCanvas() : undefined;
    const pictures: Pictures =
      library === undefined ? new Map() : await loadPictures(library, rules, async (href) => graphics.get(href));
    const project = await createProjector(from, to);
    const painters = plan.groups.map((group, index) =>
      this.#groupPainter(group, index === 0, plan.reachPixels, library, pictures),
    );
    this.#layer = {
      ...layer,
      painters,
      groups: plan.groups.map((group, index) =>
        compileGroup(group, (symbolizer) => this.#painting(symbolizer, painters[index], layer, pictures)),
      ),
      projection: project && { project, area: layer.area, world: layer.world },
      feature: new FeatureCursor(plan.values),
    };
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

  #groupPainter(
    { blend, hasGraphics }: PaintedGroup,
    isLowest: boolean,
    reachPixels: number,
    library: CanvasLibrary | undefined,
    pictures: Pictures,
  ): GroupPainter {
    const { frame } = this.#settings;
    if (hasGraphics && library !== undefined) return paintGraphics(library, frame, pictures, reachPixels, blend);
    if (isLowest && blend === undefined) return paintDirectly(this.#picture, this.#coverage);
    return paintPlainly(frame, this.#coverage, blend);
  }

  #painting(
    symbolizer: Symbolizer,
    painter: GroupPainter | undefined,
    { plan }: PaintedLayer,
    pictures: Pictures,
  ): SymbolPainter | undefined {
    const geometry = drawnGeometry(symbolizer);
    const lengths = this.#lengthsFor(symbolizer);
    const paint =
      symbolizer.kind === 'textSymbolizer'
        ? labelling(symbolizer, lengths, pictures, this.#window(), this.#labels)
        : painter?.paintingFor(symbolizer, lengths);
    if (geometry === undefined || paint === undefined) return undefined;
    return { paint, change: geometry.change, slot: slotOf(plan.geometries, geometry.attribute) };
  }

  #window(): Bounds {
    const { width, height } = this.#settings.frame;
    return { minX: 0, minY: 0, maxX: width, maxY: height };
  }

  #lengthsFor({ uom }: Symbolizer): Lengths {
    const { scaleDenominator, symbolFactor } = this.#settings;
    return { ...lengthsOf(uom, scaleDenominator), factor: symbolFactor };
  }
}

function inkOf({ red, green, blue }: Color): Ink {
  return new Ink(red / 255, green / 255, blue / 255, 1);
}

function hasShield({ symbolizers }: PaintedGroup['rules'][number]): boolean {
  return symbolizers.some((each) => each.kind === 'textSymbolizer' && each.graphic !== undefined);
}

/** Which of the geometries is meant; one that nobody has is drawn nowhere. */
function slotOf(geometries: readonly string[], attribute: string | undefined): number {
  if (attribute === undefined) return 0;
  const local = attribute.slice(Math.max(attribute.lastIndexOf('/'), attribute.lastIndexOf(':')) + 1);
  return geometries.findIndex((name) => name === attribute || name === local);
}

interface SymbolPainter {
  readonly paint: PaintShape;
  readonly change: DrawnGeometry['change'];
  readonly slot: number;
}

interface StartedLayer extends PaintedLayer {
  readonly painters: readonly GroupPainter[];
  readonly groups: readonly CompiledGroup<SymbolPainter>[];
  readonly projection: Projection | undefined;
  readonly feature: FeatureCursor;
}

function paintBatch(batch: FeatureBatch, layer: StartedLayer, frame: Frame, shape: PixelShape): void {
  const { groups, projection, shifts, feature, plan } = layer;
  const { shapes } = batch;
  const rules: CompiledRule<SymbolPainter>[] = [];
  const count = shapes.length / SHAPE_FIELDS;
  let first = 0;
  while (first < count) {
    const index = shapes[first * SHAPE_FIELDS] ?? 0;
    let last = first + 1;
    while (last < count && shapes[last * SHAPE_FIELDS] === index) last += 1;
    feature.moveTo(batch, index);
    // Most features are one shape, which is painted by several symbolizers.
    let loaded = -1;
    let loadedShift = 0;
    let isSeen = false;
    for (const group of groups) {
      collectRules(group, feature, rules);
      for (const { painters } of rules) {
        for (const { paint, change, slot } of painters) {
          for (const shift of shifts) {
            for (let each = first; each < last; each += 1) {
              if (shapes[each * SHAPE_FIELDS + 1] !== slot) continue;
              if (loaded !== each || loadedShift !== shift) {
                isSeen = shape.load(batch, each, projection, frame, shift) && shape.isNear(frame, plan.reachPixels);
                loaded = each;
                loadedShift = shift;
              }
              if (!isSeen) continue;
              if (change !== undefined) {
                change(shape, frame);
                loaded = -1;
              }
              paint(shape, feature);
            }
          }
        }
      }
    }
    first = last;
  }
}
