/** GeoPackages for tests: opened through the driver, and filled behind its back. */
import { DatabaseSync } from 'node:sqlite';
import type { ConnectionParameters } from '../../src/data/vector/driver.ts';
import { geometryBounds } from '../../src/data/vector/geometry-bounds.ts';
import { geopackageDriver } from '../../src/data/vector/geopackage/driver.ts';
import { decodeGeometryBlob } from '../../src/data/vector/geopackage/geometry-blob.ts';
import type { VectorSource } from '../../src/data/vector/port.ts';

export function openGeopackage(path: string, parameters: ConnectionParameters = {}): Promise<VectorSource> {
  return geopackageDriver.open(
    { dbtype: 'geopkg', database: path, ...parameters },
    { resolvePath: async (named) => named },
  );
}

/** As another program opens it: with the functions that the triggers of spatial indexes call. */
export function openAsWriter(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  const bounds = (blob: unknown) =>
    blob instanceof Uint8Array ? geometryBounds(decodeGeometryBlob(blob).geometry) : undefined;
  database.function('ST_IsEmpty', (blob) => (bounds(blob) === undefined ? 1 : 0));
  database.function('ST_MinX', (blob) => bounds(blob)?.minX ?? null);
  database.function('ST_MinY', (blob) => bounds(blob)?.minY ?? null);
  database.function('ST_MaxX', (blob) => bounds(blob)?.maxX ?? null);
  database.function('ST_MaxY', (blob) => bounds(blob)?.maxY ?? null);
  return database;
}
