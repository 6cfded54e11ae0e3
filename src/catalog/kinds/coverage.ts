/** A published coverage of a coverage store: a grid of samples and its metadata. */

import { problem } from '../../lib/problems/problem.ts';
import type { GridTransform } from '../../raster/port/port.ts';
import type { SampleType } from '../../raster/port/samples.ts';
import { createLinkedKind } from '../../records/references.ts';
import { coverageStoreKind } from './coverage-store.ts';
import {
  defaultResourceSettings,
  publishedKeys,
  type Resource,
  type ResourceKind,
  type ResourceSettings,
} from './resource.ts';
import type { ResourceDraft, SettingsDraft } from './resource-draft.ts';

/** Settings of the services that return coverages; stored as sent. */
interface CoverageSettings {
  readonly supportedFormats: readonly string[];
  readonly interpolationMethods: readonly string[];
  readonly defaultInterpolationMethod: string | null;
  readonly requestSRS: readonly string[];
  readonly responseSRS: readonly string[];
  /** Read parameters, by the names that map servers use for them. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type ServiceSettings = ResourceSettings & CoverageSettings;

/** The number of samples and their position; null where the data does not define them. */
export interface CoverageGrid {
  readonly width: number;
  readonly height: number;
  readonly transform: GridTransform | null;
}

/** A band as responses describe it. */
export interface CoverageBand {
  readonly name: string;
  readonly description: string | null;
  /** The range of valid values; null for an open end. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** The no-data values as text, since some are not representable as JSON numbers. */
  readonly nullValues: readonly string[];
  readonly unit: string | null;
  readonly type: SampleType;
}

/** Its native name is that of the file, or of the variable in the file. */
export interface Coverage extends Resource, CoverageSettings {
  readonly kind: 'coverage';
  /** The type of its store. */
  readonly nativeFormat: string;
  readonly grid: CoverageGrid;
  readonly bands: readonly CoverageBand[];
  /** The bands as the data defines them. When the data changes, bands that no client has edited follow it. */
  readonly nativeBands: readonly CoverageBand[];
  /** For an unverified coverage: the bands that the client sent. */
  readonly declaredBands?: readonly BandDraft[];
}

/** The band fields that a client can set: an absent field stays unchanged, null clears it. */
export interface BandDraft {
  readonly name?: string;
  readonly description?: string | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  readonly nullValues?: readonly string[];
  readonly unit?: string | null;
}

/** The coverage fields that a client can set: an absent field stays unchanged, null clears it. */
export type CoverageDraft = ResourceDraft &
  SettingsDraft<CoverageSettings> & {
    readonly nativeCoverageName?: string | null;
    readonly bands?: readonly BandDraft[] | null;
  };

/** The field that error messages about the reference system name. */
export const SRS_FIELD = 'coverage.srs';

export const coverageKind: ResourceKind<Coverage> = {
  ...createLinkedKind<Coverage>(
    { kind: 'coverage', keys: publishedKeys, secrets: {} },
    { livesIn: [coverageStoreKind.kind], references: [] },
  ),
  collection: 'coverages',
  layerType: 'RASTER',
  selectDefaultStyle: () => 'raster',
  createNameTakenProblem: (details) => problem('coverage-exists', details),
  createInUseProblem: (details) => problem('coverage-in-use', details),
};

/** The output formats besides the format of the data. */
const outputFormats = ['GEOTIFF', 'GIF', 'PNG', 'JPEG', 'TIFF'];

/** Returns the initial service settings of a coverage. */
export function createInitialSettings(nativeFormat: string, srs: string | null): ServiceSettings {
  const others = outputFormats.filter((format) => format.toLowerCase() !== nativeFormat.toLowerCase());
  return {
    ...defaultResourceSettings,
    supportedFormats: [nativeFormat, ...others],
    interpolationMethods: ['nearest neighbor', 'bilinear', 'bicubic'],
    defaultInterpolationMethod: 'nearest neighbor',
    requestSRS: srs === null ? [] : [srs],
    responseSRS: srs === null ? [] : [srs],
    parameters: { InputTransparentColor: '', SUGGESTED_TILE_SIZE: '512,512' },
  };
}
