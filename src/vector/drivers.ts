/** Every kind of vector data this server has. */
import { createAppSchemaDriver } from './app-schema/source/driver.ts';
import { documentDriver } from './documents/driver.ts';
import { geopackageDriver } from './geopackage/driver.ts';
import { interchangeDrivers } from './interchange/drivers.ts';
import type { VectorDriver } from './port/driver.ts';
import { postgisDriver } from './postgis/driver.ts';
import { propertiesDriver } from './properties/driver.ts';
import { shapefileDriver } from './shapefile/driver.ts';

/** Those whose features are rows of tables, which mappings can be made of. */
export const tableDrivers: readonly VectorDriver[] = [
  postgisDriver,
  geopackageDriver,
  shapefileDriver,
  propertiesDriver,
  documentDriver,
  ...interchangeDrivers,
];

/** As they are known by; a server opens mappings with threads and folders of its own. */
export const vectorDrivers: readonly VectorDriver[] = [
  ...tableDrivers,
  createAppSchemaDriver({
    drivers: tableDrivers,
    compile: async (place) => (await import('./app-schema/source/compile-mapping.ts')).compileMapping(place),
    patienceMs: 15_000,
  }),
];
