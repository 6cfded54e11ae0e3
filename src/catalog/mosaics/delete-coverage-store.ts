/** Deletes a coverage store together with its mosaic index, and with its files on request. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { type CoverageStoreLocator, findCoverageStore } from '../coverage-stores/coverage-stores.ts';
import { getStoreUrl } from '../kinds/coverage-store.ts';
import { listFormerFileSets, listSetTargets } from '../kinds/purged-sets.ts';
import { removeStore } from '../kinds/stores.ts';
import { isMosaic, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';
import { checkMayPurge, purgeFolder } from './purge-granule-files.ts';
import type { Purge } from './remove-granules.ts';
import type { MosaicServices } from './upload-mosaic.ts';

export interface CoverageStoreDeletion {
  readonly place: CoverageStoreLocator;
  readonly recurse: boolean;
  /**
   * With `all`, the uploaded files, their earlier versions and the granule files in the folder of a mosaic are deleted
   * from the disk when this resolves. Otherwise uploads stay as long as the history refers to them.
   */
  readonly purge: Purge;
  readonly precondition: Precondition;
}

/** Deletes the store. Returns warnings. */
export async function deleteCoverageStore(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  { place, recurse, purge, precondition }: CoverageStoreDeletion,
): Promise<{ readonly warnings: readonly string[] }> {
  const { store: before } = await findCoverageStore(catalog, place.workspace, place.store);
  const isPurged = purge === 'all';
  if (isPurged) {
    await checkMayPurge(services, principal, before);
  }
  if (isMosaic(before) && !catalog.isDryRun) {
    await services.indexes.schedulePendingDrop(before);
  }
  const what = `${isPurged ? 'purge' : 'delete'} coverage store ${place.store} in ${place.workspace}`;
  let gone = before;
  await services.files.changeAndPurge(catalog.isFileInUse, isPurged ? listSetTargets(before) : [], async () => {
    gone = await catalog.change(principal, what, async (transaction) => {
      const { store, version } = await findCoverageStore(transaction, place.workspace, place.store);
      checkPrecondition(precondition, version);
      await removeStore(transaction, store, { recurse });
      return store;
    });
    return isPurged ? listFormerFileSets(catalog, gone.id) : [];
  });
  const mosaic = isMosaic(gone) ? gone : undefined;
  if (mosaic === undefined) {
    return { warnings: [] };
  }
  const isSameFolder = getStoreUrl(mosaic) === getStoreUrl(before) && mosaic.fileSet === null;
  const warnings = await catalog.afterCommit(async () => {
    const kept = isPurged && isSameFolder ? await purgeGranules(services, mosaic) : [];
    return [...kept, ...(await services.indexes.drop(mosaic, isPurged ? 'purged' : undefined))];
  });
  return { warnings: warnings ?? [] };
}

/** The store is already deleted, so failures become warnings. */
async function purgeGranules(services: MosaicServices, store: MosaicStore): Promise<readonly string[]> {
  try {
    return await purgeFolder(services, store, [...(await collectGranuleLocations(services, store))]);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [`The granule files are kept because the index is unreadable: ${error.message}`];
  }
}

/** A million granules take some seconds. */
const READ_TIMEOUT_MS = 120_000;

/** Collects the locations of all granules, without duplicates. */
async function collectGranuleLocations({ indexes }: MosaicServices, store: MosaicStore): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const index = await indexes.getIndex(store);
  for (const { schema } of store.mosaic.coverages) {
    for await (const batch of index.open(schema, store.mosaic.indexVersion).list({}, signal)) {
      for (const { location } of batch) found.add(location);
    }
  }
  return found;
}
