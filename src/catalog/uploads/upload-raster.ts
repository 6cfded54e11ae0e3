/**
 * Uploads raster data. Like vector data, files are staged, opened, described and stored before the transaction, so that
 * other changes do not wait. Then one change writes the records, or nothing is changed.
 */

import { allSettled } from '../../lib/async/all-settled.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { formatFilePlace } from '../../lib/text/file-place.ts';
import type { RasterDriver } from '../../raster/port/driver.ts';
import type { CoverageDescription } from '../../raster/port/port.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import {
  type CoverageStoreView,
  insertCoverageStore,
  toCoverageStoreView,
} from '../coverage-stores/coverage-stores.ts';
import type { RasterData } from '../coverage-stores/raster-data.ts';
import { getRasterDriverByFormat } from '../coverage-stores/raster-drivers.ts';
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
import { type CoverageStore, coverageStoreKind } from '../kinds/coverage-store.ts';
import { collectUnusedWarnings, type StagedData, type StagingServices, stageUpload } from './stage-upload.ts';
import {
  formatUploadedFileName,
  readUploadMethod,
  type StagedUpload,
  type UploadBody,
  type UploadedFormat,
} from './uploaded-format.ts';

export interface RasterUploadServices extends StagingServices {
  readonly data: RasterData;
}

/** As in the URL. */
export interface RasterUploadInput extends CoverageUploadOptions {
  readonly workspace: string;
  readonly store: string;
  readonly method: string;
  readonly format: string;
  readonly filename: string | null;
  readonly body: UploadBody;
  readonly precondition: Precondition;
}

interface RasterUpload extends StagedUpload, Omit<RasterUploadInput, 'method' | 'format' | 'filename'> {
  readonly driver: RasterDriver;
}

export interface UploadedRaster {
  readonly view: CoverageStoreView;
  readonly coverages: readonly WrittenCoverage[];
  /** The names of other coverages in the uploaded data. */
  readonly unpublished: readonly string[];
  readonly warnings: readonly string[];
}

export async function uploadRaster(
  catalog: Catalog,
  services: RasterUploadServices,
  principal: Principal,
  written: RasterUploadInput,
): Promise<UploadedRaster> {
  const { files } = services;
  const request = readRasterUpload(services.data, written);
  await findRasterTarget(catalog, request);
  const folder = await files.createStaging('upload');
  try {
    const staged = await stageUpload(services, folder, principal, request);
    return await files.runFileOperation(async (keeper) => {
      const [described, flushed] = await allSettled([
        describeRasterUpload(services.data, staged, request),
        // Flush to the disk while the data is described.
        staged.files === undefined ? undefined : keeper.flush(staged.files),
      ]);
      const fileSet = flushed === undefined ? null : await keeper.storeSet(flushed);
      // Repeated only if another request changes the store in the meantime.
      for (;;) {
        const target = await findRasterTarget(catalog, request);
        const prepared = await prepareCoverages(catalog, target.existing, {
          descriptions: described,
          nativeFormat: request.driver.type,
          ...request,
        });
        const what = `upload to coverage store ${request.store} in ${request.workspace}`;
        const uploaded = await catalog.change(principal, what, (transaction) =>
          publishRaster(transaction, request, target, { prepared, fileSet, staged }),
        );
        if (uploaded !== undefined) {
          return uploaded;
        }
      }
    });
  } finally {
    await folder.discard();
  }
}

function readRasterUpload(data: RasterData, written: RasterUploadInput): RasterUpload {
  const { method: writtenMethod, format, filename, ...rest } = written;
  const method = readUploadMethod(writtenMethod);
  const driver = getRasterDriverByFormat(data.drivers, format);
  checkCoverageName(rest);
  const uploaded = toUploadedFormat(driver);
  return { ...rest, method, driver, uploaded, fileName: formatUploadedFileName(filename, written.store, uploaded) };
}

/** Accepts the extensions of the driver; the first one is the default. */
function toUploadedFormat({ format, extensions }: RasterDriver): UploadedFormat {
  const others = extensions.filter((ending) => ending !== format);
  return { format, endings: extensions.includes(format) ? [format, ...others] : extensions, store: 'file' };
}

/**
 * Describes everything in the data, including coverages that are not published: unreadable data is rejected before it
 * is stored.
 */
async function describeRasterUpload(
  data: RasterData,
  { path }: StagedData,
  request: RasterUpload,
): Promise<readonly CoverageDescription[]> {
  const { driver } = request;
  const described = await data.describeStaged(driver, path);
  if (described.length === 0) {
    throw problem('upload-without-data', { format: driver.format, reason: 'the file contains no coverage' });
  }
  checkSingleCoverage(request, described);
  return described;
}

/** Returns the current store if it accepts the upload. */
function findRasterTarget(catalog: CatalogReader, request: RasterUpload): Promise<UploadTarget> {
  return findUploadTarget(catalog, request, request.driver);
}

/** Returns undefined if the store or its coverages have changed in the meantime. */
async function publishRaster(
  transaction: CatalogTransaction,
  request: RasterUpload,
  before: UploadTarget,
  data: { readonly prepared: PreparedCoverages; readonly fileSet: string | null; readonly staged: StagedData },
): Promise<UploadedRaster | undefined> {
  const { prepared } = data;
  const target = await findRasterTarget(transaction, request);
  const { existing, workspace } = target;
  if (!(await isUnchangedTarget(transaction, before, prepared, target))) {
    return undefined;
  }
  const { described, known } = prepared;
  checkNoDataLoss(workspace, existing, known, described);
  const store = await writeStore(transaction, target, request, data);
  const view = toCoverageStoreView(store, workspace);
  const coverages = await writeCoverages(transaction, view, request, described);
  return {
    view,
    coverages,
    unpublished: listUnpublished(prepared, coverages),
    warnings: [
      ...collectUnusedWarnings(data.staged),
      ...described.flatMap((each) => collectCoverageWarnings(each.publication)),
    ],
  };
}

function writeStore(
  transaction: CatalogTransaction,
  { existing, workspace }: UploadTarget,
  { driver, store: name }: RasterUpload,
  { fileSet, staged }: { readonly fileSet: string | null; readonly staged: StagedData },
): Promise<CoverageStore> {
  const place = existing?.filePlace ?? formatFilePlace(workspace.name, name);
  const files = { fileSet, filePlace: fileSet === null ? null : place };
  const url = staged.formatLocation(place);
  return existing === undefined
    ? insertCoverageStore(transaction, workspace, { name, draft: {}, place: { type: driver.type, url }, files })
    : transaction.update(coverageStoreKind, { ...existing, ...files, parameters: { ...existing.parameters, url } });
}
