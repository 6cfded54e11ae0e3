/** Layers that are painted in one order: features are held until it is their turn. */
import { type FeatureBatch, releaseBatch } from '../../vector/port/packed-features.ts';
import type { Frame } from '../shapes/frame.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import type { LevelRange } from './map-surface.ts';
import { type PreparedLayer, paintBatch } from './prepared-layer.ts';

interface BufferedBatch {
  readonly batch: FeatureBatch;
  /** How many features of its layer came before it. */
  readonly before: number;
}

export class OrderedPainting {
  readonly layers: readonly PreparedLayer[];
  readonly #buffered: BufferedBatch[][];
  readonly #counts: number[];

  constructor(layers: readonly PreparedLayer[]) {
    this.layers = layers;
    this.#buffered = layers.map(() => []);
    this.#counts = layers.map(() => 0);
  }

  bufferBatch(part: number, batch: FeatureBatch): void {
    const before = this.#counts[part] ?? 0;
    this.#buffered[part]?.push({ batch, before });
    this.#counts[part] = before + batch.count;
  }

  /** Each group over all features of the level before the next, and each layer before the next. */
  paint(level: readonly LevelRange[], frame: Frame, shape: PixelShape): void {
    for (const { part, from, to } of level) {
      const [layer, held] = [this.layers[part], this.#buffered[part] ?? []];
      for (const group of layer?.groups ?? []) {
        for (const { batch, before } of held) {
          const range = { from: Math.max(0, from - before), to: Math.min(batch.count, to - before) };
          if (layer !== undefined && range.from < range.to) {
            paintBatch(batch, { ...layer, groups: [group] }, frame, shape, range);
          }
        }
      }
      this.#releaseBatches(part, to);
    }
  }

  /** Of what is painted whole. */
  #releaseBatches(part: number, done: number): void {
    const held = this.#buffered[part] ?? [];
    while (held[0] !== undefined && held[0].before + held[0].batch.count <= done) {
      releaseBatch(held[0].batch);
      held.shift();
    }
  }
}
