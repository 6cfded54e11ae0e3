/** The requests that a WCS 2.0.1 understands. */
import type { DimensionValue } from '../../raster/pictures/dimension-options.ts';
import type { Interpolation } from '../../raster/warp/interpolate.ts';
import type { CoverageFormat } from './coverage-formats.ts';

export const wcsVersions = ['2.0.1'] as const;

export const operations = ['GetCapabilities', 'DescribeCoverage', 'GetCoverage'] as const;

export type WcsRequest = GetCapabilitiesRequest | DescribeCoverageRequest | GetCoverageRequest;

/** The parts of the capabilities. */
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
  /** As written, with commas between; identifiers may have some of their own. */
  readonly ids: string;
}

export interface GetCoverageRequest {
  readonly kind: 'GetCoverage';
  readonly id: string;
  readonly subsets: readonly Subset[];
  /** As written. */
  readonly subsettingCrs: string | undefined;
  readonly outputCrs: string | undefined;
  readonly scaling: readonly Scaling[];
  /** Bands as written, single ones and ranges; undefined for all. */
  readonly range: readonly string[] | undefined;
  readonly interpolation: Interpolation;
  readonly format: CoverageFormat;
  /** Whether the samples come behind a document that tells of them. */
  readonly isMultipart: boolean;
  /** Whether the samples of a GeoTIFF are packed. */
  readonly isPacked: boolean;
}

/** A part of an axis; an end that is undefined is that of the coverage. Both are the same for one place. */
export interface Subset {
  readonly axis: string;
  /** The system that it is in, as written; that of the request where it says nothing. */
  readonly crs: string | undefined;
  readonly low: DimensionValue | undefined;
  readonly high: DimensionValue | undefined;
}

/** As clients write it. */
export function formatSubset({ axis, low, high }: Subset): string {
  const formatEnd = (value: Subset['low']) => (value instanceof Date ? value.toISOString() : (value ?? '*'));
  return `${axis}(${low === high && low !== undefined ? formatEnd(low) : `${formatEnd(low)},${formatEnd(high)}`})`;
}

/** Along an axis: so many times as many samples, so many, or those from one number to another. */
export interface Scaling {
  /** Undefined for all axes. */
  readonly axis: string | undefined;
  readonly by: { readonly factor: number } | { readonly size: number };
}
