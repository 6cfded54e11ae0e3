/** The requests of WCS 2.0.1. */
import type { Interpolation } from '../../../raster/warp/interpolate.ts';
import type { CoverageFormat } from '../coverage/coverage-formats.ts';
import type { Scaling, Subset } from '../coverage/subset.ts';

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
