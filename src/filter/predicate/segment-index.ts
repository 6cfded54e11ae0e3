/** The segments of a geometry in one array, with a tree of boxes for spatial lookup. */

import type { Geometry } from '../../geometry/geometry.ts';
import { computeHilbertIndex } from '../../lib/values/hilbert-curve.ts';

/** Numbers per segment: x and y of both ends. */
export const SEGMENT_SIZE = 4;

/** A geometry as segments; a point is a segment of zero length. */
export class Segments {
  values = new Float64Array(64);
  count = 0;
  /** The first segment of each point, line and ring. */
  readonly components: number[] = [];
  /** Start and end of the segments of each polygon, alternating. */
  readonly polygons: number[] = [];

  /** Replaces the content: successive rows reuse the same memory. */
  set(geometry: Geometry): this {
    this.count = 0;
    this.components.length = 0;
    this.polygons.length = 0;
    this.#add(geometry);
    return this;
  }

  #add(geometry: Geometry): void {
    const { type, ordinates, dimension, ends, parts } = geometry;
    for (const member of geometry.members ?? []) this.#add(member);
    const positions = ordinates.length / dimension.length;
    switch (type) {
      case 'Point':
      case 'MultiPoint':
        for (let position = 0; position < positions; position += 1) this.#addLine(geometry, position, position + 1);
        return;
      case 'LineString':
      case 'MultiLineString':
        for (let line = 0; line < ends.length; line += 1) this.#addLine(geometry, ends[line - 1] ?? 0, ends[line] ?? 0);
        return;
      case 'Polygon':
        this.#addPolygon(geometry, 0, ends.length);
        return;
      case 'MultiPolygon':
        for (let part = 0; part < parts.length; part += 1)
          this.#addPolygon(geometry, parts[part - 1] ?? 0, parts[part] ?? 0);
        return;
      case 'GeometryCollection':
    }
  }

  #addPolygon(geometry: Geometry, from: number, to: number): void {
    const start = this.count;
    for (let ring = from; ring < to; ring += 1) {
      this.#addLine(geometry, geometry.ends[ring - 1] ?? 0, geometry.ends[ring] ?? 0);
    }
    if (this.count > start) this.polygons.push(start, this.count);
  }

  #addLine({ ordinates, dimension }: Geometry, from: number, to: number): void {
    const size = dimension.length;
    const start = this.count;
    this.#reserve(to - from);
    const { values } = this;
    let at = start * SEGMENT_SIZE;
    let lastX = Number.NaN;
    let lastY = Number.NaN;
    for (let place = from * size; place < to * size; place += size) {
      const x = ordinates[place] ?? Number.NaN;
      const y = ordinates[place + 1] ?? Number.NaN;
      // Empty points are encoded with NaN.
      if (Number.isNaN(x)) continue;
      if (!Number.isNaN(lastX)) {
        values[at] = lastX;
        values[at + 1] = lastY;
        values[at + 2] = x;
        values[at + 3] = y;
        at += SEGMENT_SIZE;
      }
      lastX = x;
      lastY = y;
    }
    if (Number.isNaN(lastX)) return;
    if (at === start * SEGMENT_SIZE) {
      values[at] = lastX;
      values[at + 1] = lastY;
      values[at + 2] = lastX;
      values[at + 3] = lastY;
      at += SEGMENT_SIZE;
    }
    this.components.push(start);
    this.count = at / SEGMENT_SIZE;
  }

  #reserve(more: number): void {
    const needed = (this.count + Math.max(1, more)) * SEGMENT_SIZE;
    if (needed <= this.values.length) return;
    const larger = new Float64Array(Math.max(needed, this.values.length * 2));
    larger.set(this.values.subarray(0, this.count * SEGMENT_SIZE));
    this.values = larger;
  }
}

/** Children of a node of the tree. */
const NODE_SIZE = 16;

/** A static tree over segment boxes, packed in the order of a space-filling curve. */
export class SegmentIndex {
  /** The offset of each segment in the values, in leaf order. */
  readonly #places: Uint32Array;
  /** Boxes of four numbers, by level from the leaves to the root. */
  readonly #boxes: Float64Array;
  /** The first node of each level, followed by the total. */
  readonly #levels: readonly number[];

  constructor(values: Float64Array, from: number, to: number) {
    this.#places = sortByCurve(values, from, to);
    const levels = [0];
    for (let nodes = to - from; ; nodes = Math.ceil(nodes / NODE_SIZE)) {
      levels.push((levels.at(-1) ?? 0) + nodes);
      if (nodes <= 1) break;
    }
    this.#levels = levels;
    this.#boxes = new Float64Array((levels.at(-1) ?? 0) * 4);
    for (const [leaf, place] of this.#places.entries()) this.#setLeaf(leaf, values, place);
    for (let level = 1; level + 1 < levels.length; level += 1) {
      const [children, nodes, end] = [levels[level - 1] ?? 0, levels[level] ?? 0, levels[level + 1] ?? 0];
      for (let node = nodes; node < end; node += 1) {
        const first = children + (node - nodes) * NODE_SIZE;
        this.#setUnion(node, first, Math.min(first + NODE_SIZE, nodes));
      }
    }
  }

  /**
   * Whether the test holds for a segment whose box meets the given box. The test receives the offset of the segment.
   */
  some(minX: number, minY: number, maxX: number, maxY: number, test: (place: number) => boolean): boolean {
    const [boxes, levels] = [this.#boxes, this.#levels];
    const search = (level: number, from: number, to: number): boolean => {
      for (let node = from; node < to; node += 1) {
        const at = node * 4;
        if (
          (boxes[at] ?? 0) > maxX ||
          (boxes[at + 1] ?? 0) > maxY ||
          (boxes[at + 2] ?? 0) < minX ||
          (boxes[at + 3] ?? 0) < minY
        )
          continue;
        if (level === 0) {
          if (test(this.#places[node] ?? 0)) return true;
          continue;
        }
        const [children, end] = [levels[level - 1] ?? 0, levels[level] ?? 0];
        const first = children + (node - end) * NODE_SIZE;
        if (search(level - 1, first, Math.min(first + NODE_SIZE, end))) return true;
      }
      return false;
    };
    const top = levels.length - 2;
    return search(top, levels[top] ?? 0, levels[top + 1] ?? 0);
  }

  #setLeaf(leaf: number, values: Float64Array, place: number): void {
    const [ax = 0, ay = 0, bx = 0, by = 0] = values.subarray(place, place + SEGMENT_SIZE);
    this.#boxes.set([Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)], leaf * 4);
  }

  #setUnion(node: number, from: number, to: number): void {
    const boxes = this.#boxes;
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = from * 4; at < to * 4; at += 4) {
      minX = Math.min(minX, boxes[at] ?? 0);
      minY = Math.min(minY, boxes[at + 1] ?? 0);
      maxX = Math.max(maxX, boxes[at + 2] ?? 0);
      maxY = Math.max(maxY, boxes[at + 3] ?? 0);
    }
    boxes.set([minX, minY, maxX, maxY], node * 4);
  }
}

/** A few segments keep their order, because they fit into one node. */
function sortByCurve(values: Float64Array, from: number, to: number): Uint32Array {
  const places = Uint32Array.from({ length: to - from }, (_, index) => (from + index) * SEGMENT_SIZE);
  if (places.length <= NODE_SIZE) return places;
  const computeMiddle = (place: number, axis: number): number =>
    ((values[place + axis] ?? 0) + (values[place + axis + 2] ?? 0)) / 2;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const place of places) {
    const [x, y] = [computeMiddle(place, 0), computeMiddle(place, 1)];
    [minX, minY, maxX, maxY] = [Math.min(minX, x), Math.min(minY, y), Math.max(maxX, x), Math.max(maxY, y)];
  }
  const [width, height] = [maxX - minX || 1, maxY - minY || 1];
  const onCurve = new Float64Array(to);
  for (const place of places) {
    const key = computeHilbertIndex(
      (computeMiddle(place, 0) - minX) / width,
      (computeMiddle(place, 1) - minY) / height,
    );
    onCurve[place / SEGMENT_SIZE] = key;
  }
  return places.sort((one, other) => (onCurve[one / SEGMENT_SIZE] ?? 0) - (onCurve[other / SEGMENT_SIZE] ?? 0));
}
