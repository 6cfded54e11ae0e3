import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { isContinuousIntegration } from './test/support/continuous-integration.ts';
import { findPostgis } from './test/support/find-postgis.ts';
import { UnusualTestsReporter } from './test/support/unusual-tests-reporter.ts';

/** Settings of all tests, also of other configurations. */
export const common = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/restore-globals.ts'],
  // For two cores: a third worker uses the time in which tests wait for disks, processes and deadlines.
  maxWorkers: 3,
  // Servers that tests start load a thousand modules each. As in `npm start`, they are compiled once.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
  // One race in 25,000 tests must not stop all other work. The reporter names it, so that it is fixed.
  retry: isContinuousIntegration() ? 1 : 0,
  reporters: ['default', new UnusualTestsReporter()],
  // Machines may be slow or busy: these limits only end tests that hang.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: 120_000 } },
} satisfies ViteUserConfig['test'];

/** Tests that replace modules, which must not be loaded before. */
const replacingModules = ['src/catalog/resources/another-kind.test.ts', 'src/rendering/query/threaded-queries.test.ts'];

/**
 * Repeats the tests of REST and of the services on servers that store everything in PostgreSQL, as nodes do. It excludes tests
 * that do not depend on the storage, and long ones whose family has other tests.
 */
const onPostgres: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'on PostgreSQL',
    isolate: false,
    env: { TEST_STORAGE: 'postgres' },
    include: ['src/interface/**/*.test.ts', 'src/services/**/*.test.ts', 'test/http/fair-stores.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      // Random input, which is parsed or rejected before anything is stored.
      'src/interface/**/*fuzz*',
      // Documents that are parsed in the same way, whatever stores them.
      'src/interface/styles/style-corpus.test.ts',
      // Failing disks of the embedded storage, and databases and servers that do not answer.
      'src/interface/data-stores/{failing-uploads,silent-databases}.test.ts',
      'src/interface/feature-types/postgis-troubles.test.ts',
      'src/interface/document-schemas/*',
      'src/services/wms/cascaded-maps.test.ts',
      // Files on the disk of the server, which nodes do not write (test/nodes/files-of-nodes.test.ts).
      'src/interface/feature-types/geopackage-feature-types.test.ts',
      'src/interface/resource-files/data-files.test.ts',
      // Access rules of coverage stores and applied documents take the same path as those of data stores and batches.
      'src/interface/coverage-stores/rights.test.ts',
      'src/interface/configuration/apply.test.ts',
      // Messages, drawing and parsing, to which the storage makes no difference; others of their families use it.
      'src/interface/configuration/complaints.test.ts',
      'src/interface/styles/other-languages.test.ts',
      'src/interface/data-stores/refused-mappings.test.ts',
      'src/services/classification/classification.test.ts',
      'src/services/ogc-api/features/attacks.test.ts',
      'src/services/tiles/{tile-edges,tile-options,picture-tiles}.test.ts',
      'src/services/wms/{decorations/decorations,map/picture-options}.test.ts',
      // Effects of settings and other programs that read the services: the storage makes no difference to them.
      'src/services/ows/settings-effects.test.ts',
      'src/services/ogc-api/features/gdal.test.ts',
      'src/services/{wms,wfs}/context/settings.test.ts',
      // Parameters of requests, and pictures and features computed from files that tests of uploads on nodes also read.
      'src/services/unknown-parameters.test.ts',
      'src/services/openapi.test.ts',
      'src/services/ows/{names-with-commas,view-parameters}.test.ts',
      'src/services/access/reprojected-geometries.test.ts',
      'src/services/wms/{antimeridian,busy-server,dimensions,plane-without-crs,time-limits,transformations,z-order}.test.ts',
      'src/services/wms/{animation,kml,legend,map,request}/*.test.ts',
      'src/services/wms/feature-info/info-templates.test.ts',
      'src/services/wcs/{identifiers,older-versions}.test.ts',
      'src/services/wfs/{boxes,busy-joins,complex-features,joins}.test.ts',
      'src/services/ogc-api/features/{extents,filtering,formats,collections/systems}.test.ts',
      'src/services/ogc-api/maps/maps.test.ts',
      'src/services/tiles/{archive-zooms,high-resolution-tiles,national-grids}.test.ts',
      // Files of other servers, which are read in the same way wherever their address is stored.
      'src/interface/data-stores/remote-files.test.ts',
      'src/interface/coverage-stores/{object-geotiff,remote-geotiff}.test.ts',
      'src/interface/feature-types/virtual-tables-of-mysql.test.ts',
      // Spellings and conversions of documents, which are stored like those of the other tests of their families.
      'src/interface/auth-providers/{provider-errors,provider-spellings}.test.ts',
      'src/interface/configuration/{spellings,translate,written-numbers}.test.ts',
      'src/interface/crs/crs.test.ts',
      'src/interface/data-stores/{refused-uploads,upload-report}.test.ts',
      'src/interface/feature-types/{cql-filter,full-representation,reference-habits}.test.ts',
      'src/interface/styles/{forgiven-styles,style-content,style-renditions}.test.ts',
    ],
  },
};

/** Tests inside one process, tests that start the real server, and tests on PostgreSQL. */
export default defineConfig({
  test: {
    ...common,
    projects: [
      {
        extends: true,
        test: {
          name: 'inside',
          // Isolated files would each load the whole server again, an eighth of the time.
          isolate: false,
          include: [
            'src/**/*.test.ts',
            'test/{clients,console,gallery,http,security,contract,structure,support,nodes}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...replacingModules],
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: replacingModules },
      },
      {
        extends: true,
        // The servers are processes of their own: files share nothing that a new worker would separate.
        test: { name: 'e2e', isolate: false, include: ['test/e2e/**/*.test.ts'] },
      },
      ...(findPostgis() === undefined ? [] : [onPostgres]),
    ],
  },
});
