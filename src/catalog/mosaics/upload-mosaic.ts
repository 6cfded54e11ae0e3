/**
 * Uploads mosaics: a definition, granules, or both. Files are unpacked, read, harvested and stored before the
 * transaction, so that other changes do not wait. Then one change writes the store and its coverages and makes the
 * index visible, or nothing is changed.
 */
import { basename, dirname, join } from 'node:path';
import type { PathGate } from '../../gates/path-gate.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { formatFilePlace, formatFileUrl } from '../../lib/text/file-place.ts';
import type { HarvestFile } from '../../raster/mosaic/harvested-files.ts';
import { DATASTORE_FILE } from '../../raster/mosaic/index-request.ts';
import { isDefinitionFile, readDefinition, readDefinitionFiles } from '../../raster/mosaic/read-definition.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { FileStoreWriter } from '../../records/files/file-store-writer.ts';
import type { StagingFolder } from '../../records/files/files.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';
import {
  type CoverageStoreDraft,
  type CoverageStoreView,
  insertCoverageStore,
  toCoverageStoreView,
} from '../coverage-stores/coverage-stores.ts';
import { collectCoverageWarnings } from '../coverages/publish-coverage.ts';
import {
  type CoverageUploadOptions,
  checkNoDataLoss,
  type PreparedCoverages,
  prepareCoverages,
  type WrittenCoverage,
  writeCoverages,
} from '../coverages/publish-coverages.ts';
import {
  checkCoverageName,
  checkSingleCoverage,
  findUploadTarget,
  isUnchangedTarget,
  listUnpublished,
  type UploadTarget,
} from '../coverages/upload-target.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { type IndexHolder, MOSAIC_FORMAT, MOSAIC_TYPE, type Mosaic } from '../kinds/mosaic.ts';
import { describeMosaicCoverage } from '../mosaic-indexes/describe-mosaic.ts';
import { isMosaic } from '../mosaic-indexes/mosaic-indexes.ts';
import { type IndexServices, type NewIndex, prepareMosaicIndex } from '../mosaic-indexes/prepare-mosaic-index.ts';
import { writeGranules } from '../mosaic-indexes/write-mosaic.ts';
import { type ReceivedData, receiveExternal, receiveUpload, type StagingServices } from '../uploads/stage-upload.ts';
import { readUploadMethod, type UploadBody } from '../uploads/uploaded-format.ts';
import { formatHarvestCounts, type HarvestResult, type HarvestServices, harvestFiles } from './harvest-files.ts';
import { findMosaicRoot, listServerGranules, listUploadedGranules } from './harvest-sources.ts';
import { renameSingleFile } from './rename-single-file.ts';

export interface MosaicServices extends StagingServices, HarvestServices, IndexServices {
  /** For the folders of existing mosaics. */
  readonly storePaths: PathGate;
}

/** The uploaded data, as in the URL; or files of the server in a folder. */
type MosaicSource =
  | { readonly method: string; readonly filename: string | null; readonly body: UploadBody }
  | {
      placeIn(folder: string): Promise<readonly StagedFile[]>;
      /** The path at which clients see the files of a new store. */
      readonly filePlace: string;
    };

export type MosaicUploadRequest = MosaicUploadOptions & MosaicSource;

interface MosaicUploadOptions extends CoverageUploadOptions {
  readonly workspace: string;
  readonly store: string;
  /** The fields of a new store besides its data. */
  readonly draft?: CoverageStoreDraft;
  readonly precondition: Precondition;
  /** Whether unknown properties of the definition are rejected. */
  readonly isStrict: boolean;
  /** Further writes in the same change; returns the resulting store. */
  readonly writeInSameChange?: (transaction: CatalogTransaction, view: CoverageStoreView) => Promise<CoverageStoreView>;
  readonly signal: AbortSignal;
}

export interface UploadedMosaic {
  readonly view: CoverageStoreView;
  readonly coverages: readonly WrittenCoverage[];
  readonly unpublished: readonly string[];
  readonly harvested: HarvestResult;
  readonly warnings: readonly string[];
}

/** The files of a mosaic to create. */
interface MosaicFiles {
  /** The folder of its definition. */
  readonly folder: string;
  /** The same folder as a path within the uploaded files. */
  readonly inside: string;
  /** The files of the store; undefined for a folder of the server, which stays in place. */
  readonly uploaded: readonly StagedFile[] | undefined;
  readonly received: ReceivedData;
}

export async function uploadMosaic(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  written: MosaicUploadRequest,
): Promise<UploadedMosaic> {
  const { files } = services;
  checkCoverageName(written);
  const before = await findUploadTarget(catalog, written, mosaicUpload);
  const staging = await files.createStaging('upload');
  try {
    const place = await receiveMosaic(services, staging, principal, written);
    const read = await readDefinition(await readDefinitionFiles(place.folder), written);
    const { index: request, ...definition } = read.definition;
    const former = before.existing?.mosaic ?? undefined;
    const where = { ...written, workspace: before.workspace.name, principal, current: former?.index };
    const made = await prepareMosaicIndex(catalog, services, request, where);
    const warnings = [...read.warnings, ...made.warnings, ...collectPathWarnings(definition, place)];
    const holder = { name: written.store, sealedParameters: made.sealedParameters, mosaic: { index: made.index } };
    const isOther = made.index.key !== former?.index.key;
    const replaced =
      isOther && before.existing !== undefined && isMosaic(before.existing) ? before.existing : undefined;
    let isKept = false;
    try {
      if (replaced !== undefined && !catalog.isDryRun) await services.indexes.schedulePendingDrop(replaced);
      const uploaded = await files.runFileOperation((keeper) =>
        createAndPublishMosaic({
          catalog,
          services,
          principal,
          written,
          before,
          place,
          definition,
          made,
          holder,
          warnings,
          keeper,
        }),
      );
      isKept = !catalog.isDryRun;
      const left =
        replaced === undefined ? undefined : await catalog.afterCommit(() => services.indexes.drop(replaced));
      return { ...uploaded, warnings: [...uploaded.warnings, ...(left ?? [])] };
    } finally {
      if (isOther && !isKept) {
        // The failed index is no longer needed.
        await services.indexes.release(holder);
      }
    }
  } finally {
    await staging.discard();
  }
}

async function receiveMosaic(
  services: StagingServices,
  staging: StagingFolder,
  principal: Principal,
  written: MosaicUploadRequest,
): Promise<MosaicFiles> {
  if ('placeIn' in written) {
    const folder = join(staging.path, 'content');
    return toMosaicFiles(
      { kind: 'files', folder, files: await written.placeIn(folder), isArchive: true },
      written.store,
    );
  }
  const { method, store, filename, body } = written;
  const received = await receiveUpload(services, staging, principal, {
    method: readUploadMethod(method),
    fileName: 'single',
    body,
    expected: 'a ZIP archive with the definition of a mosaic, its granules, or both',
    wanted: 'either',
  });
  if (received.kind === 'outside') {
    const place =
      received.what === 'folder' ? received : await resolveDefinitionFolder(services, principal, received.path);
    return { folder: place.path, inside: '', uploaded: undefined, received: place };
  }
  return toMosaicFiles(received, filename ?? store);
}

async function toMosaicFiles(
  received: Extract<ReceivedData, { kind: 'files' }>,
  singleName: string,
): Promise<MosaicFiles> {
  const uploaded = received.isArchive ? received.files : [await renameSingleFile(received.files, singleName)];
  const inside = findMosaicRoot(uploaded);
  return { folder: join(received.folder, ...inside.split('/')), inside, uploaded, received };
}

/** A path to a definition file refers to its folder. */
async function resolveDefinitionFolder(
  services: StagingServices,
  principal: Principal,
  path: string,
): Promise<Extract<ReceivedData, { kind: 'outside' }>> {
  if (!isDefinitionFile(basename(path))) {
    const reason = 'a mosaic must be a folder of the server, a definition file, or an archive';
    throw problem('upload-without-data', { format: MOSAIC_FORMAT, reason });
  }
  return receiveExternal(services, principal, dirname(path), 'folder');
}

interface MosaicCreation {
  readonly catalog: Catalog;
  readonly services: MosaicServices;
  readonly principal: Principal;
  readonly written: MosaicUploadRequest;
  readonly before: UploadTarget;
  readonly place: MosaicFiles;
  readonly definition: Mosaic['definition'];
  readonly made: NewIndex;
  readonly holder: IndexHolder;
  readonly warnings: readonly string[];
  readonly keeper: FileStoreWriter;
}

async function createAndPublishMosaic(making: MosaicCreation): Promise<UploadedMosaic> {
  const { catalog, services, principal, written, before, place, definition, made, holder, keeper } = making;
  const { signal, store } = written;
  // An index that reuses its tables starts with the existing ones and clears them.
  const former = before.existing?.mosaic?.index.key === made.index.key ? before.existing.mosaic : undefined;
  return writeGranules(
    { catalog, indexes: services.indexes, principal, signal, isNew: former === undefined },
    holder,
    async () => (former === undefined ? 0 : former.indexVersion),
    async (session) => {
      for (const { schema } of former?.coverages ?? []) {
        await session.remove(schema, undefined);
      }
      const harvested = await harvestFiles(services, session, {
        mosaic: { definition, coverages: [] },
        store: { name: store, workspace: before.workspace.name },
        files: listHarvestFiles(services, place, definition, signal),
        signal,
      });
      checkNotEmpty(store, definition, harvested);
      const described: CoverageDescription[] = [];
      for (const coverage of harvested.coverages) {
        described.push(await describeMosaicCoverage({ definition }, coverage, session.read(coverage.schema), signal));
      }
      checkSingleCoverage(written, described);
      const prepared = await prepareCoverages(catalog, before.existing, {
        descriptions: described,
        nativeFormat: MOSAIC_TYPE,
        ...written,
      });
      const fileSet = place.uploaded === undefined ? null : await keeper.storeSet(omitSecretFiles(place.uploaded));
      return {
        what: `upload mosaic ${store} in ${before.workspace.name}: ${formatHarvestCounts(harvested.counts)}`,
        apply: (transaction, indexVersion) =>
          publishMosaic(transaction, making, {
            prepared,
            harvested,
            fileSet,
            mosaic: { definition, index: made.index, indexVersion, coverages: harvested.coverages },
          }),
      };
    },
  );
}

function listHarvestFiles(
  services: StagingServices,
  { received, uploaded, inside, folder }: MosaicFiles,
  definition: Mosaic['definition'],
  signal: AbortSignal,
): Iterable<HarvestFile> | AsyncIterable<HarvestFile> {
  return received.kind === 'outside'
    ? listServerGranules(services.pathGate, { mosaic: { definition }, mosaicFolder: folder, received, signal })
    : listUploadedGranules(uploaded ?? [], inside);
}

/** Omits files with database passwords; the store keeps the password encrypted. */
function omitSecretFiles(files: readonly StagedFile[]): readonly StagedFile[] {
  return files.filter(({ path }) => path.split('/').at(-1)?.toLowerCase() !== DATASTORE_FILE);
}

function collectPathWarnings({ isAbsolutePath }: Mosaic['definition'], { uploaded }: MosaicFiles): readonly string[] {
  const hasGranules = uploaded?.some(({ path }) => !isDefinitionFile(basename(path))) ?? false;
  return isAbsolutePath && hasGranules
    ? ["'AbsolutePath' is ignored for granules of the archive, because the server manages their files."]
    : [];
}

/** The number of reasons in the error message. */
const MAX_REASONS = 3;

function checkNotEmpty(name: string, { canBeEmpty }: Mosaic['definition'], { counts, skipped }: HarvestResult): void {
  if (counts.granules === 0 && !canBeEmpty) {
    const reasons = skipped.slice(0, MAX_REASONS).map(({ name: file, reason }) => `${file}: ${reason}`);
    throw problem('mosaic-empty', { name, reasons: reasons.join('; ') });
  }
}

const mosaicUpload = { type: MOSAIC_TYPE, format: MOSAIC_FORMAT };

async function publishMosaic(
  transaction: CatalogTransaction,
  { written, before, place, warnings, made }: MosaicCreation,
  data: { readonly fileSet: string | null; readonly mosaic: Mosaic } & {
    readonly prepared: PreparedCoverages;
    readonly harvested: HarvestResult;
  },
): Promise<UploadedMosaic> {
  const { prepared, harvested } = data;
  const target = await findUploadTarget(transaction, written, mosaicUpload);
  // A harvest is expensive, so it is not repeated after a concurrent change; the client gets an error.
  if (!(await isUnchangedTarget(transaction, before, prepared, target))) {
    throw problem('mosaic-gone', { name: written.store });
  }
  const { existing, workspace } = target;
  const { described, known } = prepared;
  checkNoDataLoss(workspace, existing, known, described);
  const ownPlace = 'filePlace' in written ? written.filePlace : formatFilePlace(workspace.name, written.store);
  const filePlace = existing?.filePlace ?? ownPlace;
  const files = { fileSet: data.fileSet, filePlace: data.fileSet === null ? null : filePlace };
  const own = formatFileUrl([...filePlace.split('/'), ...place.inside.split('/').filter((part) => part !== '')]);
  const url = place.received.kind === 'outside' ? place.received.formatLocation(filePlace) : `${own}/`;
  const inserted =
    existing ??
    (await insertCoverageStore(transaction, workspace, {
      name: written.store,
      draft: written.draft ?? {},
      place: { type: MOSAIC_TYPE, url },
      files,
    }));
  const { unverified: _, ...verified } = inserted;
  const store = await transaction.update(coverageStoreKind, {
    ...verified,
    ...files,
    parameters: { ...inserted.parameters, url },
    sealedParameters: made.sealedParameters,
    mosaic: data.mosaic,
  });
  const view = toCoverageStoreView(store, workspace);
  const coverages = await writeCoverages(transaction, view, written, described);
  return {
    view: written.writeInSameChange === undefined ? view : await written.writeInSameChange(transaction, view),
    coverages,
    unpublished: listUnpublished(prepared, coverages),
    harvested,
    warnings: [
      ...warnings,
      ...harvested.warnings,
      ...described.flatMap((each) => collectCoverageWarnings(each.publication)),
    ],
  };
}
