/** GeoPackages for tests: opened through the driver, and modified outside of it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { computeGeometryBounds } from '../../src/geometry/geometry-bounds.ts';
import { geopackageDriver } from '../../src/vector/geopackage/driver.ts';
import { decodeGeometryBlob, encodeGeometryBlob } from '../../src/vector/geopackage/geometry-blob.ts';
import type { ConnectionParameters } from '../../src/vector/port/driver.ts';
import type { Attribute, VectorSource } from '../../src/vector/port/port.ts';
import { createType } from './vector-writing.ts';

export function openGeopackage(path: string, parameters: ConnectionParameters = {}): Promise<VectorSource> {
  return geopackageDriver.open(
    { dbtype: 'geopkg', database: path, ...parameters },
    { resolvePath: async (named) => named },
  );
}

/** Opens the file as another program does: with the functions that spatial index triggers call. */
export function openAsWriter(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  const bounds = (blob: unknown) =>
    blob instanceof Uint8Array ? computeGeometryBounds(decodeGeometryBlob(blob).geometry) : undefined;
  database.function('ST_IsEmpty', (blob) => (bounds(blob) === undefined ? 1 : 0));
  database.function('ST_MinX', (blob) => bounds(blob)?.minX ?? null);
  database.function('ST_MinY', (blob) => bounds(blob)?.minY ?? null);
  database.function('ST_MaxX', (blob) => bounds(blob)?.maxX ?? null);
  database.function('ST_MaxY', (blob) => bounds(blob)?.maxY ?? null);
  return database;
}

let made = 0;

/** The path of a new file. */
export function freshGeopackagePath(folder: string): string {
  made += 1;
  return join(folder, `data${made}.gpkg`);
}

export function valueAttribute(
  name: string,
  type: Extract<Attribute, { kind: 'value' }>['type'],
  maxLength?: number,
): Attribute {
  return { name, nillable: true, kind: 'value', type, ...(maxLength === undefined ? {} : { maxLength }) };
}

export const pointAttribute: Extract<Attribute, { kind: 'geometry' }> = {
  name: 'geom',
  nillable: true,
  kind: 'geometry',
  type: 'Point',
  dimension: 'XY',
  crs: { code: 'EPSG:2154' },
};

export function pointBlob(x: number, y: number): Uint8Array {
  const geometry = { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, y), ends: [], parts: [] } as const;
  return encodeGeometryBlob(geometry, 2154);
}

/** A file with a table `roads` of one point, created by the driver; `change` modifies it outside the driver. */
export async function makeRoads(
  folder: string,
  change = '',
): Promise<{ readonly path: string; readonly source: VectorSource }> {
  const path = freshGeopackagePath(folder);
  const source = await openGeopackage(path);
  await createType(source, { name: 'roads', attributes: [pointAttribute, valueAttribute('name', 'string')] });
  const database = openAsWriter(path);
  database.prepare('INSERT INTO roads (geom, name) VALUES (?, ?)').run(pointBlob(1, 2), 'first');
  database.exec(change);
  database.close();
  return { path, source };
}
