/** A picture that shapes are painted into: premultiplied red, green, blue and opacity of each pixel. */

/** A colour with channels from 0 to 1, and the values derived from it. */
export class Ink {
  readonly opacity: number;
  /** The opacity as a byte. */
  readonly alpha: number;
  /** A fully covered pixel. */
  readonly pixel: number;

  constructor(red: number, green: number, blue: number, opacity: number) {
    this.opacity = opacity;
    this.alpha = Math.round(opacity * 255);
    const bytes = Uint8Array.from([red, green, blue], (part) => Math.round(part * opacity * 255));
    const whole = Uint8Array.of(...bytes, this.alpha);
    this.pixel = new Int32Array(whole.buffer)[0] ?? 0;
  }
}

export class Picture {
  readonly width: number;
  readonly height: number;
  /** Four bytes per pixel, row by row. */
  readonly bytes: Uint8Array;
  /** The same memory, one element per pixel. */
  readonly pixels: Int32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.bytes = new Uint8Array(width * height * 4);
    this.pixels = new Int32Array(this.bytes.buffer);
  }

  /** Composites the premultiplied pixels of a picture of the same size over this one. */
  overlay(over: Uint8Array): void {
    const under = this.bytes;
    for (let at = 0; at < over.length; at += 4) {
      const opacity = over[at + 3] ?? 0;
      if (opacity === 0) continue;
      const kept = 1 - opacity / 255;
      for (let channel = at; channel < at + 4; channel += 1) {
        under[channel] = (over[channel] ?? 0) + (under[channel] ?? 0) * kept + 0.5;
      }
    }
  }

  /** Composites the straight pixels of a picture of the same size over this one. */
  overlayStraight(straight: Uint8Array): void {
    const { bytes: under, pixels } = this;
    const over = straight.byteOffset % 4 === 0 ? straight : straight.slice();
    const whole = new Int32Array(over.buffer, over.byteOffset, over.length / 4);
    for (let at = 0, pixel = 0; at < over.length; at += 4, pixel += 1) {
      const opacity = over[at + 3] ?? 0;
      if (opacity === 0) continue;
      if (opacity === 255) {
        pixels[pixel] = whole[pixel] ?? 0;
        continue;
      }
      const share = opacity / 255;
      for (let channel = at; channel < at + 3; channel += 1) {
        const premultiplied = ((over[channel] ?? 0) * share + 0.5) & 0xff;
        under[channel] = premultiplied + (under[channel] ?? 0) * (1 - share) + 0.5;
      }
      under[at + 3] = opacity + (under[at + 3] ?? 0) * (1 - share) + 0.5;
    }
  }

  fill({ pixel }: Ink): void {
    this.pixels.fill(pixel);
  }

  /** Paints an opaque colour below all pixels. */
  fillBelow({ pixel }: Ink): void {
    const { bytes, pixels } = this;
    const color = new Uint8Array(Int32Array.of(pixel).buffer);
    for (let at = 3, index = 0; at < bytes.length; at += 4, index += 1) {
      const opacity = bytes[at] ?? 0;
      if (opacity === 255) continue;
      if (opacity === 0) {
        pixels[index] = pixel;
        continue;
      }
      const share = 1 - opacity / 255;
      for (let part = 0; part < 4; part += 1) {
        const channel = at - 3 + part;
        bytes[channel] = (bytes[channel] ?? 0) + (color[part] ?? 0) * share + 0.5;
      }
    }
  }

  /** Replaces the content by the straight pixels of a picture of the same size. */
  set(straight: Uint8Array): void {
    const { bytes } = this;
    bytes.set(straight);
    for (let at = 0; at < bytes.length; at += 4) {
      const opacity = bytes[at + 3] ?? 0;
      if (opacity === 255) continue;
      for (let channel = at; channel < at + 3; channel += 1) {
        bytes[channel] = ((bytes[channel] ?? 0) * opacity) / 255 + 0.5;
      }
    }
  }

  /** Returns a copy with straight colours, for encoders. */
  toStraight(): Uint8Array {
    return toStraight(this.bytes);
  }
}

/** Returns a copy of premultiplied pixels with straight colours. */
export function toStraight(premultiplied: Uint8Array): Uint8Array<ArrayBuffer> {
  const straight = new Uint8Array(premultiplied);
  for (let at = 0; at < straight.length; at += 4) {
    const opacity = straight[at + 3] ?? 0;
    if (opacity === 255 || opacity === 0) continue;
    for (let channel = at; channel < at + 3; channel += 1) {
      straight[channel] = Math.min(255, ((straight[channel] ?? 0) * 255) / opacity + 0.5);
    }
  }
  return straight;
}
