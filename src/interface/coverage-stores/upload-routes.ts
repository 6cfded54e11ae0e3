/** Routes for uploads of raster data into coverage stores. */
import type { CoverageStoreView } from '../../catalog/coverage-stores/coverage-stores.ts';
import { MOSAIC_FORMAT } from '../../catalog/kinds/mosaic.ts';
import { resolveSrs } from '../../catalog/kinds/resource-draft.ts';
import { formatSkippedFiles, type HarvestResult } from '../../catalog/mosaics/harvest-files.ts';
import { type UploadedRaster, uploadRaster } from '../../catalog/uploads/upload-raster.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import { createFlagParameter, createTextParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import { rasterDrivers } from '../../raster/drivers.ts';
import { formatPrintableName } from '../../records/names.ts';
import { rasterProblems } from '../common/data-problems.ts';
import type { Dialect } from '../common/dialects.ts';
import { family, type Services, upload } from '../common/services.ts';
import { getStorePath } from '../resources/representation.ts';
import { createUploadReport, formatUploadReport, type ReportedUpload } from '../resources/upload-report.ts';
import { formatHarvestReport, harvestReport } from './harvest-report.ts';
import { coverageStoreDocument } from './representation.ts';

const configure: QueryParameter<boolean> = {
  description: 'With none, nothing is published. Any other value publishes everything.',
  schema: { type: 'string', enum: ['first', 'none', 'all'] },
  expected: 'first, none or all',
  parse: (value) => value.trim().toLowerCase() !== 'none',
  absent: true,
};

const report = createUploadReport('coverage', 'coverage store');

/** The reference server returns the store document. */
const storeAlone: DocumentWriter<ReportedUpload & { readonly view: CoverageStoreView }> = {
  root: coverageStoreDocument.root,
  schema: coverageStoreDocument.schema,
  write: ({ view }) => coverageStoreDocument.write(view),
};

const formats = [...rasterDrivers.map(({ format }) => format), MOSAIC_FORMAT];

const path = '/workspaces/:workspace/coveragestores/:store/:method.:format';

/** Problems with the uploaded bytes, for every upload method. */
const unfit = [
  'workspace-unknown',
  'no-default-workspace',
  'upload-method-unknown',
  'upload-format-unknown',
  'upload-empty',
  'upload-without-data',
  'file-name-illegal',
  'archive-refused',
  'archive-too-large',
  'url-unreachable',
  'url-too-slow',
  'url-too-large',
  'mosaic-gone',
  'client-gone',
  'store-unreachable',
  'table-refused',
  ...rasterProblems,
] as const;

/** Problems with the store that an upload creates or replaces. */
const wrongStore = [
  'name-illegal',
  'store-exists',
  'feature-type-exists',
  'coverage-exists',
  'cascaded-layer-exists',
  'layer-group-exists',
  'coverage-name-ambiguous',
  'upload-into-other-coverage-store',
  'upload-loses-data',
  'mosaic-definition-invalid',
  'mosaic-empty',
  'mosaic-index-unreachable',
  'mosaic-index-store-refused',
  'store-unknown',
  'database-host-refused',
  'store-parameter-invalid',
] as const;

export function coverageUploadRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Raster uploads',
    {
      description: 'Create coverage stores from raster files: uploaded bytes, a URL, or a path on the server.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [createUploadRow(dialect), createHarvestRow(dialect)],
  );
}

function createUploadRow(dialect: Dialect) {
  return upload(
    path,
    `Upload a raster (method file, url or external; format ${formats.join(' or ')}): create the store or replace its data`,
    {
      what: 'A ZIP archive or a single file; for url and external, a URL or a path.',
      ...(dialect.uploadedCoverages === 'report' ? { returns: report } : { returns: storeAlone, otherwise: 'xml' }),
      role: WORKSPACE_ADMINISTRATOR,
      ...(dialect.uploadedMosaic === 201 ? {} : { otherSuccesses: [dialect.uploadedMosaic] }),
      query: {
        configure,
        details: createFlagParameter('Also return the extent of the coverages.'),
        coverageName: createTextParameter('Name of the coverage; default: the name of the file.'),
        filename: createTextParameter('Name of the stored file, if the body is a single file.'),
        srs: createTextParameter(
          'CRS of published coverages whose data declares none, such as EPSG:4326. No effect on other data.',
        ),
      },
      problems: [...unfit, ...wrongStore, 'srs-unknown'],
    },
    async ({
      services,
      principal,
      params,
      query: { details: hasDetails, ...query },
      body,
      precondition,
      isStrict,
      signal,
    }) => {
      const isMosaic = params.format.trim().toLowerCase() === MOSAIC_FORMAT;
      const srs = query.srs === null ? null : await resolveSrs(query.srs, 'srs');
      const written = { ...params, ...query, srs, body, precondition, habits: dialect.coverageHabits };
      const uploaded: UploadedRaster & { readonly harvested?: HarvestResult } = isMosaic
        ? await (await import('../../catalog/mosaics/upload-mosaic.ts')).uploadMosaic(
            services.catalog,
            services.mosaics,
            principal,
            {
              ...written,
              isStrict,
              signal: signal(),
            },
          )
        : await uploadRaster(services.catalog, services.rasterUploads, principal, written);
      const skipped = uploaded.harvested === undefined ? [] : formatSkippedFiles(uploaded.harvested);
      const reported = {
        ...uploaded,
        warnings: [...skipped, ...uploaded.warnings],
        hasDetails,
        resources: uploaded.coverages.map(({ view, isNew }) => ({
          resource: view.coverage,
          isNew,
          hasGeometry: true,
        })),
      };
      return {
        location: getStorePath(uploaded.view),
        ...(dialect.uploadedCoverages === 'store' && !query.configure ? {} : { resource: reported }),
        text: dialect.uploadText === 'report' ? formatUploadReport(reported) : '',
        warnings: limitSentences(reported.warnings),
        ...(isMosaic ? { status: dialect.uploadedMosaic } : {}),
      };
    },
  );
}

function createHarvestRow(dialect: Dialect) {
  return upload(
    path,
    'Harvest a file, a folder or an archive into a mosaic (method external, file, url or remote)',
    {
      method: 'POST',
      what: 'Path or URL of a file or folder; for file, a ZIP archive or a single file; for remote, URLs of GeoTIFF files that stay where they are (one per line), a STAC item collection, or the URL of one.',
      returns: harvestReport,
      success: dialect.harvested,
      role: WORKSPACE_ADMINISTRATOR,
      query: {
        filename: createTextParameter('Name of the stored file, if the body is a single file.'),
        asset: createTextParameter('For STAC items: the asset to harvest; default: the only GeoTIFF asset.'),
        updateBBox: createFlagParameter('Recompute the boxes of all published coverages of the mosaic.'),
      },
      problems: [...unfit, 'store-unknown', 'mosaic-wanted', 'mosaic-outside', 'mosaic-list-invalid'],
    },
    async ({ services, principal, params, query, body, signal }) => {
      if (!formats.includes(params.format.trim().toLowerCase())) {
        throw problem('upload-format-unknown', { format: formatPrintableName(params.format), known: formats });
      }
      const { harvestIntoMosaic } = await import('../../catalog/mosaics/harvest-mosaic.ts');
      const outcome = await harvestIntoMosaic(services.catalog, services.mosaics, principal, {
        ...params,
        ...query,
        body,
        signal: signal(),
      });
      return {
        location: getStorePath(outcome.view),
        ...(dialect.uploadText === 'report' ? { resource: outcome } : {}),
        text: dialect.uploadText === 'report' ? formatHarvestReport(outcome) : '',
        warnings: limitSentences(outcome.harvested.warnings),
      };
    },
  );
}
