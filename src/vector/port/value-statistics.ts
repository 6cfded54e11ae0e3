/** Statistics of the values of one attribute, which databases compute without returning the features. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';

/** Null is never counted, and neither are numbers that are not finite. */
export type StatisticsRequest = { readonly attribute: string; readonly filter?: ResolvedFilter } & (
  | (NumberRange & { readonly kind: 'moments' })
  /** The numbers at these positions in ascending order; positions start at 1 and ascend. */
  | (NumberRange & { readonly kind: 'ranks'; readonly ranks: readonly number[] })
  /** How many numbers are below each limit, or equal to it. */
  | (NumberRange & { readonly kind: 'totals'; readonly limits: readonly number[]; readonly includesLimits: boolean })
  /** The different values of any type except bytes. */
  | { readonly kind: 'values'; readonly limit: number }
);

interface NumberRange {
  /** Only numbers within this distance of the mean. */
  readonly near?: { readonly mean: number; readonly distance: number } | undefined;
}

export type NumberRequest = Exclude<StatisticsRequest, { readonly kind: 'values' }>;

export type ValueStatistics =
  | Moments
  | { readonly kind: 'ranks'; readonly numbers: readonly number[] }
  | { readonly kind: 'totals'; readonly totals: readonly number[] }
  | { readonly kind: 'values'; readonly counts: readonly ValueCount[] };

export interface Moments {
  readonly kind: 'moments';
  readonly count: number;
  /** 0 without values, like the other fields. */
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** The standard deviation of the population. */
  readonly deviation: number;
}

/** A value as in features. Values that are stored in several ways occur several times. */
export interface ValueCount {
  readonly value: string | number | bigint | boolean | Date | null;
  readonly count: number;
}
