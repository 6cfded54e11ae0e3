/** Converts the outlines of glyphs from path data to straight rings, which our own rasterizer fills. */

/** The rings of a glyph: alternating x and y, each closed without a repeated position. */
export type GlyphRings = readonly Float64Array[];

/** A curve has at most this number of segments; more are not visible. */
const MAX_SEGMENTS = 64;

const steps = /([MLQCZ])([^MLQCZ]*)/g;

/** Supports the commands that the library writes: M, L, Q, C and Z, with absolute positions. */
export function parseGlyphRings(data: string, tolerance: number): GlyphRings {
  const rings: Float64Array[] = [];
  let ring: number[] = [];
  const finish = (): void => {
    if (ring.length > 2 && ring.at(-2) === ring[0] && ring.at(-1) === ring[1]) ring.length -= 2;
    if (ring.length >= 6) rings.push(Float64Array.from(ring));
    ring = [];
  };
  for (const [, command = '', written = ''] of data.matchAll(steps)) {
    const numbers = written.split(/[\s,]+/).map(Number);
    if (command === 'Z' || command === 'M') finish();
    if (command === 'M' || command === 'L') addCorner(ring, numbers[0] ?? 0, numbers[1] ?? 0);
    if (command === 'Q' || command === 'C') addCurve(ring, numbers, tolerance);
  }
  finish();
  return rings;
}

/** Repeated positions have no direction. */
function addCorner(ring: number[], x: number, y: number): void {
  if (ring.at(-2) !== x || ring.at(-1) !== y) ring.push(x, y);
}

function addCurve(ring: number[], written: readonly number[], tolerance: number): void {
  const [x0, y0] = [ring.at(-2) ?? 0, ring.at(-1) ?? 0];
  const isQuadratic = written.length < 6;
  const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0] = written;
  const [x1, y1] = isQuadratic ? [x0 + (2 / 3) * (ax - x0), y0 + (2 / 3) * (ay - y0)] : [ax, ay];
  const [x2, y2] = isQuadratic ? [bx + (2 / 3) * (ax - bx), by + (2 / 3) * (ay - by)] : [bx, by];
  const [x3, y3] = isQuadratic ? [bx, by] : [cx, cy];
  const bend = Math.max(Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3));
  // The distance of a cubic curve from its chord is at most three quarters of this difference.
  const segments = Math.min(MAX_SEGMENTS, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))));
  for (let segment = 1; segment <= segments; segment += 1) {
    const t = segment / segments;
    const u = 1 - t;
    const [w0, w1, w2, w3] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    addCorner(ring, w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3, w0 * y0 + w1 * y1 + w2 * y2 + w3 * y3);
  }
}
