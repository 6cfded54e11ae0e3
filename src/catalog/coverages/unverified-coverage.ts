/** Coverages that are stored without verification, and their completion from the data when it is available. */
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import {
  type BandDraft,
  type Coverage,
  type CoverageBand,
  type CoverageDraft,
  createInitialSettings,
  SRS_FIELD,
} from '../kinds/coverage.ts';
import { getBoundsCrs } from '../kinds/resource.ts';
import {
  createResourceFields,
  mergeResourceFields,
  mergeSettings,
  mergeValue,
  resolveSrs,
  resolveStatedCrs,
} from '../kinds/resource-draft.ts';
import type { Unverified } from '../kinds/unverified.ts';
import { type CoveragePublication, readNativeFields } from './publish-coverage.ts';
import { mergeBands } from './published-bands.ts';

/** The grid of data that was not read. */
const unknownGrid: Coverage['grid'] = { width: 0, height: 0, transform: null };

/** Creates a publication from the fields of the client alone. */
export async function prepareUnverifiedCoverage(
  draft: CoverageDraft,
  { name, nativeName, nativeFormat }: Pick<Coverage, 'name' | 'nativeName' | 'nativeFormat'>,
  unverified: Unverified,
): Promise<CoveragePublication> {
  const nativeCrs = await resolveStatedCrs(draft.nativeCRS);
  const srs = draft.srs == null ? (nativeCrs.code ?? null) : await resolveSrs(draft.srs, SRS_FIELD);
  const remarks = {
    ...createResourceFields(draft, name, nativeFormat),
    description: draft.description ?? `Generated from ${nativeFormat}`,
    keywords: draft.keywords ?? [name, 'WCS', nativeFormat],
  };
  const initial = createInitialSettings(nativeFormat, srs);
  const nativeBounds = draft.nativeBounds ?? null;
  const crs = getBoundsCrs({ srs, nativeCrs, projectionPolicy: remarks.projectionPolicy });
  const computed = nativeBounds === null ? undefined : await computeGeographicBounds(nativeBounds, crs);
  return {
    ...mergeSettings(draft, initial, initial),
    ...remarks,
    name,
    nativeName,
    nativeFormat,
    nativeCrs,
    srs,
    nativeBounds,
    latLonBounds: draft.latLonBounds ?? computed ?? null,
    grid: unknownGrid,
    nativeBands: [],
    ...declareBands(draft.bands ?? []),
    unverified,
  };
}

/** Applies the fields of the client without the data. Boxes are not recomputed. */
export async function mergeUnverifiedCoverage(
  coverage: Coverage,
  draft: CoverageDraft,
  fixed: Pick<Coverage, 'name' | 'nativeName'> & { readonly unverified: Unverified },
): Promise<Coverage> {
  const srs = mergeValue(draft.srs, coverage.srs);
  const declared = coverage.declaredBands ?? coverage.bands;
  return {
    ...coverage,
    ...mergeSettings(draft, coverage, createInitialSettings(coverage.nativeFormat, srs)),
    ...mergeResourceFields(coverage, draft),
    srs,
    nativeCrs: draft.nativeCRS === undefined ? coverage.nativeCrs : await resolveStatedCrs(draft.nativeCRS),
    nativeBounds: mergeValue(draft.nativeBounds, coverage.nativeBounds),
    latLonBounds: mergeValue(draft.latLonBounds, coverage.latLonBounds),
    ...declareBands(draft.bands === undefined ? declared : (draft.bands ?? [])),
    ...fixed,
  };
}

/** The sample type of a declared band is unknown; readers use that of the data. */
function declareBands(declared: readonly BandDraft[]): Pick<Coverage, 'bands'> & Pick<Coverage, 'declaredBands'> {
  const bands = declared.map(
    (band, index): CoverageBand => ({
      name: band.name ?? `Band${index + 1}`,
      description: band.description ?? null,
      minimum: band.minimum ?? null,
      maximum: band.maximum ?? null,
      nullValues: band.nullValues ?? [],
      unit: band.unit ?? null,
      type: 'float64',
    }),
  );
  return { bands, declaredBands: declared };
}

/** Returns the coverage with the grid, the bands and the CRS of the data. */
export function completeCoverage(coverage: Coverage, described: CoverageDescription): Coverage {
  const { unverified, declaredBands = [], ...known } = coverage;
  if (unverified === undefined) return coverage;
  const { nativeCrs, nativeBounds, grid, tileZooms, nativeBands } = readNativeFields(described);
  const isStated = Object.keys(coverage.nativeCrs).length > 0;
  return {
    ...known,
    nativeCrs: isStated ? coverage.nativeCrs : nativeCrs,
    nativeBounds: coverage.nativeBounds ?? nativeBounds,
    grid,
    tileZooms,
    nativeBands,
    bands: completeBands(declaredBands, nativeBands),
  };
}

/** Declared bands that contradict the data are ignored. */
function completeBands(declared: readonly BandDraft[], nativeBands: Coverage['nativeBands']): Coverage['bands'] {
  if (declared.length !== nativeBands.length) return nativeBands;
  try {
    return mergeBands(declared, nativeBands);
  } catch (error) {
    if (error instanceof Problem) return nativeBands;
    throw error;
  }
}
