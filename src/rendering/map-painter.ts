/** Paints the features of layers, batch by batch, into pictures that become one in the end. It knows nothing of where they come from. */
import type { Lengths } from '../styling/legend/lengths.ts';
import type { Symbolizer } from '../styling/model.ts';
import { Coverage } from './coverage.ts';
import { type FeatureBatch, SHAPE_FIELDS } from './feature-batch.ts';
import { FeatureCursor } from './feature-cursor.ts';
import type { Frame } from './frame.ts';
import type { Pixels } from './map-request.ts';
import { type Ink, Picture } from './picture.ts';
import { PixelShape, type Projector } from './pixel-shape.ts';
import { PlainPainter } from './plain-painter.ts';
import { type CompiledGroup, type CompiledRule, collectRules, compileGroup } from './rule-choice.ts';
import type { StylePlan } from './style-plan.ts';
import { type PaintShape, plainPainting } from './symbolizer-painters.ts';

export interface PaintedLayer extends StylePlan {
  /** From the system of the features to that of the map; absent where they are the same. */
  readonly project?: Projector | undefined;
  /** How far features are moved to the right, in units of the map: once for each time that the Earth is seen. */
  readonly shifts: readonly number[];
}

export class MapPainter {
  readonly #frame: Frame;
  readonly #picture: Picture;
  readonly #coverage: Coverage;
  readonly #lengthsFor: (symbolizer: Pick<Symbolizer, 'uom'>) => Lengths;
  readonly #shape = new PixelShape();

  constructor(frame: Frame, background: Ink | undefined, lengthsFor: (symbolizer: Pick<Symbolizer, 'uom'>) => Lengths) {
    this.#frame = frame;
    this.#picture = new Picture(frame.width, frame.height);
    this.#coverage = new Coverage(frame.width, frame.height);
    this.#lengthsFor = lengthsFor;
    if (background !== undefined) this.#picture.fill(background);
  }

  startLayer(layer: PaintedLayer): LayerPainter {
    // What is painted first goes straight onto what is there already; groups above it are laid over it in the end.
    const pictures = layer.groups.map((_, index) =>
      index === 0 ? this.#picture : new Picture(this.#frame.width, this.#frame.height),
    );
    const groups = layer.groups.map((group, index) =>
      compileGroup(group, (symbolizer) =>
        plainPainting(
          symbolizer,
          this.#lengthsFor(symbolizer),
          new PlainPainter(pictures[index] ?? this.#picture, this.#coverage),
        ),
      ),
    );
    const paintBatch = createBatchPainter(this.#frame, this.#shape, layer, groups);
    return {
      paint: paintBatch,
      finish: () => {
        for (const picture of pictures.slice(1)) this.#picture.lay(picture);
      },
    };
  }

  /** Lays a picture of the size of the map over what is there, colours as they are. */
  lay(straight: Uint8Array): void {
    const picture = new Picture(this.#frame.width, this.#frame.height);
    picture.set(straight);
    this.#picture.lay(picture);
  }

  finish(): Pixels {
    const { width, height } = this.#frame;
    return { width, height, bytes: this.#picture.toStraight() };
  }
}

export interface LayerPainter {
  paint(batch: FeatureBatch): void;
  /** Once there are no more features. */
  finish(): void;
}

function createBatchPainter(
  frame: Frame,
  shape: PixelShape,
  { values, project, shifts, reachPixels }: PaintedLayer,
  groups: readonly CompiledGroup<PaintShape>[],
): (batch: FeatureBatch) => void {
  const feature = new FeatureCursor(values);
  const rules: CompiledRule<PaintShape>[] = [];

  return (batch) => {
    const { shapes } = batch;
    const count = shapes.length / SHAPE_FIELDS;
    let first = 0;
    while (first < count) {
      const index = shapes[first * SHAPE_FIELDS] ?? 0;
      let last = first + 1;
      while (last < count && shapes[last * SHAPE_FIELDS] === index) last += 1;
      feature.moveTo(batch, index);
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
                  isSeen = shape.load(batch, each, project, frame, shift) && shape.isNear(frame, reachPixels);
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
  };
}
