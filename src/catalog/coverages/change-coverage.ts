/**
 * Changes a published coverage: applies the fields of the client, and recomputes the fields that depend on the data.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import type { Catalog } from '../../records/catalog.ts';
import { resolveNewName } from '../../records/names.ts';
import type { RasterData } from '../coverage-stores/raster-data.ts';
import {
  type Coverage,
  type CoverageDraft,
  coverageKind,
  createInitialSettings,
  SRS_FIELD,
} from '../kinds/coverage.ts';
import { checkSameStore, mergeResourceFields, mergeSettings, mergeValue, resolveSrs } from '../kinds/resource-draft.ts';
import { verifyOrReport } from '../kinds/unverified.ts';
import { checkDimensions } from '../resources/dimensions.ts';
import { type EmptiedLatLonBox, mergeLatLonBounds, shouldComputeNativeBounds } from '../resources/resource-bounds.ts';
import { updateResource } from '../resources/write-resource.ts';
import { type CoverageLocator, type CoverageView, findCoverage } from './coverage-view.ts';
import { coverageNameRule, createUnknownNativeCoverageProblem } from './coverages.ts';
import { readNativeFields } from './publish-coverage.ts';
import { keepBandEdits, mergeBands } from './published-bands.ts';
import { completeCoverage, mergeUnverifiedCoverage } from './unverified-coverage.ts';

export const calculations = ['nativebbox', 'latlonbbox', 'dimensions'] as const;
export type Calculation = (typeof calculations)[number];

export interface CoverageChange {
  readonly data: RasterData;
  /** The fields to recompute; null recomputes those that the change affects. */
  readonly calculate: ReadonlySet<Calculation> | null;
  readonly emptiedLatLonBox: EmptiedLatLonBox;
  readonly precondition: Precondition;
}

export interface CoverageChangeRequest extends CoverageChange {
  readonly draft: CoverageDraft;
  /** Set to accept a change that cannot be verified against the data. */
  readonly unverified?: UnverifiedPolicy | undefined;
}

export async function changeCoverage(
  catalog: Catalog,
  principal: Principal,
  place: CoverageLocator & { readonly name: string },
  options: CoverageChangeRequest,
): Promise<void> {
  const { draft: sent } = options;
  for (;;) {
    const before = await findCoverage(catalog, place, place.name);
    const draft = await resolveDraftSrs(sent, before.coverage);
    checkSameStore(before, draft);
    checkPrecondition(options.precondition, before.version);
    // Read the data outside the transaction, so that a slow disk does not block other changes.
    const merge = async () => {
      const described = needsData(before.coverage, draft, options)
        ? await describeNativeCoverage(before, mergeNativeName(before.coverage, draft), options.data)
        : undefined;
      const current = described === undefined ? before.coverage : completeCoverage(before.coverage, described);
      return mergeCoverageDraft(current, draft, described, options);
    };
    const changed =
      options.unverified === undefined
        ? await merge()
        : await mergeOrAccept(before.coverage, draft, { ...options, unverified: options.unverified }, merge);
    const what = `change coverage ${place.name} in ${place.workspace}`;
    const isDone = await catalog.change(principal, what, async (transaction) => {
      const view = await findCoverage(transaction, place, place.name);
      checkPrecondition(options.precondition, view.version);
      // Another request has changed the coverage: retry with the current version.
      const isOutdated = view.coverage.id !== before.coverage.id || view.coverage.version !== before.coverage.version;
      if (!isOutdated) {
        await updateResource(transaction, coverageKind, view.workspace, { from: view.coverage, to: changed });
      }
      return !isOutdated;
    });
    if (isDone) {
      return;
    }
  }
}

/** Merges the fields of the client alone if they cannot be verified. */
async function mergeOrAccept(
  coverage: Coverage,
  draft: CoverageDraft,
  options: CoverageChange & { readonly unverified: UnverifiedPolicy },
  merge: () => Promise<Coverage>,
): Promise<Coverage> {
  const isNewCrs = coverage.unverified !== undefined && draft.nativeCRS !== undefined;
  if (!isNewCrs && !needsData(coverage, draft, options)) return merge();
  const outcome = await verifyOrReport(options.unverified, merge);
  return 'verified' in outcome
    ? outcome.verified
    : mergeUnverifiedCoverage(coverage, draft, {
        name: resolveNewName(coverage.name, draft.name, coverageNameRule),
        nativeName: mergeNativeName(coverage, draft),
        unverified: outcome.unverified,
      });
}

/** Resolves only a new reference system: the published one may be a system that only the data defines. */
async function resolveDraftSrs(draft: CoverageDraft, { srs }: Coverage): Promise<CoverageDraft> {
  return draft.srs == null || draft.srs === srs ? draft : { ...draft, srs: await resolveSrs(draft.srs, SRS_FIELD) };
}

/** Two fields contain the name; the one that the client changes wins. */
function mergeNativeName({ nativeName }: Coverage, draft: CoverageDraft): string {
  const sent = [draft.nativeCoverageName, draft.nativeName].filter((name) => name != null && name !== '');
  return sent.find((name) => name !== nativeName) ?? nativeName;
}

function isDifferentData(coverage: Coverage, draft: CoverageDraft): boolean {
  return mergeNativeName(coverage, draft) !== coverage.nativeName;
}

function shouldComputeBounds(coverage: Coverage, draft: CoverageDraft, { calculate }: CoverageChange): boolean {
  return shouldComputeNativeBounds(coverage, draft, {
    isOtherData: isDifferentData(coverage, draft),
    asked: calculate?.has('nativebbox'),
  });
}

function shouldReadBands(draft: CoverageDraft, { calculate }: CoverageChange): boolean {
  return draft.bands === null || (calculate?.has('dimensions') ?? false);
}

function needsData(coverage: Coverage, draft: CoverageDraft, options: CoverageChange): boolean {
  return (
    isDifferentData(coverage, draft) ||
    shouldComputeBounds(coverage, draft, options) ||
    shouldReadBands(draft, options) ||
    (coverage.unverified !== undefined && draft.bands !== undefined)
  );
}

async function describeNativeCoverage(
  view: CoverageView,
  nativeName: string,
  data: RasterData,
): Promise<CoverageDescription> {
  const described = await data.describe(view, nativeName);
  if (described === undefined) {
    throw await createUnknownNativeCoverageProblem(data, view, nativeName);
  }
  return described;
}

async function mergeCoverageDraft(
  coverage: Coverage,
  draft: CoverageDraft,
  described: CoverageDescription | undefined,
  options: CoverageChange,
): Promise<Coverage> {
  const fresh = described === undefined ? coverage : readNativeFields(described);
  const wasDerived = coverage.srs === (coverage.nativeCrs.code ?? null);
  const wanted = mergeValue(draft.srs, coverage.srs);
  const srs = wasDerived && wanted === coverage.srs ? (fresh.nativeCrs.code ?? null) : wanted;
  const changed: Coverage = {
    ...coverage,
    ...mergeSettings(draft, coverage, createInitialSettings(coverage.nativeFormat, srs)),
    ...mergeResourceFields(coverage, draft),
    name: resolveNewName(coverage.name, draft.name, coverageNameRule),
    nativeName: mergeNativeName(coverage, draft),
    nativeCrs: fresh.nativeCrs,
    srs,
    nativeBounds: shouldComputeBounds(coverage, draft, options)
      ? fresh.nativeBounds
      : mergeValue(draft.nativeBounds, coverage.nativeBounds),
    grid: fresh.grid,
    tileZooms: fresh.tileZooms,
    nativeBands: fresh.nativeBands,
    bands: mergeBandDrafts(coverage, draft, fresh.nativeBands, options),
  };
  // Metadata that a change of the data has made invalid must not block other changes.
  if (!isDeepStrictEqual(changed.metadata, coverage.metadata)) {
    checkDimensions('coverage', changed);
  }
  const latLonBounds = await mergeLatLonBounds(coverage, changed, draft, {
    isOtherData: isDifferentData(coverage, draft),
    asked: options.calculate?.has('latlonbbox'),
    emptied: options.emptiedLatLonBox,
  });
  return updateServiceSrs({ ...changed, latLonBounds }, coverage.srs);
}

function mergeBandDrafts(
  coverage: Coverage,
  draft: CoverageDraft,
  nativeBands: Coverage['nativeBands'],
  options: CoverageChange,
): Coverage['bands'] {
  if (shouldReadBands(draft, options)) {
    return nativeBands;
  }
  const current = keepBandEdits(nativeBands, coverage);
  // Bands of the previous data that a client sends back unchanged are ignored.
  const isOld = draft.bands?.length !== current.length && isDifferentData(coverage, draft);
  return draft.bands == null || isOld ? current : mergeBands(draft.bands, current);
}

/** The request and response SRS of services follow the coverage, unless a client has set them. */
export function updateServiceSrs(coverage: Coverage, former: string | null): Coverage {
  const toSrsList = (srs: string | null) => (srs === null ? [] : [srs]);
  const updateSrsList = (list: readonly string[]) =>
    isDeepStrictEqual(list, toSrsList(former)) ? toSrsList(coverage.srs) : list;
  return {
    ...coverage,
    requestSRS: updateSrsList(coverage.requestSRS),
    responseSRS: updateSrsList(coverage.responseSRS),
  };
}
