/** Paints the features of layers into pictures that become one in the end. It knows nothing of where they come from. */
import { type Lengths, lengthsOf } from '../styling/legend/lengths.ts';
import type { Symbolizer } from '../styling/model.ts';
import { Coverage } from './coverage.ts';
import { type FeatureBatch, SHAPE_FIELDS } from './feature-batch.ts';
import { FeatureCursor } from './feature-cursor.ts';
import type { Frame } from './frame.ts';
import type { Pixels } from './map-request.ts';
import type { MapSurface, PaintedLayer, SurfaceSettings } from './map-surface.ts';
import { Ink, Picture } from './picture.ts';
import { PixelShape, type Projector } from './pixel-shape.ts';
import { PlainPainter } from './plain-painter.ts';
import { createProjector } from './projector.ts';
import { type CompiledGroup, type CompiledRule, collectRules, compileGroup } from './rule-choice.ts';
import { type PaintShape, plainPainting } from './symbolizer-painters.ts';

export class MapPainter implements MapSurface {
  readonly #settings: SurfaceSettings;
  readonly #picture: Picture;
  readonly #coverage: Coverage;
  readonly #shape = new PixelShape();
  #layer: StartedLayer | undefined;

  constructor(settings: SurfaceSettings) {
    const { frame, background } = settings;
    this.#settings = settings;
    this.#picture = new Picture(frame.width, frame.height);
    this.#coverage = new Coverage(frame.width, frame.height);
    if (background === undefined) return;
    this.#picture.fill(new Ink(background.red / 255, background.green / 255, background.blue / 255, 1));
  }

  async startLayer(layer: PaintedLayer): Promise<void> {
    this.#finishLayer();
    const { width, height } = this.#settings.frame;
    // What is painted first goes straight onto what is there already; groups above it are laid over it in the end.
    const pictures = layer.plan.groups.map((_, index) => (index === 0 ? this.#picture : new Picture(width, height)));
    const groups = layer.plan.groups.map((group, index) => {
      const painter = new PlainPainter(pictures[index] ?? this.#picture, this.#coverage);
      return compileGroup(group, (symbolizer) => plainPainting(symbolizer, this.#lengthsFor(symbolizer), painter));
    });
    const project = await createProjector(layer.from, layer.to);
    this.#layer = {
      ...layer,
      above: pictures.slice(1),
      groups,
      project,
      feature: new FeatureCursor(layer.plan.values),
    };
  }

  async paint(batch: FeatureBatch): Promise<void> {
    if (this.#layer !== undefined) paintBatch(batch, this.#layer, this.#settings.frame, this.#shape);
  }

  async lay(straight: Uint8Array): Promise<void> {
    this.#finishLayer();
    const picture = new Picture(this.#picture.width, this.#picture.height);
    picture.set(straight);
    this.#picture.lay(picture);
  }

  async finish(): Promise<Pixels> {
    this.#finishLayer();
    const { width, height } = this.#settings.frame;
    return { width, height, bytes: this.#picture.toStraight() };
  }

  close(): void {
    this.#layer = undefined;
  }

  #finishLayer(): void {
    for (const picture of this.#layer?.above ?? []) this.#picture.lay(picture);
    this.#layer = undefined;
  }

  #lengthsFor({ uom }: Symbolizer): Lengths {
    const { scaleDenominator, symbolFactor } = this.#settings;
    return { ...lengthsOf(uom, scaleDenominator), factor: symbolFactor };
  }
}

interface StartedLayer extends PaintedLayer {
  readonly above: readonly Picture[];
  readonly groups: readonly CompiledGroup<PaintShape>[];
  readonly project: Projector | undefined;
  readonly feature: FeatureCursor;
}

function paintBatch(batch: FeatureBatch, layer: StartedLayer, frame: Frame, shape: PixelShape): void {
  const { groups, project, shifts, feature, plan } = layer;
  const { shapes } = batch;
  const rules: CompiledRule<PaintShape>[] = [];
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
        for (const paint of painters) {
          for (const shift of shifts) {
            for (let each = first; each < last; each += 1) {
              if (loaded !== each || loadedShift !== shift) {
                isSeen = shape.load(batch, each, project, frame, shift) && shape.isNear(frame, plan.reachPixels);
                loaded = each;
                loadedShift = shift;
              }
              if (isSeen) paint(shape, feature);
            }
          }
        }
      }
    }
    first = last;
  }
}
