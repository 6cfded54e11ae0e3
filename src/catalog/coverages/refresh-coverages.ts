/** Refreshes published coverages after their data has changed. */
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { CoverageStoreView } from '../coverage-stores/coverage-stores.ts';
import type { RasterData } from '../coverage-stores/raster-data.ts';
import { type Coverage, coverageKind } from '../kinds/coverage.ts';
import { getBoundsCrs } from '../kinds/resource.ts';
import { updateServiceSrs } from './change-coverage.ts';
import { readNativeFields } from './publish-coverage.ts';
import { keepBandEdits } from './published-bands.ts';
import { completeCoverage } from './unverified-coverage.ts';

/** Recomputes the fields that depend on the data; changes of clients stay. `statedSrs` is for data that declares none. */
export async function refreshCoverage(
  coverage: Coverage,
  described: CoverageDescription,
  statedSrs: string | null = null,
): Promise<Coverage> {
  if (coverage.unverified !== undefined) return completeCoverage(coverage, described);
  const { nativeCrs, nativeBounds, grid, tileZooms, nativeBands } = readNativeFields(described);
  const wasDerived = coverage.srs === (coverage.nativeCrs.code ?? null);
  const srs = wasDerived ? (nativeCrs.code ?? statedSrs) : coverage.srs;
  const crs = getBoundsCrs({ srs, nativeCrs, projectionPolicy: coverage.projectionPolicy });
  const latLonBounds = nativeBounds === null ? null : ((await computeGeographicBounds(nativeBounds, crs)) ?? null);
  const bands = keepBandEdits(nativeBands, coverage);
  const refreshed = { ...coverage, nativeCrs, srs, nativeBounds, latLonBounds, grid, tileZooms, nativeBands, bands };
  return updateServiceSrs(refreshed, coverage.srs);
}

/** Recomputes only the bounds. */
export async function refreshCoverageBounds(coverage: Coverage, described: CoverageDescription): Promise<Coverage> {
  const { nativeBounds, grid } = readNativeFields(described);
  const latLonBounds =
    nativeBounds === null ? null : ((await computeGeographicBounds(nativeBounds, getBoundsCrs(coverage))) ?? null);
  return { ...coverage, nativeBounds, latLonBounds, grid };
}

/**
 * Describes the published coverages of a store, or one of them, again, since external files may have changed. Returns
 * warnings for those that failed. Sources keep nothing open between requests, so nothing has to be closed.
 */
export async function resetCoverageStore(
  catalog: Catalog,
  principal: Principal,
  data: RasterData,
  { view, only }: { readonly view: CoverageStoreView; readonly only?: Coverage },
): Promise<{ readonly warnings: readonly string[] }> {
  const { store, workspace } = view;
  if (!store.enabled || !data.canChangeExternally(store)) {
    return { warnings: [] };
  }
  const published = await catalog.list(coverageKind, store.id);
  const refreshed: Coverage[] = [];
  const warnings: string[] = [];
  for (const coverage of published.filter(({ id }) => only === undefined || only.id === id)) {
    const outcome = await reloadCoverage(data, view, coverage);
    if (typeof outcome === 'string') {
      warnings.push(`The coverage '${coverage.name}' is unchanged: ${outcome}`);
    } else {
      refreshed.push(outcome);
    }
  }
  await catalog.change(principal, `reset coverage store ${store.name} in ${workspace.name}`, async (transaction) => {
    for (const coverage of refreshed) {
      const current = await transaction.get(coverageKind, coverage.id);
      // Skip a coverage that another request has changed in the meantime.
      if (current?.version === coverage.version) {
        await transaction.update(coverageKind, coverage);
      }
    }
  });
  return { warnings: limitSentences(warnings) };
}

/** Returns the refreshed coverage, or the reason why it stays unchanged. */
async function reloadCoverage(
  data: RasterData,
  view: CoverageStoreView,
  coverage: Coverage,
): Promise<Coverage | string> {
  try {
    const described = await data.describe(view, coverage.nativeName);
    return described === undefined
      ? `the data no longer contains '${coverage.nativeName}'.`
      : await refreshCoverage(coverage, described);
  } catch (error) {
    if (error instanceof Problem) {
      return error.message;
    }
    throw error;
  }
}
