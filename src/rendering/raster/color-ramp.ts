/** Colours between the quantities of a ramp. */
import type { BandWindow } from '../../raster/port/port.ts';

/** Each from 0 to 255. */
export type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

export interface ColorStop {
  readonly quantity: number;
  readonly rgba: Rgba;
}

/** The range of a ramp is divided into this many steps; most of them have one colour. */
const STEPS = 16_384;
/** Fewer samples than this are faster to compute than the table. */
const MIN_TABLE_SAMPLES = 32_768;
/** A step with several colours. */
const MIXED = -1;

/** Values beyond the first and last quantity have the colour of that quantity. */
export class ColorRamp {
  readonly #stops: readonly ColorStop[];
  readonly #quantities: Float64Array;

  /** Stops are in the order of their quantities. */
  constructor(stops: readonly ColorStop[]) {
    this.#stops = stops;
    this.#quantities = Float64Array.from(stops, ({ quantity }) => quantity);
  }

  /** Writes the pixels of samples with data. */
  paint({ samples, mask }: BandWindow, pixels: Uint32Array): void {
    const [first = 0] = this.#quantities;
    const scale = STEPS / ((this.#quantities.at(-1) ?? 0) - first);
    const hasTable = pixels.length >= MIN_TABLE_SAMPLES && scale > 0 && Number.isFinite(scale);
    const colors = hasTable ? this.#tabulate(first, scale) : new Float64Array();
    for (let at = 0; at < pixels.length; at += 1) {
      if (mask !== undefined && mask[at] === 0) continue;
      const value = Number(samples[at]);
      const color = colors[Math.floor((value - first) * scale)] ?? MIXED;
      pixels[at] = color === MIXED ? this.#find(value) : color;
    }
  }

  /** Channels change in one direction between two stops, so that a step with the same colour at both ends has no other. */
  #tabulate(first: number, scale: number): Float64Array {
    const colors = new Float64Array(STEPS);
    let upper = findFirstAbove(this.#quantities, first);
    let color = this.#find(first);
    for (let step = 0; step < STEPS; step += 1) {
      const end = first + (step + 1) / scale;
      const [nextUpper, nextColor] = [findFirstAbove(this.#quantities, end), this.#find(end)];
      colors[step] = upper === nextUpper && color === nextColor ? color : MIXED;
      upper = nextUpper;
      color = nextColor;
    }
    return colors;
  }

  #find(value: number): number {
    if (Number.isNaN(value)) return 0;
    const upper = findFirstAbove(this.#quantities, value);
    const from = this.#stops[upper - 1];
    const to = this.#stops[upper];
    if (from === undefined || to === undefined) return toPixel((from ?? to)?.rgba ?? TRANSPARENT);
    const share = (value - from.quantity) / (to.quantity - from.quantity);
    return packPixel(
      from.rgba[0] + (to.rgba[0] - from.rgba[0]) * share,
      from.rgba[1] + (to.rgba[1] - from.rgba[1]) * share,
      from.rgba[2] + (to.rgba[2] - from.rgba[2]) * share,
      from.rgba[3] + (to.rgba[3] - from.rgba[3]) * share,
    );
  }
}

const TRANSPARENT: Rgba = [0, 0, 0, 0];

export function toPixel([red, green, blue, opacity]: Rgba): number {
  return packPixel(red, green, blue, opacity);
}

/** The pixels of an image are little-endian: red is the lowest byte. */
function packPixel(red: number, green: number, blue: number, opacity: number): number {
  return (
    (((opacity + 0.5) << 24) | (((blue + 0.5) & 0xff) << 16) | (((green + 0.5) & 0xff) << 8) | ((red + 0.5) & 0xff)) >>>
    0
  );
}

/** Returns the index of the first quantity greater than the value; the number of quantities if none is greater. */
export function findFirstAbove(quantities: Float64Array, value: number): number {
  let [low, high] = [0, quantities.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((quantities[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
