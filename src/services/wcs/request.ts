/** The requests of WCS 2.0.1. */
import type { DimensionValue } from '../../raster/pictures/dimension-options.ts';
import type { Interpolation } from '../../raster/warp/interpolate.ts';
import type { CoverageFormat } from './coverage-formats.ts';

export const wcsVersions = ['2.0.1'] as const;

export const operations = ['GetCapabilities', 'DescribeCoverage', 'GetCoverage'] as const;

export type WcsRequest = GetCapabilitiesRequest | DescribeCoverageRequest | GetCoverageRequest;

/** The sections of the capabilities. */
export const sectionNames = [
  'ServiceIdentification',
  'ServiceProvider',
  'OperationsMetadata',
  'ServiceMetadata',
  'Contents',
] as const;
export type Section = (typeof sectionNames)[number];

export interface GetCapabilitiesRequest {
  readonly kind: 'GetCapabilities';
  readonly sections: readonly Section[];
  readonly updateSequence: string | undefined;
}

export interface DescribeCoverageRequest {
  readonly kind: 'DescribeCoverage';
  /** As sent, separated by commas, which ids may contain too. */
  readonly ids: string;
}

export interface GetCoverageRequest {
  readonly kind: 'GetCoverage';
  readonly id: string;
  readonly subsets: readonly Subset[];
  /** As sent. */
  readonly subsettingCrs: string | undefined;
  readonly outputCrs: string | undefined;
  readonly scaling: readonly Scaling[];
  /** Bands as sent, single ones and ranges; undefined for all. */
  readonly range: readonly string[] | undefined;
  readonly interpolation: Interpolation;
  readonly format: CoverageFormat;
  /** Whether a GML document precedes the samples. */
  readonly isMultipart: boolean;
  /** Whether the GeoTIFF is compressed. */
  readonly isPacked: boolean;
}

/** A part of an axis. An undefined end is that of the coverage; equal ends are a slice. */
export interface Subset {
  readonly axis: string;
  /** The CRS as sent; undefined for that of the request. */
  readonly crs: string | undefined;
  readonly low: DimensionValue | undefined;
  readonly high: DimensionValue | undefined;
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
