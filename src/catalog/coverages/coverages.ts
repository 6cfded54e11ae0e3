/** Manages published coverages of coverage stores. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import { layerNames } from '../../lib/text/name-rule.ts';
import type { Page } from '../../lib/text/page.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, formatPrintableName, type NameRule } from '../../records/names.ts';
import { type CoverageStoreView, findCoverageStore, listCoverageStores } from '../coverage-stores/coverage-stores.ts';
import type { RasterData } from '../coverage-stores/raster-data.ts';
import { type CoverageDraft, coverageKind } from '../kinds/coverage.ts';
import { checkSameStore } from '../kinds/resource-draft.ts';
import { verifyOrReport } from '../kinds/unverified.ts';
import { checkResourceNameAvailable } from '../resources/find-resource.ts';
import { listPublished, type PublishedNames } from '../resources/list-resources.ts';
import { deleteResource } from '../resources/write-resource.ts';
import { queryStores, type StoreResults } from '../stores/query-stores.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { type CoverageLocator, type CoverageView, findCoverage } from './coverage-view.ts';
import {
  type CoverageDefaults,
  type CoveragePublication,
  collectCoverageWarnings,
  insertCoverage,
  prepareCoverage,
} from './publish-coverage.ts';
import { collectParameterWarnings } from './reading-parameters.ts';
import { prepareUnverifiedCoverage } from './unverified-coverage.ts';

export const coverageNameRule: NameRule = {
  what: 'coverage',
  field: 'coverage.name',
  ...layerNames,
};

export async function listCoverages(
  catalog: CatalogReader,
  place: CoverageLocator,
  page: Page = {},
): Promise<PublishedNames> {
  const home =
    place.store === undefined
      ? { workspace: await findWorkspace(catalog, place.workspace) }
      : await findCoverageStore(catalog, place.workspace, place.store);
  return listPublished(catalog, coverageKind, home, page);
}

/** Lists the names in the data, published or not. */
export async function listNativeCoverages(
  catalog: CatalogReader,
  place: CoverageLocator,
  data: RasterData,
): Promise<StoreResults<{ readonly name: string; readonly isPublished: boolean }>> {
  return queryStores(await listStoresInScope(catalog, place), place, async (view) => {
    const published = new Set((await catalog.list(coverageKind, view.store.id)).map(({ nativeName }) => nativeName));
    const coverages = await data.listCoverages(view);
    return coverages.map(({ name }) => ({ name, isPublished: published.has(name) }));
  });
}

export interface CoverageCreation {
  readonly draft: CoverageDraft;
  readonly data: RasterData;
  readonly habits: CoverageDefaults;
  /** Set to publish a coverage whose data cannot be read. */
  readonly unverified?: UnverifiedPolicy | undefined;
}

/** Publishes a coverage of the data; fields that the client omits come from the data. */
export async function createCoverage(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  { draft, data, habits, unverified: policy }: CoverageCreation,
): Promise<{ readonly view: CoverageView; readonly warnings: readonly string[] }> {
  const view = await findCoverageStore(catalog, place.workspace, place.store);
  checkSameStore(view, draft);
  const publication =
    policy === undefined
      ? await describePublication(catalog, view, { draft, data, habits })
      : await describeOrAccept(catalog, view, { draft, data, habits, unverified: policy });
  const what = `publish ${publication.name} of ${place.store} in ${place.workspace}`;
  const created = await catalog.change(principal, what, async (transaction) =>
    insertCoverage(transaction, await findCoverageStore(transaction, place.workspace, place.store), publication),
  );
  const isRead = publication.unverified === undefined;
  return {
    view: created,
    warnings: [
      ...(isRead ? collectCoverageWarnings(publication) : []),
      ...collectParameterWarnings(draft.parameters ?? {}),
    ],
  };
}

async function describeOrAccept(
  catalog: CatalogReader,
  view: CoverageStoreView,
  { unverified, ...creation }: CoverageCreation & { readonly unverified: UnverifiedPolicy },
): Promise<CoveragePublication> {
  const { draft } = creation;
  const outcome = await verifyOrReport(unverified, () => describePublication(catalog, view, creation));
  if ('verified' in outcome) return outcome.verified;
  const nativeName = draft.nativeCoverageName ?? draft.nativeName ?? draft.name ?? '';
  const name = draft.name ?? nativeName;
  checkName(name, coverageNameRule);
  await checkResourceNameAvailable(catalog, view.workspace, name);
  return prepareUnverifiedCoverage(draft, { name, nativeName, nativeFormat: view.store.type }, outcome.unverified);
}

async function describePublication(
  catalog: CatalogReader,
  view: CoverageStoreView,
  { draft, data, habits }: CoverageCreation,
): Promise<CoveragePublication> {
  const said = draft.nativeCoverageName ?? draft.nativeName ?? undefined;
  if (draft.name != null) {
    checkName(draft.name, coverageNameRule);
  }
  const nativeName = said ?? (await resolveNativeName(data, view, draft.name ?? undefined));
  const name = draft.name ?? nativeName;
  checkName(name, coverageNameRule);
  await checkResourceNameAvailable(catalog, view.workspace, name);
  const described = await data.describe(view, nativeName);
  if (described === undefined) {
    throw await createUnknownNativeCoverageProblem(data, view, nativeName);
  }
  return prepareCoverage(described, { nativeFormat: view.store.type, ...habits }, draft, name);
}

/** Returns the native name for a requested name; data with a single coverage matches any name. */
async function resolveNativeName(data: RasterData, view: CoverageStoreView, name: string | undefined): Promise<string> {
  const names = (await data.listCoverages(view)).map((each) => each.name);
  const [first, ...others] = names;
  const found = name !== undefined && names.includes(name) ? name : others.length === 0 ? first : undefined;
  if (found === undefined) {
    throw await createUnknownNativeCoverageProblem(data, view, name ?? '');
  }
  return found;
}

export async function createUnknownNativeCoverageProblem(data: RasterData, view: CoverageStoreView, name: string) {
  const names = (await data.listCoverages(view)).map((each) => `'${each.name}'`);
  return problem('native-coverage-unknown', {
    name: formatPrintableName(name),
    store: view.store.name,
    known: names.length === 0 ? 'nothing' : enumerate(names, names.length),
  });
}

export function deleteCoverage(
  catalog: Catalog,
  principal: Principal,
  place: CoverageLocator & { readonly name: string },
  options: { readonly recurse: boolean; readonly precondition: Precondition },
): Promise<void> {
  return catalog.change(principal, `delete coverage ${place.name} in ${place.workspace}`, async (transaction) => {
    const { coverage, version } = await findCoverage(transaction, place, place.name);
    checkPrecondition(options.precondition, version);
    await deleteResource(transaction, coverageKind, coverage, options);
  });
}

async function listStoresInScope(
  catalog: CatalogReader,
  place: CoverageLocator,
): Promise<readonly CoverageStoreView[]> {
  return place.store === undefined
    ? listCoverageStores(catalog, place.workspace)
    : [await findCoverageStore(catalog, place.workspace, place.store)];
}
