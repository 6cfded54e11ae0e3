/** Reduces pictures to fewer colours. Millions of pixels are slow: call these functions in a worker thread. */
import type { Color, Pixels } from '../request/map-request.ts';

/** The web-safe palette: six levels of each channel. */
const SAFE_STEPS = [0, 51, 102, 153, 204, 255];

const palettes: ReadonlyMap<string, readonly Color[]> = new Map([
  [
    'safe',
    SAFE_STEPS.flatMap((red) => SAFE_STEPS.flatMap((green) => SAFE_STEPS.map((blue) => ({ red, green, blue })))),
  ],
]);

export const paletteNames: readonly string[] = [...palettes.keys()];

/** Returns undefined for an unknown name. */
export function findPalette(name: string): readonly Color[] | undefined {
  return palettes.get(name.trim().toLowerCase());
}

/** Maps each pixel to the nearest colour, with an opacity of 0 or 255. */
export function applyPalette(palette: readonly Color[], bytes: Pixels['bytes']): Uint8Array {
  const found = new Map<number, Color>();
  const painted = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 4) {
    if ((bytes[at + 3] ?? 0) < 128) continue;
    const [red, green, blue] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
    const key = (red << 16) | (green << 8) | blue;
    const color = found.get(key) ?? findNearestColor(palette, red, green, blue);
    found.set(key, color);
    painted.set([color.red, color.green, color.blue, 255], at);
  }
  return painted;
}

function findNearestColor(palette: readonly Color[], red: number, green: number, blue: number): Color {
  const measureDistance = (color: Color) =>
    (color.red - red) ** 2 + (color.green - green) ** 2 + (color.blue - blue) ** 2;
  return palette.reduce((best, each) => (measureDistance(each) < measureDistance(best) ? each : best));
}

/** Makes each pixel of a picture with straight colours opaque or transparent. */
export function makeOpacityBinary(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 4) {
    if ((bytes[at + 3] ?? 0) >= 128) bytes[at + 3] = 255;
    else bytes.fill(0, at, at + 4);
  }
}

/**
 * Removes the soft edges of a picture with premultiplied colours: pixels get the highest opacity of the picture, or
 * none if they have less than half of it.
 */
export function sharpenEdges(bytes: Uint8Array): void {
  let highest = 0;
  for (let at = 3; at < bytes.length; at += 4) highest = Math.max(highest, bytes[at] ?? 0);
  for (let at = 0; at < bytes.length; at += 4) {
    const opacity = bytes[at + 3] ?? 0;
    if (opacity === 0) continue;
    const factor = opacity * 2 >= highest ? highest / opacity : 0;
    for (let channel = 0; channel < 4; channel += 1) bytes[at + channel] = (bytes[at + channel] ?? 0) * factor + 0.5;
  }
}
