/** Mosaics that are made, or pointed at another folder, by the document of their store. Nothing of them is published. */

import type { Principal } from '../../lib/identity/principal.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Catalog } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import {
  type CoverageStoreDraft,
  type CoverageStoreLocator,
  type CoverageStoreView,
  coverageStoreNameRule,
  writeCoverageStoreDraft,
} from '../coverage-stores/coverage-stores.ts';
import type { CoverageDefaults } from '../coverages/publish-coverage.ts';
import { checkStoreNameAvailable } from '../kinds/stores.ts';
import { checkSameWorkspace } from '../stores/store-draft.ts';
import type { UploadBody } from '../uploads/uploaded-format.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { formatSkippedFiles } from './harvest-files.ts';
import { type MosaicServices, type UploadedMosaic, uploadMosaic } from './upload-mosaic.ts';

/** How the folder of a mosaic is looked at. */
export interface MosaicReadOptions {
  readonly habits: CoverageDefaults;
  readonly isStrict: boolean;
  readonly signal: AbortSignal;
}

/** Reads the definition in the folder that the document names, and harvests what is there. */
export async function createMosaic(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  workspace: string,
  draft: CoverageStoreDraft,
  reading: MosaicReadOptions,
): Promise<CoverageStoreView & { readonly warnings: readonly string[] }> {
  const name = draft.name ?? '';
  checkName(name, coverageStoreNameRule);
  const home = await findWorkspace(catalog, workspace);
  checkSameWorkspace(home, draft);
  await checkStoreNameAvailable(catalog, home, name);
  // Whoever creates a store means none that somebody else makes meanwhile.
  const precondition: Precondition = { ifNoneMatch: 'any' };
  const written = { ...createDeferredUpload(draft, reading), workspace, store: name, precondition, draft };
  const made = await uploadMosaic(catalog, services, principal, written);
  return { ...made.view, warnings: collectMosaicWarnings(made) };
}

/** What is published stays so, and is refused where the other folder has nothing of it. The rest of the document counts too. */
export async function moveMosaic(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  place: CoverageStoreLocator,
  draft: CoverageStoreDraft,
  options: MosaicReadOptions & {
    readonly precondition: Precondition;
    readonly mayEnter: (workspace: string) => boolean;
  },
): Promise<{ readonly warnings: readonly string[] }> {
  const { precondition, mayEnter } = options;
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

/** As an upload by `external.imagemosaic` with `configure=none` has it. */
function createDeferredUpload(draft: CoverageStoreDraft, { habits, isStrict, signal }: MosaicReadOptions) {
  const url = draft.url?.trim() ?? '';
  if (url === '') {
    throw problem('coverage-store-without-url', { field: 'coverageStore.url' });
  }
  const body: UploadBody = {
    mediaType: 'text/plain',
    text: async () => url,
    saveTo: () => Promise.reject(new Error('The place of a mosaic is no file.')),
  };
  return { method: 'external', filename: null, body, configure: false, coverageName: null, habits, isStrict, signal };
}
