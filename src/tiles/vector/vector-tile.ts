/** Creates a layer of a Mapbox Vector Tile, version 2, within limits for features and bytes. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { Feature } from '../../vector/port/port.ts';
import { type TileFeature, type TileLayer, TileLayerWriter } from './layer-writer.ts';
import { Thinning } from './thinning.ts';
import { SIMPLIFIED_UNITS, TileFrame } from './tile-geometry.ts';

export class VectorTileLayer {
  readonly #layer: TileLayer;
  readonly #geometry: number;
  readonly #frame: TileFrame;
  readonly #shown: Thinning<TileFeature>;

  /** `bounds` is in the CRS of the features. */
  constructor(layer: TileLayer) {
    this.#layer = layer;
    this.#geometry = layer.attributes.findIndex((each) => each.name === layer.geometry);
    this.#frame = new TileFrame(layer.bounds);
    this.#shown = new Thinning(layer.limit);
  }

  add({ id, values }: Feature): void {
    const geometry = values[this.#geometry] as Geometry | null | undefined;
    if (geometry === null || geometry === undefined) return;
    const parts = this.#frame.projectGeometry(geometry);
    if (parts.length === 0) return;
    const box = this.#frame.computeBox(geometry);
    for (const placed of parts) this.#shown.add(id, box, { id, values, placed });
  }

  /** Returns the tile with this one layer; no bytes if it is empty. */
  finish(): Uint8Array {
    const features = this.#shown.listItems();
    if (features.length === 0) return new Uint8Array(0);
    const { maxBytes } = this.#layer;
    let whole = this.#write(features, 0);
    if (whole.byteLength > maxBytes) whole = this.#write(features, SIMPLIFIED_UNITS);
    if (whole.byteLength <= maxBytes) return whole.finish(features);
    const reduced = new TileLayerWriter(this.#layer, SIMPLIFIED_UNITS);
    const estimate = (maxBytes / whole.byteLength) * features.length;
    const fitting = this.#shown.selectFitting(estimate, (each) => reduced.addWithin(each, maxBytes));
    return reduced.finish(fitting);
  }

  #write(features: readonly TileFeature[], tolerance: number): TileLayerWriter {
    const writer = new TileLayerWriter(this.#layer, tolerance);
    for (const each of features) writer.addWithin(each, Number.POSITIVE_INFINITY);
    return writer;
  }
}
