/** Creates a mosaic, or moves it to another folder, by the document of its store. Publishes nothing. */

import type { Principal } from '../../lib/identity/principal.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Catalog } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import {
  type CoverageStoreDraft,
  type CoverageStoreLocator,
  type CoverageStoreView,
  coverageStoreNameRule,
  insertCoverageStore,
  toCoverageStoreView,
  writeCoverageStoreDraft,
} from '../coverage-stores/coverage-stores.ts';
import type { CoverageDefaults } from '../coverages/publish-coverage.ts';
import { MOSAIC_TYPE } from '../kinds/mosaic.ts';
import { checkStoreNameAvailable } from '../kinds/stores.ts';
import { verifyOrReport } from '../kinds/unverified.ts';
import { checkSameWorkspace } from '../stores/store-draft.ts';
import type { UploadBody } from '../uploads/uploaded-format.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { formatSkippedFiles } from './harvest-files.ts';
import { type MosaicServices, type UploadedMosaic, uploadMosaic } from './upload-mosaic.ts';

/** How the folder of a mosaic is read. */
export interface MosaicReadOptions {
  readonly habits: CoverageDefaults;
  readonly isStrict: boolean;
  readonly signal: AbortSignal;
}

export interface MosaicCreation extends MosaicReadOptions {
  readonly workspace: string;
  readonly draft: CoverageStoreDraft;
  /** Set to create a mosaic whose folder cannot be read. */
  readonly unverified?: UnverifiedPolicy | undefined;
}

/** Reads the definition in the folder of the document, and harvests its files. */
export async function createMosaic(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  reading: MosaicCreation,
): Promise<CoverageStoreView & { readonly warnings: readonly string[] }> {
  const { workspace, draft } = reading;
  const name = draft.name ?? '';
  checkName(name, coverageStoreNameRule);
  const home = await findWorkspace(catalog, workspace);
  checkSameWorkspace(home, draft);
  await checkStoreNameAvailable(catalog, home, name);
  // A creation must not replace a store that another request creates concurrently.
  const precondition: Precondition = { ifNoneMatch: 'any' };
  const written = { ...createDeferredUpload(draft, reading), workspace, store: name, precondition, draft };
  const create = async () => {
    const made = await uploadMosaic(catalog, services, principal, written);
    return { ...made.view, warnings: collectMosaicWarnings(made) };
  };
  if (reading.unverified === undefined) return create();
  const outcome = await verifyOrReport(reading.unverified, create);
  if ('verified' in outcome) return outcome.verified;
  const { unverified } = outcome;
  const place = { type: MOSAIC_TYPE, url: draft.url?.trim() ?? '' };
  return catalog.change(principal, `create coverage store ${name} in ${workspace}`, async (transaction) => {
    const current = await findWorkspace(transaction, workspace);
    const store = await insertCoverageStore(transaction, current, { name, draft, place, unverified });
    return { ...toCoverageStoreView(store, current), warnings: [] };
  });
}

export interface MosaicMove extends MosaicReadOptions {
  readonly place: CoverageStoreLocator;
  readonly draft: CoverageStoreDraft;
  readonly precondition: Precondition;
  readonly mayEnter: (workspace: string) => boolean;
}

/**
 * Keeps published coverages, and rejects a folder that lacks one of them. Applies the other fields of the document too.
 */
export async function moveMosaic(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  options: MosaicMove,
): Promise<{ readonly warnings: readonly string[] }> {
  const { place, draft, precondition, mayEnter } = options;
  const moved = await uploadMosaic(catalog, services, principal, {
    ...createDeferredUpload(draft, options),
    ...place,
    precondition,
    writeInSameChange: (transaction, view) => writeCoverageStoreDraft(transaction, view, draft, mayEnter),
  });
  return { warnings: collectMosaicWarnings(moved) };
}

function collectMosaicWarnings({ harvested, warnings }: UploadedMosaic): readonly string[] {
  return limitSentences([...formatSkippedFiles(harvested), ...warnings]);
}

/** Creates the equivalent of an upload by `external.imagemosaic` with `configure=none`. */
function createDeferredUpload(draft: CoverageStoreDraft, { habits, isStrict, signal }: MosaicReadOptions) {
  const url = draft.url?.trim() ?? '';
  if (url === '') {
    throw problem('coverage-store-without-url', { field: 'coverageStore.url' });
  }
  const body: UploadBody = {
    mediaType: 'text/plain',
    text: async () => url,
    saveTo: () => Promise.reject(new Error('The location of a mosaic must be a folder.')),
  };
  return { method: 'external', filename: null, body, configure: false, coverageName: null, habits, isStrict, signal };
}
