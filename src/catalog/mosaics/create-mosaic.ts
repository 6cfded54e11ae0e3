/** Makes a mosaic by the document of its store: of a folder of the server, with its coverages left to be published. */
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { CoverageStoreDraft, CoverageStoreView } from '../coverage-stores/coverage-stores.ts';
import { refuseOtherWorkspace } from '../stores/store-draft.ts';
import { refuseTakenStoreName } from '../stores/stores.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { skippedSentences } from './harvest-files.ts';
import { type MosaicServices, uploadMosaic, type WrittenMosaicUpload } from './upload-mosaic.ts';

export async function createMosaic(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  workspaceName: string,
  draft: CoverageStoreDraft,
  how: Pick<WrittenMosaicUpload, 'habits' | 'isStrict' | 'signal'>,
): Promise<CoverageStoreView & { readonly warnings: readonly string[] }> {
  const name = draft.name ?? '';
  const url = draft.url?.trim() ?? '';
  if (url === '') {
    throw problem('coverage-store-without-url', { field: 'coverageStore.url' });
  }
  const workspace = await findWorkspace(catalog, workspaceName);
  refuseOtherWorkspace(workspace, draft);
  await refuseTakenStoreName(catalog, workspace, name);
  const { view, harvested, warnings } = await uploadMosaic(catalog, services, principal, {
    ...how,
    workspace: workspace.name,
    store: name,
    draft,
    method: 'external',
    filename: null,
    body: { mediaType: 'text/plain', text: async () => url, saveTo: notSaved },
    configure: false,
    coverageName: null,
    precondition: { ifNoneMatch: 'any' },
  });
  return { ...view, warnings: [...skippedSentences(harvested), ...warnings] };
}

/** Whoever names a folder sends no bytes. */
async function notSaved(): Promise<never> {
  throw new Error('The name of a folder is not saved as a file.');
}
