/** Creates a layer of a Mapbox Vector Tile, version 2, within limits for features and bytes. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import type { Feature } from '../../vector/port/port.ts';
import { coalesceFeatures } from './coalesce.ts';
import { type TileFeature, type TileLayer, TileLayerWriter } from './layer-writer.ts';
import { Thinning } from './thinning.ts';
import { SIMPLIFIED_UNITS, TileFrame } from './tile-geometry.ts';
import { listWorldCopies } from './world-copies.ts';

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
    const bounds = computeGeometryBounds(geometry);
    if (bounds === undefined) return;
    const { world, shifts } = this.#layer;
    const copies =
      world === undefined ? [geometry] : listWorldCopies(geometry, [bounds.minX, bounds.maxX], world, shifts);
    for (const copy of copies)
      this.#addCopy(id, values, copy, copy === geometry ? bounds : computeGeometryBounds(copy));
  }

  #addCopy(id: string, values: Feature['values'], geometry: Geometry, bounds: Bounds | undefined): void {
    const parts = this.#frame.projectGeometry(geometry);
    if (parts.length === 0 || bounds === undefined) return;
    const box = this.#frame.scaleBox(bounds);
    for (const placed of parts) this.#shown.add(id, box, { id, values, placed });
  }

  /** Returns the tile with this one layer; no bytes if it is empty. */
  finish(): Uint8Array {
    const shown = this.#shown.listItems();
    if (shown.length === 0) return new Uint8Array(0);
    const features = this.#coalesce(shown);
    const whole = this.#writeWhile(features, 0);
    if (whole.count === features.length) return whole.writer.finish(features);
    const simplified = features.every(isPoint) ? whole : this.#writeWhile(features, SIMPLIFIED_UNITS);
    if (simplified.count === features.length) return simplified.writer.finish(features);
    const reduced = new TileLayerWriter(this.#layer, SIMPLIFIED_UNITS);
    const { maxBytes } = this.#layer;
    const fitting = this.#shown.selectFitting(simplified.count, (each) => reduced.addWithin(each, maxBytes));
    return this.#layer.coalesces === true ? this.#writeCoalesced(fitting) : reduced.finish(fitting);
  }

  #coalesce(features: readonly TileFeature[]): readonly TileFeature[] {
    return this.#layer.coalesces === true ? coalesceFeatures(this.#layer, features) : features;
  }

  /** Merged features take less space than the features that fit. */
  #writeCoalesced(fitting: readonly TileFeature[]): Uint8Array {
    const merged = this.#coalesce(fitting);
    const writer = new TileLayerWriter(this.#layer, SIMPLIFIED_UNITS);
    return writer.finish(merged.filter((each) => writer.addWithin(each, this.#layer.maxBytes)));
  }

  /** Writes features until one does not fit; also returns their number. */
  #writeWhile(features: readonly TileFeature[], tolerance: number) {
    const writer = new TileLayerWriter(this.#layer, tolerance);
    const first = features.findIndex((each) => !writer.addWithin(each, this.#layer.maxBytes));
    return { writer, count: first < 0 ? features.length : first };
  }
}

function isPoint({ placed: { type } }: TileFeature): boolean {
  return type === 'point';
}
