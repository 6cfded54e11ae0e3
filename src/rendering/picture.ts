/** A picture that shapes are painted into: red, green, blue and opacity of each pixel, the colours times the opacity. */

/** A colour to paint with, each part from 0 to 1, and what is worked out of it once. */
export class Ink {
  /** As bytes, times the opacity. */
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly opacity: number;
  /** A whole pixel of it. */
  readonly pixel: number;

  constructor(red: number, green: number, blue: number, opacity: number) {
    this.red = red * opacity * 255;
    this.green = green * opacity * 255;
    this.blue = blue * opacity * 255;
    this.opacity = opacity;
    const bytes = Uint8Array.of(this.red + 0.5, this.green + 0.5, this.blue + 0.5, opacity * 255 + 0.5);
    this.pixel = new Uint32Array(bytes.buffer)[0] ?? 0;
  }
}

export class Picture {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel, row by row. */
  readonly bytes: Uint8Array;
  /** The same, a pixel at a time. */
  readonly #pixels: Uint32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.bytes = new Uint8Array(width * height * 4);
    this.#pixels = new Uint32Array(this.bytes.buffer);
  }

  /** Paints a stretch of a row, from `start` to before `end`, that is covered to that share. */
  paint(row: number, start: number, end: number, coverage: number, ink: Ink): void {
    const share = coverage * ink.opacity;
    if (share > OPAQUE) {
      const last = row * this.width + end;
      for (let at = row * this.width + start; at < last; at += 1) this.#pixels[at] = ink.pixel;
      return;
    }
    const { bytes } = this;
    const kept = 1 - share;
    const red = ink.red * coverage + 0.5;
    const green = ink.green * coverage + 0.5;
    const blue = ink.blue * coverage + 0.5;
    const opacity = share * 255 + 0.5;
    const last = (row * this.width + end) * 4;
    for (let at = (row * this.width + start) * 4; at < last; at += 4) {
      bytes[at] = red + (bytes[at] ?? 0) * kept;
      bytes[at + 1] = green + (bytes[at + 1] ?? 0) * kept;
      bytes[at + 2] = blue + (bytes[at + 2] ?? 0) * kept;
      bytes[at + 3] = opacity + (bytes[at + 3] ?? 0) * kept;
    }
  }

  /** Lays the pixels of another picture of the same size over it, whose colours are times their opacity too. */
  lay(over: Uint8Array): void {
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

  fill({ pixel }: Ink): void {
    this.#pixels.fill(pixel);
  }

  /** Takes the colours of a picture of the same size that are not times the opacity. */
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

  /** As encoders want it: the colours as they are, whatever the opacity. */
  toStraight(): Uint8Array {
    const straight = Uint8Array.from(this.bytes);
    for (let at = 0; at < straight.length; at += 4) {
      const opacity = straight[at + 3] ?? 0;
      if (opacity === 255 || opacity === 0) continue;
      for (let channel = at; channel < at + 3; channel += 1) {
        straight[channel] = Math.min(255, ((straight[channel] ?? 0) * 255) / opacity + 0.5);
      }
    }
    return straight;
  }
}

/** What is more opaque than this has the same bytes as what is opaque. */
const OPAQUE = 1 - 1 / 512;
