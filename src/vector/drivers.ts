/** The vector drivers of this server. */
import { createAppSchemaDriver } from './app-schema/source/driver.ts';
import { documentDriver } from './documents/driver.ts';
import { flatgeobufDriver } from './flatgeobuf/driver.ts';
import { geopackageDriver } from './geopackage/driver.ts';
import { geoparquetDriver } from './geoparquet/driver.ts';
import { interchangeDrivers } from './interchange/drivers.ts';
import { mysqlDriver } from './mysql/driver.ts';
import type { VectorDriver } from './port/driver.ts';
import { postgisDriver } from './postgis/driver.ts';
import { propertiesDriver } from './properties/driver.ts';
import { shapefileDriver } from './shapefile/driver.ts';
import { mbtilesVectorDriver, pmtilesVectorDriver } from './tile-archives/drivers.ts';

/** Drivers whose features are table rows, which mappings support as sources. */
export const tableDrivers: readonly VectorDriver[] = [
  postgisDriver,
  mysqlDriver,
  geopackageDriver,
  shapefileDriver,
  propertiesDriver,
  documentDriver,
  geoparquetDriver,
  flatgeobufDriver,
  mbtilesVectorDriver,
  pmtilesVectorDriver,
  ...interchangeDrivers,
];

/** All drivers; a server replaces the app-schema driver with one that has its threads and folders. */
export const vectorDrivers: readonly VectorDriver[] = [
  ...tableDrivers,
  createAppSchemaDriver({
    drivers: tableDrivers,
    compile: async (place) => (await import('./app-schema/source/compile-mapping.ts')).compileMapping(place),
    patienceMs: 15_000,
  }),
];
