/**
 * Labels across the edge between two blocks of tiles. Both blocks must draw them, although each is drawn without the
 * other. So these labels depend only on data that both blocks read: on features near the edge, at positions that do not
 * depend on the block. Such a label yields to every label of higher priority that could overlap it, drawn or not.
 */
import type { Bounds } from '../../crs/bounds.ts';
import type { Frame } from '../shapes/frame.ts';

/** The sides of a picture where adjacent tiles continue it. */
export interface AdjacentTiles {
  readonly left: boolean;
  readonly top: boolean;
  readonly right: boolean;
  readonly bottom: boolean;
}

/** Larger shapes are labelled in each block, on their visible part. At the size of pixels of 0.28 mm. */
const MAX_SHAPE_PIXELS = 256;

/** Longer labels stay inside their block. */
const MAX_LABEL_PIXELS = 192;

/**
 * The distance from a block in which features are read: such a label crosses the edge, another label overlaps it, and
 * the feature of that one is at most a label away.
 */
const MARGIN_PIXELS = 2 * MAX_LABEL_PIXELS;

/** Returns the distance from a block of tiles in which labels of features matter. */
export function getLabelMargin(symbolFactor: number): number {
  return MARGIN_PIXELS * symbolFactor;
}

/** Returns whether a shape is labelled at the same position in all blocks. */
export function isSmallShape({ minX, minY, maxX, maxY }: Bounds, symbolFactor: number): boolean {
  const limit = MAX_SHAPE_PIXELS * symbolFactor;
  return maxX - minX <= limit && maxY - minY <= limit;
}

/** Returns the area in which small shapes are complete. */
export function widenForSmallShapes({ minX, minY, maxX, maxY }: Bounds, symbolFactor: number): Bounds {
  const margin = (MARGIN_PIXELS + MAX_SHAPE_PIXELS) * symbolFactor;
  return { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin };
}

/** A label at the best of its positions. */
export interface SharedCandidate {
  readonly text: string;
  readonly priority: number;
  readonly boxes: readonly Bounds[];
  /** Around all boxes. */
  readonly bounds: Bounds;
  /** Whether it yields to others, and others to it. */
  readonly isAlone: boolean;
  readonly spaceAround: number;
  /** The least distance from labels of the same text. */
  readonly minGroupDistance: number;
}

export function isShort({ minX, minY, maxX, maxY }: Bounds, symbolFactor: number): boolean {
  const limit = MAX_LABEL_PIXELS * symbolFactor;
  return maxX - minX <= limit && maxY - minY <= limit;
}

/** Returns whether the label is partly inside the picture and partly in adjacent tiles. */
export function crossesTileEdge(
  { minX, minY, maxX, maxY }: Bounds,
  { width, height }: Pick<Frame, 'width' | 'height'>,
  adjacent: AdjacentTiles,
): boolean {
  const isVisible = maxX > 0 && minX < width && maxY > 0 && minY < height;
  const [left, top, right, bottom] = [minX < 0, minY < 0, maxX > width, maxY > height];
  const isCut =
    (left && !adjacent.left) || (top && !adjacent.top) || (right && !adjacent.right) || (bottom && !adjacent.bottom);
  return isVisible && !isCut && (left || top || right || bottom);
}

/** Returns whether the block decides about the label: exactly one of all blocks does. */
export function isCentredInside(
  { minX, minY, maxX, maxY }: Bounds,
  { width, height }: Pick<Frame, 'width' | 'height'>,
): boolean {
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  return x >= 0 && x < width && y >= 0 && y < height;
}

/** Selects the labels across edges that are drawn. */
export function selectCrossing<C extends SharedCandidate>(
  crossing: readonly C[],
  candidates: readonly C[],
): readonly C[] {
  return crossing.filter(
    (label) => !candidates.some((other) => other !== label && isBefore(other, label) && areInConflict(label, other)),
  );
}

/** A fraction of a pixel, below which positions in two blocks may differ by rounding. */
const ROUNDING = 1e-6;

/** The order of two labels is the same in all blocks: by priority, then by position, then by text. */
function isBefore(one: SharedCandidate, other: SharedCandidate): boolean {
  if (one.priority !== other.priority) return one.priority > other.priority;
  const down = one.bounds.minY - other.bounds.minY;
  if (Math.abs(down) > ROUNDING) return down < 0;
  const across = one.bounds.minX - other.bounds.minX;
  return Math.abs(across) > ROUNDING ? across < 0 : one.text < other.text;
}

function areInConflict(label: SharedCandidate, other: SharedCandidate): boolean {
  const { minGroupDistance: distance } = label;
  if (distance > 0 && label.text === other.text && areNear(label, other, distance)) return true;
  return label.isAlone && other.isAlone && areNear(label, other, label.spaceAround);
}

function areNear(one: SharedCandidate, other: SharedCandidate, distance: number): boolean {
  if (!areBoxesNear(one.bounds, other.bounds, distance)) return false;
  return one.boxes.some((box) => other.boxes.some((each) => areBoxesNear(box, each, distance)));
}

function areBoxesNear(one: Bounds, other: Bounds, distance: number): boolean {
  return (
    one.minX - distance < other.maxX &&
    one.maxX + distance > other.minX &&
    one.minY - distance < other.maxY &&
    one.maxY + distance > other.minY
  );
}
