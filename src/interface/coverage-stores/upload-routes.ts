/** Uploads of raster data into coverage stores. */
import type { CoverageStoreView } from '../../catalog/coverage-stores/coverage-stores.ts';
import { uploadRaster } from '../../catalog/uploads/upload-raster.ts';
import { rasterDrivers } from '../../data/raster/drivers.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import { type QueryParameter, textParameter } from '../../http/query.ts';
import type { RouteTable } from '../../http/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/principal.ts';
import { firstSentences } from '../../lib/wording.ts';
import { rasterProblems } from '../data-problems.ts';
import type { Dialect } from '../dialects.ts';
import { storePath } from '../resources/representation.ts';
import { type ReportedUpload, uploadReportOf, uploadSentences } from '../resources/upload-report.ts';
import { family, type Services, upload } from '../services.ts';
import { coverageStoreDocument } from './representation.ts';

const configure: QueryParameter<boolean> = {
  description: 'With none, nothing of the data is published. Any other value means all of it.',
  schema: { type: 'string', enum: ['first', 'none', 'all'] },
  expected: 'first, none or all',
  parse: (value) => value.trim().toLowerCase() !== 'none',
  absent: true,
};

const report = uploadReportOf('coverage', 'coverage store');

/** As the reference server answers: with the document of the store. */
const storeAlone: DocumentWriter<ReportedUpload & { readonly view: CoverageStoreView }> = {
  root: coverageStoreDocument.root,
  schema: coverageStoreDocument.schema,
  write: ({ view }) => coverageStoreDocument.write(view),
};

const formats = rasterDrivers.map(({ format }) => format);

export function coverageUploadRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Uploads of raster data',
    {
      description:
        'Rasters in files, by their bytes, by a URL, or by their place on the server, made into a coverage store.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [
      upload(
        '/workspaces/:workspace/coveragestores/:store/:method.:format',
        `Upload a raster (method file, url or external; format ${formats.join(' or ')}): create the store, or replace its file`,
        {
          what: 'A ZIP archive or a single file; for url and external, a URL or a path.',
          ...(dialect.uploadedCoverages === 'report' ? { answers: report } : { answers: storeAlone, otherwise: 'xml' }),
          role: WORKSPACE_ADMINISTRATOR,
          query: {
            configure,
            coverageName: textParameter('What the coverage is called; without it, it is called after its file.'),
            filename: textParameter('The name of the stored file, if the body is a single one.'),
          },
          problems: [
            'workspace-unknown',
            'no-default-workspace',
            'name-illegal',
            'store-exists',
            'feature-type-exists',
            'coverage-exists',
            'cascaded-layer-exists',
            'coverage-name-ambiguous',
            'coverage-store-type-planned',
            'upload-method-unknown',
            'upload-format-unknown',
            'upload-empty',
            'upload-without-data',
            'upload-into-other-coverage-store',
            'upload-loses-data',
            'file-name-illegal',
            'archive-refused',
            'archive-too-large',
            'url-refused',
            'url-unreachable',
            'url-too-slow',
            'url-too-large',
            ...rasterProblems,
          ],
        },
        async ({ services, principal, params, query, body, precondition }) => {
          const uploaded = await uploadRaster(services.catalog, services.rasterUploads, principal, {
            ...params,
            ...query,
            body,
            precondition,
            habits: dialect.coverageHabits,
          });
          const told = {
            ...uploaded,
            resources: uploaded.coverages.map(({ view, isNew }) => ({ resource: view.coverage, isNew })),
          };
          return {
            location: storePath(uploaded.view),
            ...(dialect.uploadedCoverages === 'store' && !query.configure ? {} : { resource: told }),
            text: dialect.uploadText === 'report' ? uploadSentences(told) : '',
            warnings: firstSentences(uploaded.warnings),
          };
        },
      ),
    ],
  );
}
