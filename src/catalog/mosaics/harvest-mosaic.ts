/** Harvests files of the server or uploaded files into an existing mosaic. */

import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { isDefinitionFile } from '../../raster/mosaic/read-definition.ts';
import type { RemoteList } from '../../raster/mosaic/remote-list.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { FileStoreWriter } from '../../records/files/file-store-writer.ts';
import type { StagingFolder } from '../../records/files/files.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';
import type { Workspace } from '../../records/workspace.ts';
import { type CoverageStoreView, findCoverageStore, toCoverageStoreView } from '../coverage-stores/coverage-stores.ts';
import { refreshCoverageBounds } from '../coverages/refresh-coverages.ts';
import { type Coverage, coverageKind } from '../kinds/coverage.ts';
import { getStoreUrl } from '../kinds/coverage-store.ts';
import { findMosaicCoverage, type Mosaic } from '../kinds/mosaic.ts';
import { describeMosaicCoverage } from '../mosaic-indexes/describe-mosaic.ts';
import { isMosaic, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';
import { writeMosaic } from '../mosaic-indexes/write-mosaic.ts';
import { resolveInsideFiles } from '../stores/uploaded-files.ts';
import { type ReceivedData, receiveUpload, type UploadToReceive } from '../uploads/stage-upload.ts';
import { readUploadMethod, type UploadBody } from '../uploads/uploaded-format.ts';
import {
  formatHarvestCounts,
  type HarvestJob,
  type HarvestResult,
  harvestFiles,
  MAX_REPORTED,
} from './harvest-files.ts';
import { listServerGranules, listUploadedGranules } from './harvest-sources.ts';
import { listRemoteGranules, receiveRemoteSource } from './remote-lists.ts';
import { renameSingleFile } from './rename-single-file.ts';
import type { MosaicServices } from './upload-mosaic.ts';

/** Stored paths were checked when they were stored, so the server opens them with its own permissions. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

export interface HarvestRequest {
  readonly workspace: string;
  readonly store: string;
  /** As in the URL: `file`, `url`, `external` or `remote`. */
  readonly method: string;
  readonly filename: string | null;
  /** The asset of STAC items; null for their only one. */
  readonly asset: string | null;
  /** Whether to recompute the bounds of all published coverages of the store. */
  readonly updateBBox: boolean;
  readonly body: UploadBody;
  readonly signal: AbortSignal;
}

export interface HarvestOutcome {
  readonly view: CoverageStoreView;
  readonly harvested: HarvestResult;
}

/** Harvests all or nothing; unreadable files are skipped and reported. */
export async function harvestIntoMosaic(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  written: HarvestRequest,
): Promise<HarvestOutcome> {
  const { store, workspace } = await findCoverageStore(catalog, written.workspace, written.store);
  if (!isMosaic(store)) {
    throw problem('mosaic-wanted', { name: store.name, type: store.type });
  }
  const staging = await services.files.createStaging('harvest');
  try {
    const received = await receiveGranules(services, staging, principal, written);
    const brought = received.kind === 'remote' ? undefined : await listUploadedFiles(received, store, written);
    return await services.files.runFileOperation((keeper) =>
      runHarvest(catalog, services, principal, { request: written, store, workspace, received, brought, keeper }),
    );
  } finally {
    await staging.discard();
  }
}

/** The data to harvest: files, a path on the server, or a list of remote files, which stay where they are. */
type HarvestData = ReceivedData | { readonly kind: 'remote'; readonly list: RemoteList };

async function receiveGranules(
  services: MosaicServices,
  staging: StagingFolder,
  principal: Principal,
  { method, body, asset, signal }: HarvestRequest,
): Promise<HarvestData> {
  const receive = (transport: Pick<UploadToReceive, 'method' | 'body'>) =>
    receiveUpload(services, staging, principal, {
      ...transport,
      fileName: 'single',
      expected: 'a ZIP archive, a raster file, or the location of one',
      wanted: 'either',
    });
  if (method.toLowerCase() !== 'remote') return receive({ method: readUploadMethod(method), body });
  const source = await receiveRemoteSource(services, staging.path, { body, asset, signal });
  return 'list' in source
    ? { kind: 'remote', list: source.list }
    : receive({ method: 'url', body: { ...body, text: async () => source.archive } });
}

/** Returns the uploaded files that the store will own; undefined for files that stay in place. */
async function listUploadedFiles(
  received: ReceivedData,
  store: MosaicStore,
  { filename, store: name }: HarvestRequest,
): Promise<readonly StagedFile[] | undefined> {
  if (received.kind === 'outside') {
    return undefined;
  }
  if (store.fileSet === null) {
    throw problem('mosaic-outside', { name: store.name });
  }
  const files = received.isArchive ? received.files : [await renameSingleFile(received.files, filename ?? name)];
  // A definition is changed by uploading the mosaic, not by a harvest.
  return files.filter(({ path }) => !isDefinitionFile(path));
}

interface HarvestTask {
  readonly request: HarvestRequest;
  readonly store: MosaicStore;
  readonly workspace: Workspace;
  readonly received: HarvestData;
  readonly brought: readonly StagedFile[] | undefined;
  readonly keeper: FileStoreWriter;
}

function runHarvest(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  { request: { updateBBox, signal }, store: before, workspace, received, brought, keeper }: HarvestTask,
): Promise<HarvestOutcome> {
  const writing = { catalog, indexes: services.indexes, principal, signal };
  return writeMosaic(writing, before, async (session, store) => {
    const files = await harvestFiles(services, session, {
      mosaic: store.mosaic,
      store: { name: store.name, workspace: workspace.name },
      files: await listGranuleFiles(services, store, { received, brought, signal }),
      signal,
    });
    const harvested = received.kind === 'remote' ? addListReport(files, received.list) : files;
    const fileSet = brought === undefined ? store.fileSet : await mergeFileSet(services, store, brought, keeper);
    const mosaic: Mosaic = { ...store.mosaic, coverages: harvested.coverages };
    const boxes = new Map<string, Awaited<ReturnType<typeof describeMosaicCoverage>>>();
    for (const coverage of updateBBox ? harvested.coverages : []) {
      boxes.set(coverage.name, await describeMosaicCoverage(mosaic, coverage, session.read(coverage.schema), signal));
    }
    const published = updateBBox ? await catalog.list(coverageKind, store.id) : [];
    const refreshed: Coverage[] = [];
    for (const coverage of published) {
      const described = findMosaicCoverage(mosaic, coverage.nativeName) && boxes.get(coverage.nativeName);
      if (described !== undefined) {
        refreshed.push(await refreshCoverageBounds(coverage, described));
      }
    }
    return {
      what: `harvest into ${store.name} in ${workspace.name}: ${formatHarvestCounts(harvested.counts)}, ${harvested.counts.skipped} skipped`,
      updateStore: (current) => ({
        ...current,
        fileSet,
        mosaic: { ...current.mosaic, coverages: harvested.coverages },
      }),
      async writeInSameChange(transaction) {
        for (const coverage of refreshed) {
          const current = await transaction.get(coverageKind, coverage.id);
          // Skip a coverage that another request has changed in the meantime.
          if (current?.version === coverage.version) {
            await transaction.update(coverageKind, coverage);
          }
        }
      },
      result: { view: toCoverageStoreView(store, workspace), harvested },
    };
  });
}

async function listGranuleFiles(
  services: MosaicServices,
  store: MosaicStore,
  { received, brought, signal }: Pick<HarvestTask, 'received' | 'brought'> & { readonly signal: AbortSignal },
): Promise<HarvestJob['files']> {
  switch (received.kind) {
    case 'remote':
      return listRemoteGranules(received.list);
    case 'files':
      return listUploadedGranules(brought ?? [], '');
    case 'outside': {
      const mosaicFolder = await findMosaicFolder(services, store);
      return listServerGranules(services.pathGate, { mosaic: store.mosaic, mosaicFolder, received, signal });
    }
  }
}

/** Adds the items that have no usable file. */
function addListReport(harvested: HarvestResult, { skipped, warnings }: RemoteList): HarvestResult {
  const { counts } = harvested;
  return {
    ...harvested,
    counts: { ...counts, files: counts.files + skipped.length, skipped: counts.skipped + skipped.length },
    skipped: [...skipped, ...harvested.skipped].slice(0, MAX_REPORTED),
    warnings: [...warnings, ...harvested.warnings],
  };
}

/** Returns the folder of a mosaic on the server; undefined for one with uploaded files. */
async function findMosaicFolder(services: MosaicServices, store: MosaicStore): Promise<string | undefined> {
  return store.fileSet === null ? services.storePaths.resolveAllowed(getStoreUrl(store), server) : undefined;
}

/** Returns the files of the store with the new ones; files of the same name are replaced. */
async function mergeFileSet(
  { files, dataDir }: MosaicServices,
  store: MosaicStore,
  brought: readonly StagedFile[],
  keeper: FileStoreWriter,
): Promise<string | null> {
  if (store.fileSet === null) {
    return null;
  }
  const inside = resolveInsideFiles(store, dataDir, getStoreUrl(store)) ?? [];
  const placed = brought.map((file) => ({ ...file, path: [...inside, file.path].join('/') }));
  const replaced = new Set(placed.map(({ path }) => path));
  const others = (await files.stored.readSetFiles(store.fileSet)).filter(({ path }) => !replaced.has(path));
  return keeper.storeSet(placed, others);
}
