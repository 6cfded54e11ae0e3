/** Clips a map to an area. Only the background is visible outside. */

import type { Frame } from '../shapes/frame.ts';
import { computeRingArea } from '../shapes/offset-line.ts';
import type { Picture } from './picture.ts';
import { ScanlineRasterizer } from './scanline-rasterizer.ts';

/** Polygons in map coordinates, with alternating x and y: the outer ring first, then the holes. */
export type ClipArea = readonly (readonly Float64Array[])[];

/** Makes the pixels outside of the area transparent, and pixels on its edge partly transparent. */
export function clipPicture(area: ClipArea, frame: Frame, { bytes }: Picture): void {
  const { width, height } = frame;
  const coverage = new ScanlineRasterizer(width, height);
  for (const polygon of area) {
    for (const [index, ring] of polygon.entries()) addRing(coverage, toPixelRing(ring, frame), index === 0);
  }
  const kept = new Float32Array(width * height);
  coverage.sweep((row, start, end, covered) => kept.fill(covered, row * width + start, row * width + end));
  for (let pixel = 0; pixel < kept.length; pixel += 1) {
    const share = kept[pixel] ?? 0;
    if (share === 1) continue;
    for (let at = pixel * 4; at < pixel * 4 + 4; at += 1) bytes[at] = (bytes[at] ?? 0) * share + 0.5;
  }
}

/** Returns whether a pixel position is inside the area. */
export function isWithinArea(area: ClipArea, frame: Frame, x: number, y: number): boolean {
  return area.some((polygon) => polygon.filter((ring) => isInRing(toPixelRing(ring, frame), x, y)).length % 2 === 1);
}

function toPixelRing(ring: Float64Array, { xx, xy, x0, yx, yy, y0 }: Frame): Float64Array {
  const places = new Float64Array(ring.length);
  for (let at = 0; at < ring.length; at += 2) {
    const [x, y] = [ring[at] ?? 0, ring[at + 1] ?? 0];
    places[at] = xx * x + xy * y + x0;
    places[at + 1] = yx * x + yy * y + y0;
  }
  return places;
}

/** Adds outer rings in one direction and holes in the other, independent of their orientation in the data. */
function addRing(coverage: ScanlineRasterizer, places: Float64Array, isOuter: boolean): void {
  const isTurned = computeRingArea(places, 0, places.length) > 0 !== isOuter;
  for (let at = 0; at < places.length; at += 2) {
    const next = (at + 2) % places.length;
    const edge = [places[at] ?? 0, places[at + 1] ?? 0, places[next] ?? 0, places[next + 1] ?? 0] as const;
    if (isTurned) coverage.addEdge(edge[2], edge[3], edge[0], edge[1]);
    else coverage.addEdge(...edge);
  }
}

function isInRing(places: Float64Array, x: number, y: number): boolean {
  let isIn = false;
  for (let at = 0; at < places.length; at += 2) {
    const next = (at + 2) % places.length;
    const [x1, y1] = [places[at] ?? 0, places[at + 1] ?? 0];
    const [x2, y2] = [places[next] ?? 0, places[next + 1] ?? 0];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isIn = !isIn;
  }
  return isIn;
}
