/** Bounds on what features may come to: chained data can be small and multiply at every level. */
import { problem } from '../../../lib/problems/problem.ts';
import type { ComplexProperty } from '../../port/complex-feature.ts';

/** Properties of one feature with all that is chained to it, each counted wherever it is shown. */
export const MAX_PROPERTIES = 1_000_000;

/** Properties that are held in memory at a time; what is chained to several features is there once. */
const MAX_HELD = 1_000_000;

/** Rows of one feature, which is built in one go. */
export const MAX_ROWS = 20_000;

/** Times that links of features that are built together lead to tables; each link on each level is one. */
const MAX_LOOKUPS = 10_000;

/** More than may be held for so many features at once: fewer may do. */
export class BatchTooLarge extends Error {
  override readonly name = 'BatchTooLarge';
}

/** Counts what is built for features that are read together. */
export interface SizeCounter {
  /** Notes that a link leads to a table, and refuses links that multiply. */
  countLookup(type: string): void;
  /** Notes rows that were loaded. */
  countLoaded(count: number): void;
  /** Notes a feature that was built, and refuses one that is too large. */
  add(feature: ComplexProperty, type: string): void;
  /** Of a feature that was added, with all that is in it. */
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
  /** Features in it were added before. */
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
