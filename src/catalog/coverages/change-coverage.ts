/** Changes of a published coverage: what the client says, and what follows from it for what is computed from the data. */
import { isDeepStrictEqual } from 'node:util';
import type { CoverageDescription } from '../../data/raster/port.ts';
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import { resolveNewName } from '../../records/names.ts';
import type { RasterData } from '../coverage-stores/raster-data.ts';
import { checkDimensions } from '../resources/dimensions.ts';
import { computesNativeBounds, type EmptiedLatLonBox, latLonBoundsAfter } from '../resources/resource-bounds.ts';
import { changedRemarks, changedSettings, kept, knownSrs, refuseOtherPlace } from '../resources/resource-draft.ts';
import { updateResource } from '../resources/write-resource.ts';
import { type Coverage, type CoverageDraft, coverageKind, initialSettings, SRS_FIELD } from './coverage.ts';
import { type CoveragePlace, type CoverageView, findCoverage } from './coverage-view.ts';
import { coverageNameRule, unknownNative } from './coverages.ts';
import { dataOf } from './publish-coverage.ts';
import { publishedBands, remarksKept } from './published-bands.ts';

export const calculations = ['nativebbox', 'latlonbbox', 'dimensions'] as const;
export type Calculation = (typeof calculations)[number];

export interface CoverageChange {
  readonly data: RasterData;
  /** What to compute anew; null leaves it to what changes. */
  readonly calculate: ReadonlySet<Calculation> | null;
  readonly emptiedLatLonBox: EmptiedLatLonBox;
  readonly precondition: Precondition;
}

export async function changeCoverage(
  catalog: Catalog,
  principal: Principal,
  place: CoveragePlace & { readonly name: string },
  sent: CoverageDraft,
  options: CoverageChange,
): Promise<void> {
  for (;;) {
    const before = await findCoverage(catalog, place, place.name);
    const draft = await withKnownSrs(sent, before.coverage);
    refuseOtherPlace(before, draft);
    checkPrecondition(options.precondition, before.version);
    // Asked outside the change: all others would have to wait for a slow disk.
    const described = needsData(before.coverage, draft, options)
      ? await describe(before, nativeNameAfter(before.coverage, draft), options.data)
      : undefined;
    const changed = await changedCoverage(before.coverage, draft, described, options);
    const what = `change coverage ${place.name} in ${place.workspace}`;
    const isDone = await catalog.change(principal, what, async (transaction) => {
      const view = await findCoverage(transaction, place, place.name);
      checkPrecondition(options.precondition, view.version);
      // Somebody was faster: what follows from the change has to be worked out anew.
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

/** Only what is new is looked up: a coverage may well be told in a system that just its data knows. */
async function withKnownSrs(draft: CoverageDraft, { srs }: Coverage): Promise<CoverageDraft> {
  return draft.srs == null || draft.srs === srs ? draft : { ...draft, srs: await knownSrs(draft.srs, SRS_FIELD) };
}

/** Both fields name it; a client that changes one of them means that one. */
function nativeNameAfter({ nativeName }: Coverage, draft: CoverageDraft): string {
  const sent = [draft.nativeCoverageName, draft.nativeName].filter((name) => name != null && name !== '');
  return sent.find((name) => name !== nativeName) ?? nativeName;
}

function isOtherData(coverage: Coverage, draft: CoverageDraft): boolean {
  return nativeNameAfter(coverage, draft) !== coverage.nativeName;
}

function computesBounds(coverage: Coverage, draft: CoverageDraft, { calculate }: CoverageChange): boolean {
  return computesNativeBounds(coverage, draft, {
    isOtherData: isOtherData(coverage, draft),
    asked: calculate?.has('nativebbox'),
  });
}

function readsBands(draft: CoverageDraft, { calculate }: CoverageChange): boolean {
  return draft.bands === null || (calculate?.has('dimensions') ?? false);
}

function needsData(coverage: Coverage, draft: CoverageDraft, options: CoverageChange): boolean {
  return isOtherData(coverage, draft) || computesBounds(coverage, draft, options) || readsBands(draft, options);
}

async function describe(view: CoverageView, nativeName: string, data: RasterData): Promise<CoverageDescription> {
  const described = await data.describe(view, nativeName);
  if (described === undefined) {
    throw await unknownNative(data, view, nativeName);
  }
  return described;
}

async function changedCoverage(
  coverage: Coverage,
  draft: CoverageDraft,
  described: CoverageDescription | undefined,
  options: CoverageChange,
): Promise<Coverage> {
  const fresh = described === undefined ? coverage : dataOf(described);
  const wasDerived = coverage.srs === (coverage.nativeCrs.code ?? null);
  const wanted = kept(draft.srs, coverage.srs);
  const srs = wasDerived && wanted === coverage.srs ? (fresh.nativeCrs.code ?? null) : wanted;
  const changed: Coverage = {
    ...coverage,
    ...changedSettings(draft, coverage, initialSettings(coverage.nativeFormat, srs)),
    ...changedRemarks(coverage, draft),
    name: resolveNewName(coverage.name, draft.name, coverageNameRule),
    nativeName: nativeNameAfter(coverage, draft),
    nativeCrs: fresh.nativeCrs,
    srs,
    nativeBounds: computesBounds(coverage, draft, options)
      ? fresh.nativeBounds
      : kept(draft.nativeBounds, coverage.nativeBounds),
    grid: fresh.grid,
    nativeBands: fresh.nativeBands,
    bands: changedBands(coverage, draft, fresh.nativeBands, options),
  };
  // What has become wrong through the data alone must not stop another change.
  if (!isDeepStrictEqual(changed.metadata, coverage.metadata)) {
    checkDimensions('coverage', changed);
  }
  const latLonBounds = await latLonBoundsAfter(coverage, changed, draft, {
    isOtherData: isOtherData(coverage, draft),
    asked: options.calculate?.has('latlonbbox'),
    emptied: options.emptiedLatLonBox,
  });
  return followingSrs({ ...changed, latLonBounds }, coverage.srs);
}

function changedBands(
  coverage: Coverage,
  draft: CoverageDraft,
  nativeBands: Coverage['nativeBands'],
  options: CoverageChange,
): Coverage['bands'] {
  if (readsBands(draft, options)) {
    return nativeBands;
  }
  const current = remarksKept(nativeBands, coverage);
  // The bands of other data, sent along as they were read, are not a wish.
  const isOld = draft.bands?.length !== current.length && isOtherData(coverage, draft);
  return draft.bands == null || isOld ? current : publishedBands(draft.bands, current);
}

/** The reference systems that services take are those of the coverage, unless somebody has said otherwise. */
export function followingSrs(coverage: Coverage, former: string | null): Coverage {
  const own = (srs: string | null) => (srs === null ? [] : [srs]);
  const follow = (list: readonly string[]) => (isDeepStrictEqual(list, own(former)) ? own(coverage.srs) : list);
  return { ...coverage, requestSRS: follow(coverage.requestSRS), responseSRS: follow(coverage.responseSRS) };
}
