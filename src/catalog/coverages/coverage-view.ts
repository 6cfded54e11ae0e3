/** A coverage with its store and workspace, and how it is found. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { type CoverageStoreView, findCoverageStore, toCoverageStoreView } from '../coverage-stores/coverage-stores.ts';
import { type Coverage, coverageKind } from '../kinds/coverage.ts';
import { type CoverageStore, coverageStoreKind } from '../kinds/coverage-store.ts';
import { formatQualifiedKey } from '../kinds/resource.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';

export interface CoverageView {
  readonly coverage: Coverage;
  readonly store: CoverageStore;
  readonly workspace: Workspace;
  /** The common version of all parts. */
  readonly version: number;
}

/** The location of a coverage: in one store, or anywhere in a workspace. */
export interface CoverageLocator {
  readonly workspace: string;
  readonly store?: string;
}

export function toCoverageView(coverage: Coverage, { store, workspace, version }: CoverageStoreView): CoverageView {
  return { coverage, store, workspace, version: Math.max(coverage.version, version) };
}

export async function findCoverage(
  catalog: CatalogReader,
  place: CoverageLocator,
  name: string,
): Promise<CoverageView> {
  const found =
    place.store === undefined
      ? await findCoverageInWorkspace(catalog, await findWorkspace(catalog, place.workspace), name)
      : await findCoverageInStore(catalog, await findCoverageStore(catalog, place.workspace, place.store), name);
  if (found === undefined) {
    throw problem('coverage-unknown', { ...place, name: formatPrintableName(name) });
  }
  return found;
}

export async function coverageExists(catalog: CatalogReader, place: CoverageLocator, name: string): Promise<boolean> {
  return findCoverage(catalog, place, name).then(
    () => true,
    () => false,
  );
}

async function findCoverageInStore(
  catalog: CatalogReader,
  view: CoverageStoreView,
  name: string,
): Promise<CoverageView | undefined> {
  const coverage = await catalog.find(coverageKind, view.store.id, name);
  return coverage && toCoverageView(coverage, view);
}

async function findCoverageInWorkspace(
  catalog: CatalogReader,
  workspace: Workspace,
  name: string,
): Promise<CoverageView | undefined> {
  const [coverage] = await catalog.findByKey(coverageKind, 'qualifiedName', formatQualifiedKey(workspace.id, name), 1);
  const store = coverage === undefined ? undefined : await catalog.get(coverageStoreKind, coverage.parent ?? '');
  return coverage && store && toCoverageView(coverage, toCoverageStoreView(store, workspace));
}
