/** Limits the size of features, because small chained data can multiply at every level. */
import { problem } from '../../../lib/problems/problem.ts';
import type { ComplexProperty } from '../../port/complex-feature.ts';

/** Properties of one feature including chained features, counted at each occurrence. */
export const MAX_PROPERTIES = 1_000_000;

/** Properties in memory at a time; shared chained features count once. */
const MAX_HELD = 1_000_000;

/** Rows of one feature, which is built at once. */
export const MAX_ROWS = 20_000;

/** Table lookups for features that are built together; each link on each level counts as one. */
const MAX_LOOKUPS = 10_000;

/** Thrown if a batch exceeds the memory limit; a smaller batch can succeed. */
export class BatchTooLarge extends Error {
  override readonly name = 'BatchTooLarge';
}

/** Counts the content of features that are built together. */
export interface SizeCounter {
  /** Counts a table lookup of a link and rejects links that multiply. */
  countLookup(type: string): void;
  countLoaded(count: number): void;
  /** Counts a built feature and rejects one that is too large. */
  add(feature: ComplexProperty, type: string): void;
  /** Returns the size of an added feature with its content. */
  getSize(property: ComplexProperty): number;
}

export function createSizeCounter(): SizeCounter {
  const sizes = new Map<ComplexProperty, number>();
  let held = 0;
  let lookups = 0;
  const hold = (count: number): void => {
    held += count;
    if (held > MAX_HELD) throw new BatchTooLarge('The features are too large to be built together.');
  };
  /** Nested features were added before. */
  const of = (property: ComplexProperty): number => {
    const known = sizes.get(property);
    if (known !== undefined) return known;
    hold(1);
    return property.children.reduce((sum, child) => sum + of(child), 1);
  };
  return {
    countLookup: (type) => {
      lookups += 1;
      if (lookups > MAX_LOOKUPS) throw createTooManyLinksError(type);
    },
    countLoaded: hold,
    getSize: of,
    add: (feature, type) => {
      const size = of(feature);
      if (size > MAX_PROPERTIES) throw createTooLargeError(type);
      sizes.set(feature, size);
    },
  };
}

export function createTooLargeError(type: string): Error {
  const reason = `a feature has more than ${MAX_PROPERTIES} properties including its chained features; set an xlink:href on one of the links to refer to features without including them`;
  return problem('mapped-type-unreadable', { name: type, reason });
}

function createTooManyLinksError(type: string): Error {
  const reason = `its nested links require more than ${MAX_LOOKUPS} table lookups; set an xlink:href on one of the links to refer to features without including them`;
  return problem('mapped-type-unreadable', { name: type, reason });
}

export function createTooManyRowsError(type: string, id: string): Error {
  const reason = `the feature '${id.slice(0, 60).toWellFormed()}' has more than ${MAX_ROWS} rows`;
  return problem('mapped-type-unreadable', { name: type, reason });
}
