/** Layers that are painted in one order: features are held until it is their turn. */
import { type FeatureBatch, releaseBatch } from '../data/vector/packed-features.ts';
import type { Frame } from './frame.ts';
import type { LevelRange } from './map-surface.ts';
import type { PixelShape } from './pixel-shape.ts';
import { paintBatch, type StartedLayer } from './started-layer.ts';

interface HeldBatch {
  readonly batch: FeatureBatch;
  /** How many features of its layer came before it. */
  readonly before: number;
}

export class OrderedPainting {
  readonly layers: readonly StartedLayer[];
  readonly #held: HeldBatch[][];
  readonly #counts: number[];

  constructor(layers: readonly StartedLayer[]) {
    this.layers = layers;
    this.#held = layers.map(() => []);
    this.#counts = layers.map(() => 0);
  }

  hold(part: number, batch: FeatureBatch): void {
    const before = this.#counts[part] ?? 0;
    this.#held[part]?.push({ batch, before });
    this.#counts[part] = before + batch.count;
  }

  /** Each group over all features of the level before the next, and each layer before the next. */
  paint(level: readonly LevelRange[], frame: Frame, shape: PixelShape): void {
    for (const { part, from, to } of level) {
      const [layer, held] = [this.layers[part], this.#held[part] ?? []];
      for (const group of layer?.groups ?? []) {
        for (const { batch, before } of held) {
          const range = { from: Math.max(0, from - before), to: Math.min(batch.count, to - before) };
          if (layer !== undefined && range.from < range.to) {
            paintBatch(batch, { ...layer, groups: [group] }, frame, shape, range);
          }
        }
      }
      this.#letGo(part, to);
    }
  }

  /** Of what is painted whole. */
  #letGo(part: number, done: number): void {
    const held = this.#held[part] ?? [];
    while (held[0] !== undefined && held[0].before + held[0].batch.count <= done) {
      releaseBatch(held[0].batch);
      held.shift();
    }
  }
}
