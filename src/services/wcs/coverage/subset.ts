/** Parts and scales of coverages in requests. */
import type { DimensionValue } from '../../../raster/pictures/dimension-options.ts';

/** A part of an axis. An undefined end is that of the coverage; equal ends are a slice. */
export interface Subset {
  readonly axis: string;
  /** The CRS as sent; undefined for that of the request. */
  readonly crs: string | undefined;
  readonly low: DimensionValue | undefined;
  readonly high: DimensionValue | undefined;
  /** The parameter that errors name; `subset` if undefined. */
  readonly field?: string;
}

/** Formats a subset as in requests. */
export function formatSubset({ axis, low, high }: Subset): string {
  const formatEnd = (value: Subset['low']) => (value instanceof Date ? value.toISOString() : (value ?? '*'));
  return `${axis}(${low === high && low !== undefined ? formatEnd(low) : `${formatEnd(low)},${formatEnd(high)}`})`;
}

/** Scales an axis by a factor, to a size, or to an extent. */
export interface Scaling {
  /** Undefined for all axes. */
  readonly axis: string | undefined;
  readonly by: { readonly factor: number } | { readonly size: number };
}
