/** The classes of a classification: ranges of numbers, or single values. */

export const classificationMethods = [
  'equalInterval',
  'uniqueInterval',
  'quantile',
  'jenks',
  'equalArea',
  'standardDeviation',
] as const;

export type ClassificationMethod = (typeof classificationMethods)[number];

export type ValueClass = ClassRange | SingleValue;

export interface ClassRange {
  readonly kind: 'range';
  /** Unlimited if omitted. */
  readonly min?: number;
  readonly max?: number;
  readonly includesMin: boolean;
  readonly includesMax: boolean;
  /** The share of all values, from 0 to 1; undefined if it was not computed. */
  readonly share?: number;
}

export interface SingleValue {
  readonly kind: 'value';
  readonly value: string | number | boolean;
  readonly share?: number;
}

export function isInRange({ min, max, includesMin, includesMax }: ClassRange, value: number): boolean {
  const isAbove = min === undefined || value > min || (includesMin && value === min);
  const isBelow = max === undefined || value < max || (includesMax && value === max);
  return isAbove && isBelow;
}

/**
 * Creates the ranges between ascending breaks: the first contains both of its ends, the others their upper end. The first
 * can contain a single value.
 */
export function createRanges([first, ...ends]: readonly number[], isOpen: boolean): readonly ClassRange[] {
  if (first === undefined) return [];
  const distinct = ends.length === 0 ? [first] : [...new Set(ends)];
  return distinct.map((max, index) => {
    const isFirst = index === 0;
    const isLast = index === distinct.length - 1;
    const hasNoLimits = isOpen && distinct.length > 1;
    return {
      kind: 'range',
      ...(hasNoLimits && isFirst ? {} : { min: distinct[index - 1] ?? first }),
      ...(hasNoLimits && isLast ? {} : { max }),
      includesMin: isFirst,
      includesMax: true,
    };
  });
}

/** Creates ranges that contain their lower end; the outer ones are unlimited. */
export function createOpenRanges(breaks: readonly number[]): readonly ClassRange[] {
  const distinct = [...new Set(breaks)];
  return [...distinct, undefined].map((max, index) => {
    const min = distinct[index - 1];
    return {
      kind: 'range',
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      includesMin: true,
      includesMax: false,
    };
  });
}
