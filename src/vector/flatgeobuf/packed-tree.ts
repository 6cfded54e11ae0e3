/** The packed R-tree of a FlatGeobuf file: boxes around groups of features, which are in spatial order. */
import type { Bounds } from '../../crs/bounds.ts';
import { type DataFile, readBytes } from '../support/data-file.ts';
import { createMalformedProblem } from '../support/file-problems.ts';

/** Four sides, and the position of a feature. */
export const NODE_BYTES = 40;

/** Nodes that are read together. */
const WINDOW_NODES = 4_096;

/** Nodes between two wanted groups are read as well if there are this few. */
const MAX_GAP_NODES = 100;

/** Returns the number of nodes per level, from the features up; a single feature also has a root above it. */
export function countLevelNodes(count: number, nodeSize: number): readonly number[] {
  const levels = [count];
  do levels.push(Math.ceil((levels.at(-1) ?? 1) / nodeSize));
  while (levels.at(-1) !== 1);
  return levels;
}

/** Features with their positions in the file, in file order. */
export interface FoundRows {
  readonly rows: readonly number[];
  readonly positions: readonly number[];
}

export interface TreeLayout {
  /** The position of the root. */
  readonly position: number;
  /** The number of nodes per level, from the features up. */
  readonly levels: readonly number[];
  readonly nodeSize: number;
}

/** The children of a node follow from its place, so that pointers of the file are never followed. */
export class PackedTree {
  readonly #file: DataFile;
  readonly #tree: TreeLayout;
  readonly #featuresAt: number;

  constructor(file: DataFile, tree: TreeLayout, featuresAt: number) {
    this.#file = file;
    this.#tree = tree;
    this.#featuresAt = featuresAt;
  }

  /** Yields the features whose boxes meet one of the boxes, in portions. */
  async *findMeeting(boxes: readonly Bounds[], signal: AbortSignal): AsyncGenerator<FoundRows> {
    yield* this.#descend(this.#tree.levels.length - 1, [0], boxes, signal);
  }

  /** Returns the positions of features; their numbers must exist. */
  async findPositions(rows: readonly number[]): Promise<FoundRows> {
    const positions: number[] = [];
    for (const range of joinRanges(rows.map((row) => ({ first: row, end: row + 1 })))) {
      const bytes = await this.#readNodes(0, range.first, range.end);
      for (const row of rows.slice(positions.length)) {
        if (row >= range.end) break;
        positions.push(this.#readPosition(bytes, row - range.first));
      }
    }
    return { rows, positions };
  }

  /** The box around all features; undefined if it is not valid. */
  async readBounds(): Promise<Bounds | undefined> {
    const bytes = await this.#readNodes(this.#tree.levels.length - 1, 0, 1);
    const [minX, minY, maxX, maxY] = [0, 8, 16, 24].map((at) => bytes.readDoubleLE(at)) as [
      number,
      number,
      number,
      number,
    ];
    const isValid = [minX, minY, maxX, maxY].every(Number.isFinite) && minX <= maxX && minY <= maxY;
    return isValid ? { minX, minY, maxX, maxY } : undefined;
  }

  async *#descend(
    level: number,
    nodes: readonly number[],
    boxes: readonly Bounds[],
    signal: AbortSignal,
  ): AsyncGenerator<FoundRows> {
    const { nodeSize, levels } = this.#tree;
    const below = level - 1;
    const most = Math.max(1, Math.floor(WINDOW_NODES / nodeSize));
    for (let at = 0; at < nodes.length; at += most) {
      signal.throwIfAborted();
      const groups = nodes.slice(at, at + most).map((node) => ({
        first: node * nodeSize,
        end: Math.min((node + 1) * nodeSize, levels[below] ?? 0),
      }));
      const found: { readonly rows: number[]; readonly positions: number[] } = { rows: [], positions: [] };
      const ranges = joinRanges(groups);
      this.#file.announce?.(ranges.map(({ first, end }) => this.#findRange(below, first, end)));
      let index = 0;
      for (const range of ranges) {
        const bytes = await this.#readNodes(below, range.first, range.end);
        for (; index < groups.length; index += 1) {
          const { first, end } = groups[index] ?? range;
          if (first >= range.end) break;
          for (let node = first; node < end; node += 1) {
            if (!isMeeting(bytes, (node - range.first) * NODE_BYTES, boxes)) continue;
            found.rows.push(node);
            if (below === 0) found.positions.push(this.#readPosition(bytes, node - range.first));
          }
        }
      }
      if (found.rows.length === 0) continue;
      if (below === 0) yield found;
      else yield* this.#descend(below, found.rows, boxes, signal);
    }
  }

  #findRange(level: number, first: number, end: number) {
    // The root is first and the features are last.
    const before = this.#tree.levels.slice(level + 1).reduce((sum, count) => sum + count, 0);
    return { position: this.#tree.position + (before + first) * NODE_BYTES, length: (end - first) * NODE_BYTES };
  }

  #readNodes(level: number, first: number, end: number): Promise<Buffer> {
    const { position, length } = this.#findRange(level, first, end);
    return readBytes(this.#file, position, length);
  }

  #readPosition(bytes: Buffer, index: number): number {
    const position = this.#featuresAt + Number(bytes.readBigUInt64LE(index * NODE_BYTES + 32));
    if (position < this.#file.sizeBytes) return position;
    throw createMalformedProblem(
      this.#file.name,
      this.#tree.position,
      'its index refers to bytes beyond the end of the file',
    );
  }
}

interface NodeRange {
  readonly first: number;
  readonly end: number;
}

/** Joins ascending ranges of nodes that are near each other. */
function joinRanges(ranges: readonly NodeRange[]): readonly NodeRange[] {
  const joined: { first: number; end: number }[] = [];
  for (const { first, end } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && first - last.end <= MAX_GAP_NODES) last.end = end;
    else joined.push({ first, end });
  }
  return joined;
}

function isMeeting(bytes: Buffer, at: number, boxes: readonly Bounds[]): boolean {
  const minX = bytes.readDoubleLE(at);
  const minY = bytes.readDoubleLE(at + 8);
  const maxX = bytes.readDoubleLE(at + 16);
  const maxY = bytes.readDoubleLE(at + 24);
  return boxes.some((box) => minX <= box.maxX && maxX >= box.minX && minY <= box.maxY && maxY >= box.minY);
}
