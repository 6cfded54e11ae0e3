/** Finds the smallest ring around another without testing all of them. */
import { canContain, hasRingInside, type Ring, type RingPositions } from './rings.ts';

/** The step limit per shape: less than a tenth of a second, and sufficient for any real map. */
const MAX_STEPS = 20_000_000;

/** A ring over more columns is stored separately: such rings are few, or columns are useless. */
const MAX_COLUMNS_EACH = 8;
const MAX_COLUMNS = 1_024;

export interface RingIndex {
  /** Returns the smallest larger ring around a ring, or `guess` if the step limit is reached. */
  findSmallestAround(ring: Ring, guess: Ring | undefined): Ring | undefined;
}

export function createRingIndex(rings: readonly Ring[], positions: RingPositions): RingIndex {
  let minX = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  for (const ring of rings) {
    if (ring.minX < minX) minX = ring.minX;
    if (ring.maxX > maxX) maxX = ring.maxX;
  }
  const count = Math.min(MAX_COLUMNS, Math.ceil(Math.sqrt(rings.length)));
  const width = (maxX - minX) / count || 1;
  const getColumn = (x: number): number => Math.min(count - 1, Math.max(0, Math.floor((x - minX) / width)));
  const columns = Array.from({ length: count }, (): Ring[] => []);
  const wide: Ring[] = [];
  for (const ring of rings) {
    const first = getColumn(ring.minX);
    const last = getColumn(ring.maxX);
    if (last - first >= MAX_COLUMNS_EACH || Number.isNaN(first + last)) wide.push(ring);
    else for (let column = first; column <= last; column += 1) columns[column]?.push(ring);
  }
  let steps = MAX_STEPS;
  return {
    findSmallestAround: (ring, guess) => {
      if (steps <= 0) return guess;
      const ownArea = Math.abs(ring.signedArea);
      let best: Ring | undefined;
      let bestArea = Number.POSITIVE_INFINITY;
      for (const candidates of [wide, columns[getColumn(ring.minX)] ?? []]) {
        steps -= candidates.length;
        for (const outer of candidates) {
          const area = Math.abs(outer.signedArea);
          if (area >= bestArea || area <= ownArea || !canContain(outer, ring)) continue;
          steps -= outer.end - outer.start;
          if (!hasRingInside(outer, ring, positions)) continue;
          best = outer;
          bestArea = area;
        }
      }
      return best;
    },
  };
}
