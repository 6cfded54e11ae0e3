/** Functions for uploads of single rasters and of mosaics: the target store and its coverages. */

import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { coverageStoreNameRule, toCoverageStoreView } from '../coverage-stores/coverage-stores.ts';
import { type Coverage, coverageKind } from '../kinds/coverage.ts';
import { type CoverageStore, coverageStoreKind } from '../kinds/coverage-store.ts';
import { checkStoreNameAvailable } from '../kinds/stores.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { coverageNameRule } from './coverages.ts';
import {
  type CoverageUploadOptions,
  getNativeName,
  type PreparedCoverages,
  type WrittenCoverage,
} from './publish-coverages.ts';

export interface UploadTarget {
  readonly workspace: Workspace;
  /** Undefined for a store that the upload creates. */
  readonly existing: CoverageStore | undefined;
}

/** The target of an upload. */
export interface UploadAddress {
  readonly workspace: string;
  readonly store: string;
  readonly precondition: Precondition;
}

/** Returns the current store if it accepts data of this type. */
export async function findUploadTarget(
  catalog: CatalogReader,
  { workspace: workspaceName, store: name, precondition }: UploadAddress,
  { type, format }: { readonly type: string; readonly format: string },
): Promise<UploadTarget> {
  const workspace = await findWorkspace(catalog, workspaceName);
  checkName(name, coverageStoreNameRule);
  const existing = await catalog.find(coverageStoreKind, workspace.id, name);
  if (existing === undefined) {
    await checkStoreNameAvailable(catalog, workspace, name);
  } else if (existing.type !== type) {
    throw problem('upload-into-other-coverage-store', { name, type: existing.type, format });
  }
  checkPrecondition(precondition, existing && toCoverageStoreView(existing, workspace).version);
  return { workspace, existing };
}

/** Returns whether the store and its coverages are unchanged since the preparation. */
export async function isUnchangedTarget(
  transaction: CatalogReader,
  before: UploadTarget,
  { known }: PreparedCoverages,
  now: UploadTarget,
): Promise<boolean> {
  const coverages = now.existing === undefined ? [] : await transaction.list(coverageKind, now.existing.id);
  return formatTargetKey(before, known) === formatTargetKey(now, coverages);
}

function formatTargetKey({ workspace, existing }: UploadTarget, coverages: readonly Coverage[]): string {
  const versions = coverages.map(({ id, version }) => [id, version]);
  return JSON.stringify([workspace.id, existing?.id, existing?.version, versions]);
}

export function checkCoverageName({ coverageName }: Pick<CoverageUploadOptions, 'coverageName'>): void {
  if (coverageName !== null) {
    checkName(coverageName, { ...coverageNameRule, field: 'coverageName' });
  }
}

/** Rejects a single coverage name for data with several coverages. */
export function checkSingleCoverage(
  { coverageName, configure }: Pick<CoverageUploadOptions, 'coverageName' | 'configure'>,
  described: readonly CoverageDescription[],
): void {
  if (coverageName !== null && configure && described.length > 1) {
    const names = described.map(({ name }) => `'${name}'`);
    const found = enumerate(names, names.length);
    throw problem('coverage-name-ambiguous', { name: coverageName, found, field: 'coverageName' });
  }
}

/** Lists the names in the data that are not published. */
export function listUnpublished(
  { described, known }: PreparedCoverages,
  written: readonly WrittenCoverage[],
): readonly string[] {
  const published = new Set([...known, ...written.map(({ view: { coverage } }) => coverage)].map(getNativeName));
  return described.map(getNativeName).filter((name) => !published.has(name));
}
