/** A published coverage of a coverage store: a grid of samples, with what clients are told of it. */

import { problem } from '../../lib/problems/problem.ts';
import type { GridTransform } from '../../raster/port/port.ts';
import type { SampleType } from '../../raster/port/samples.ts';
import { createLinkedKind } from '../../records/references.ts';
import { coverageStoreKind } from './coverage-store.ts';
import {
  defaultResourceSettings,
  type Resource,
  type ResourceKind,
  type ResourceSettings,
  resourceKeys,
} from './resource.ts';
import type { ResourceDraft, SettingsDraft } from './resource-draft.ts';

/** Settings of the services that give out coverages, kept as given. */
interface CoverageSettings {
  readonly supportedFormats: readonly string[];
  readonly interpolationMethods: readonly string[];
  readonly defaultInterpolationMethod: string | null;
  readonly requestSRS: readonly string[];
  readonly responseSRS: readonly string[];
  /** How the data is to be read, by names that map servers have for it. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type ServiceSettings = ResourceSettings & CoverageSettings;

/** How many samples there are, and where they lie; null where the data does not say so. */
export interface CoverageGrid {
  readonly width: number;
  readonly height: number;
  readonly transform: GridTransform | null;
}

/** A band as clients are told of it. */
export interface CoverageBand {
  readonly name: string;
  readonly description: string | null;
  /** The ends of what its values may be; null for no end. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** The values that stand for no data, as text: some are no numbers that can be written otherwise. */
  readonly nullValues: readonly string[];
  readonly unit: string | null;
  readonly type: SampleType;
}

/** Its native name is that of the file, or of the variable in it. */
export interface Coverage extends Resource, CoverageSettings {
  readonly kind: 'coverage';
  /** The kind of store that it is of. */
  readonly nativeFormat: string;
  readonly grid: CoverageGrid;
  readonly bands: readonly CoverageBand[];
  /** As the data alone has them: other data changes what nobody has said otherwise. */
  readonly nativeBands: readonly CoverageBand[];
}

/** What a client may say of a band: absent stays, null clears. */
export interface BandDraft {
  readonly name?: string;
  readonly description?: string | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  readonly nullValues?: readonly string[];
  readonly unit?: string | null;
}

/** What a client may say of a coverage: absent stays, null clears. */
export type CoverageDraft = ResourceDraft &
  SettingsDraft<CoverageSettings> & {
    readonly nativeCoverageName?: string | null;
    readonly bands?: readonly BandDraft[] | null;
  };

/** The field that complaints about the spatial reference are about. */
export const SRS_FIELD = 'coverage.srs';

export const coverageKind: ResourceKind<Coverage> = {
  ...createLinkedKind<Coverage>(
    { kind: 'coverage', keys: resourceKeys, secrets: {} },
    { livesIn: [coverageStoreKind.kind], references: [] },
  ),
  collection: 'coverages',
  layerType: 'RASTER',
  selectDefaultStyle: () => 'raster',
  createNameTakenProblem: (details) => problem('coverage-exists', details),
  createInUseProblem: (details) => problem('coverage-in-use', details),
};

/** What map servers of this kind give out, beside the format of the data. */
const outputFormats = ['GEOTIFF', 'GIF', 'PNG', 'JPEG', 'TIFF'];

/** How all services treat a coverage of which nobody has said anything. */
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
