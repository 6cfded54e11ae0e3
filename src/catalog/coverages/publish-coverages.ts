/** Publishes all coverages of uploaded data, or refreshes those that are already published. */

import { problem } from '../../lib/problems/problem.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { CoverageStoreView } from '../coverage-stores/coverage-stores.ts';
import { type Coverage, coverageKind } from '../kinds/coverage.ts';
import type { CoverageStore } from '../kinds/coverage-store.ts';
import { toPublishableName } from '../resources/find-resource.ts';
import { type CoverageView, toCoverageView } from './coverage-view.ts';
import {
  assignFreeCoverageName,
  type CoverageDefaults,
  type CoveragePublication,
  insertCoverage,
  prepareCoverage,
} from './publish-coverage.ts';
import { refreshCoverage } from './refresh-coverages.ts';

/** A published coverage of the data. */
export interface WrittenCoverage {
  readonly view: CoverageView;
  /** Whether this upload published it; otherwise the upload refreshed it. */
  readonly isNew: boolean;
}

/** Everything that is computed before the transaction, which only writes it. */
export interface PreparedCoverages {
  readonly described: readonly PreparedCoverage[];
  /** The published coverages of the store, each in the version at the time of preparation. */
  readonly known: readonly Coverage[];
}

export interface PreparedCoverage {
  readonly nativeName: string;
  readonly publication: CoveragePublication;
  /** The already published coverages, refreshed. */
  readonly refreshed: readonly Coverage[];
}

/** What to publish, under which name, and the defaults for properties that the data does not define. */
export interface CoverageUploadOptions {
  /** Whether to publish the data. */
  readonly configure: boolean;
  /** The name of the coverage; null to use the name in the data. */
  readonly coverageName: string | null;
  readonly habits: CoverageDefaults;
  /** The reference system of coverages whose data declares none. */
  readonly srs?: string | null;
}

export interface CoveragePreparation extends CoverageUploadOptions {
  readonly descriptions: readonly CoverageDescription[];
  readonly nativeFormat: string;
}

export async function prepareCoverages(
  catalog: CatalogReader,
  existing: CoverageStore | undefined,
  { descriptions: all, nativeFormat, coverageName, habits, srs = null }: CoveragePreparation,
): Promise<PreparedCoverages> {
  const known = existing === undefined ? [] : await catalog.list(coverageKind, existing.id);
  const source = { nativeFormat, ...habits };
  const described: PreparedCoverage[] = [];
  for (const each of all) {
    const refreshed: Coverage[] = [];
    for (const coverage of known.filter(({ nativeName }) => nativeName === each.name)) {
      refreshed.push(await refreshCoverage(coverage, each, srs));
    }
    const draft = srs !== null && each.grid.crs.code === undefined ? { srs } : {};
    const publication = await prepareCoverage(each, source, draft, coverageName ?? toPublishableName(each.name));
    described.push({ nativeName: each.name, publication, refreshed });
  }
  return { described, known };
}

export async function writeCoverages(
  transaction: CatalogTransaction,
  view: CoverageStoreView,
  { configure, coverageName }: CoverageUploadOptions,
  described: readonly PreparedCoverage[],
): Promise<readonly WrittenCoverage[]> {
  const written: WrittenCoverage[] = [];
  for (const { publication, refreshed } of described) {
    for (const coverage of refreshed) {
      written.push({ view: toCoverageView(await transaction.update(coverageKind, coverage), view), isNew: false });
    }
    if (refreshed.length === 0 && configure) {
      // A requested name is used as is; only derived names get a suffix.
      const free =
        coverageName === null ? await assignFreeCoverageName(transaction, view.workspace.id, publication) : publication;
      written.push({ view: await insertCoverage(transaction, view, free), isNew: true });
    }
  }
  return written;
}

/** Throws if a published coverage would lose its data. */
export function checkNoDataLoss(
  workspace: Workspace,
  existing: CoverageStore | undefined,
  known: readonly Coverage[],
  described: readonly PreparedCoverage[],
): void {
  const names = new Set(described.map(getNativeName));
  const blockers = known
    .filter(({ nativeName }) => !names.has(nativeName))
    .map(({ name }) => `${workspace.name}:${name}`);
  if (existing !== undefined && blockers.length > 0) {
    throw problem('upload-loses-data', { name: existing.name, blockers, total: blockers.length });
  }
}

export function getNativeName({ nativeName }: { readonly nativeName: string }): string {
  return nativeName;
}
