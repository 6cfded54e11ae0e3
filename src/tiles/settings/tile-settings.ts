/** The tile settings of a layer or group. Absent members have the defaults of the server. */
import type { Bounds } from '../../crs/bounds.ts';

export interface TileSettings {
  /** Whether tiles are offered. */
  readonly enabled?: boolean;
  /** Accepted for compatibility: frequently used tiles are always in memory. */
  readonly inMemoryCached?: boolean;
  /** Media types; those that this server does not write are ignored. */
  readonly mimeFormats?: readonly string[];
  readonly gridSubsets?: readonly GridSubset[];
  /** The columns and rows of tiles that are drawn together. */
  readonly metaWidthHeight?: MetaTiles;
  /** The lifetime of cached tiles in seconds, or one of the special values of `expiry`. */
  readonly expireCache?: number;
  /** Replaces `expireCache` from some levels on. */
  readonly expireCacheList?: readonly ExpirationRule[];
  /** The lifetime for clients. */
  readonly expireClients?: number;
  readonly expireClientsList?: readonly ExpirationRule[];
  readonly parameterFilters?: readonly ParameterFilter[];
  /** The number of additional pixels that are drawn around a block of tiles and then cut off. */
  readonly gutter?: number;
}

export type MetaTiles = readonly [columns: number, rows: number];

/** The part of a grid set that a layer offers. Levels are indexes, the coarsest is 0. */
export interface GridSubset {
  readonly gridSetName: string;
  /** In the CRS of the grid set; absent for all tiles. */
  readonly extent?: Bounds;
  readonly zoomStart?: number;
  readonly zoomStop?: number;
  /** Tiles of coarser levels are drawn for each request. */
  readonly minCachedLevel?: number;
  /** Tiles of finer levels are drawn for each request. */
  readonly maxCachedLevel?: number;
}

export interface ExpirationRule {
  readonly minZoom: number;
  readonly expiration: number;
}

/** Special values of lifetimes. */
export const expiry = { unset: 0, never: -1, forever: -2, fromData: -4 } as const;

/** Restricts the values of a request parameter. */
export type ParameterFilter =
  | (FilterBase & { readonly kind: 'style'; readonly allowedStyles?: readonly string[] })
  | (FilterBase & { readonly kind: 'string'; readonly values: readonly string[]; readonly normalize?: Normalization })
  | (FilterBase & { readonly kind: 'regex'; readonly regex: string; readonly normalize?: Normalization })
  | (FilterBase & {
      readonly kind: 'float' | 'integer';
      readonly values: readonly number[];
      readonly threshold: number;
    });

interface FilterBase {
  /** The name of the parameter, in any case. */
  readonly key: string;
  /** Used if a request does not contain the parameter; empty for none. */
  readonly defaultValue: string;
}

export interface Normalization {
  readonly case: (typeof letterCases)[number];
  /** The language of the conversion, as in `de` or `tr_TR`; empty for none. */
  readonly locale: string;
}

export const letterCases = ['NONE', 'LOWER', 'UPPER'] as const;

/** The parameter that style filters apply to. */
export const STYLES = 'STYLES';

/** Returns the lifetime on a level: that of the rule with the highest level at or below it. */
export function findExpiration(
  general: number | undefined,
  rules: readonly ExpirationRule[] | undefined,
  level: number,
): number {
  let best: ExpirationRule | undefined;
  for (const rule of rules ?? []) {
    if (rule.minZoom <= level && (best === undefined || rule.minZoom >= best.minZoom)) best = rule;
  }
  return best?.expiration ?? general ?? expiry.unset;
}
