/** Routes for uploads of vector data into data stores. */
import { type Configure, readConfigure } from '../../catalog/uploads/upload-request.ts';
import { uploadVector } from '../../catalog/uploads/upload-vector.ts';
import { createFlagParameter, createTextParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import { vectorDrivers } from '../../vector/drivers.ts';
import { listUploadDrivers } from '../../vector/port/driver.ts';
import { dataProblems } from '../common/data-problems.ts';
import type { Dialect } from '../common/dialects.ts';
import { family, type Services, upload } from '../common/services.ts';
import { getStorePath } from '../resources/representation.ts';
import { createUploadReport, formatUploadReport } from '../resources/upload-report.ts';

const configure: QueryParameter<Configure> = {
  description: 'Types of the data to publish as feature types: first, all or none. Any other value means first.',
  schema: { type: 'string', enum: ['first', 'none', 'all'] },
  expected: 'first, none or all',
  parse: readConfigure,
  absent: 'first',
};

const SRS_DESCRIPTION =
  'CRS of published feature types whose data declares none, such as EPSG:4326. No effect on other data.';

const uploadDrivers = listUploadDrivers(vectorDrivers);
const formats = uploadDrivers.map(({ uploads }) => uploads.format);
const imports = uploadDrivers
  .filter(({ uploads }) => uploads.isMadeForImports)
  .map(({ uploads, type }) => `with ${uploads.format}, the data is imported into a ${type}`)
  .join('; ');

export function uploadRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Vector uploads',
    {
      description: 'Create data stores from vector files: uploaded bytes, a URL, or a path on the server.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [
      upload(
        '/workspaces/:workspace/datastores/:store/:method.:format',
        `Upload data (method file, url or external; format ${formats.join(' or ')}): create a store, add or replace files, or import into its database`,
        {
          what: 'A ZIP archive or a single file; for url and external, a URL or a path.',
          returns: createUploadReport('featureType', 'data store'),
          ...(dialect.uploadedMapping === 'done' ? { otherSuccesses: [200] as const } : {}),
          role: WORKSPACE_ADMINISTRATOR,
          query: {
            configure,
            charset: createTextParameter('Character encoding of files that do not declare one.'),
            details: createFlagParameter(
              'Also return the number of features, the geometry type, the extent and the attributes with the values of the first feature.',
            ),
            filename: createTextParameter('Name of the stored file, if the body is a single file.'),
            srs: createTextParameter(SRS_DESCRIPTION),
            target: createTextParameter(
              `Format of a new store if it differs from the upload: ${imports}. No effect if the store exists.`,
            ),
            update: createTextParameter(
              'With overwrite, the target tables of an import are emptied first; otherwise rows are appended. No effect on a store of the same format as the upload, where files of the same name are always replaced.',
            ),
          },
          problems: [
            'workspace-unknown',
            'no-default-workspace',
            'no-default-store',
            'name-illegal',
            'srs-unknown',
            'upload-method-unknown',
            'upload-format-unknown',
            'upload-target-unsupported',
            'upload-empty',
            'upload-without-data',
            'upload-into-other-store',
            'upload-loses-data',
            'upload-changes-types',
            'database-host-refused',
            'store-read-only',
            'features-in-file',
            'import-refused',
            'feature-refused',
            'table-refused',
            'table-exists',
            'crs-unknown-to-database',
            'file-name-illegal',
            'archive-refused',
            'archive-too-large',
            'url-refused',
            'url-unreachable',
            'url-too-slow',
            'url-too-large',
            ...dataProblems,
          ],
        },
        async ({ services, principal, params, query: { details: hasDetails, ...query }, body, precondition }) => {
          const { catalog, uploads } = services;
          const uploaded = await uploadVector(catalog, uploads, principal, {
            ...params,
            ...query,
            hasDetails,
            body,
            precondition,
            publishesIncluded: dialect.allMappedTypes === 'with included',
          });
          const { mapping } = uploaded;
          const isDone = mapping !== undefined && (mapping.isArchive || !mapping.isNewStore);
          const report = {
            ...uploaded,
            hasDetails,
            resources: uploaded.types.map(({ view, isNew, details }) => ({
              resource: view.type,
              isNew,
              details,
              hasGeometry: view.type.attributes.some(({ kind }) => kind === 'geometry'),
            })),
          };
          return {
            location: getStorePath(uploaded.view),
            resource: report,
            text: dialect.uploadText === 'report' ? formatUploadReport(report) : '',
            warnings: limitSentences(uploaded.warnings),
            ...(isDone && dialect.uploadedMapping === 'done' ? { status: 200 as const } : {}),
          };
        },
      ),
    ],
  );
}
