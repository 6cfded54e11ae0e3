/** Paints layers in a common order: buffers features until their level is painted. */
import { type FeatureBatch, releaseBatch } from '../../vector/port/packed-features.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import type { LevelRange } from './map-surface.ts';
import { type PreparedLayer, paintBatch } from './prepared-layer.ts';

interface BufferedBatch {
  readonly batch: FeatureBatch;
  /** The number of features of the layer before this batch. */
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

  /** Paints each group over all features of the level before the next group, and each layer before the next layer. */
  paint(level: readonly LevelRange[], shape: PixelShape): void {
    for (const { part, from, to } of level) {
      const [layer, held] = [this.layers[part], this.#buffered[part] ?? []];
      for (const group of layer?.groups ?? []) {
        for (const { batch, before } of held) {
          const range = { from: Math.max(0, from - before), to: Math.min(batch.count, to - before) };
          if (layer !== undefined && range.from < range.to) {
            paintBatch(batch, { ...layer, groups: [group] }, shape, range);
          }
        }
      }
      this.#releaseBatches(part, to);
    }
  }

  /** Releases the batches that are completely painted. */
  #releaseBatches(part: number, done: number): void {
    const held = this.#buffered[part] ?? [];
    while (held[0] !== undefined && held[0].before + held[0].batch.count <= done) {
      releaseBatch(held[0].batch);
      held.shift();
    }
  }
}
