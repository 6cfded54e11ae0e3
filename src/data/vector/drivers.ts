/** Every kind of vector data this server has. */
import { documentDriver } from '../documents/driver.ts';
import type { VectorDriver } from './driver.ts';
import { geopackageDriver } from './geopackage/driver.ts';
import { postgisDriver } from './postgis/driver.ts';
import { propertiesDriver } from './properties/driver.ts';
import { shapefileDriver } from './shapefile/driver.ts';

export const vectorDrivers: readonly VectorDriver[] = [
  postgisDriver,
  geopackageDriver,
  shapefileDriver,
  propertiesDriver,
  documentDriver,
];
