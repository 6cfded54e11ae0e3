/** GeoPackage encoder: a table with a spatial index per set, sent when it is complete. SQLite blocks its thread. */
import { join } from 'node:path';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { geopackageDriver } from '../../vector/geopackage/driver.ts';
import type { Attribute, Feature, IncomingFeatures } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port/port.ts';
import { readScratchFile, type ScratchFolders, withScratchFolder } from '../writing/scratch.ts';
import { toWritableGeometry } from '../writing/writable-geometry.ts';

export function createGeoPackageEncoder(world: ScratchFolders): FeatureEncoder {
  return {
    encode: (collection, signal) =>
      withScratchFolder(world, async function* (folder) {
        const path = join(folder, 'features.gpkg');
        await writeFile(path, collection, signal);
        yield* readScratchFile(path, signal);
      }),
  };
}

async function writeFile(path: string, { sets }: FeatureCollection, signal: AbortSignal): Promise<void> {
  const source = await geopackageDriver.open(
    { dbtype: 'geopkg', database: path },
    { resolvePath: async (named) => named },
  );
  try {
    const session = await source.startWriting?.(signal);
    if (session === undefined) throw new Error('The GeoPackage source does not support writing.');
    try {
      const taken = new Set<string>();
      for (const set of sets) await session.write(toIncomingFeatures(set, taken), 'append');
      await session.commit();
    } catch (error) {
      await session.rollback();
      throw error;
    }
  } finally {
    await source.close();
  }
}

/** Adapts a set to the format: one geometry, valid names, and nullable values. */
function toIncomingFeatures(
  { typeName, description, crs, batches }: FeatureSet,
  takenTables: Set<string>,
): IncomingFeatures {
  const { attributes, defaultGeometry } = description;
  const taken = new Set<string>();
  const columns = attributes.flatMap((attribute, index) => {
    if (attribute.kind === 'geometry' && attribute.name !== defaultGeometry) return [];
    const { minOccurs: _, maxOccurs: __, ...plain } = attribute;
    const name = createUniqueName(attribute.name, 'column', taken);
    const column: Attribute = {
      ...plain,
      name,
      nillable: true,
      ...(plain.kind === 'geometry' ? { crs: crs.reference } : {}),
    };
    return [{ index, column }];
  });
  const fitFeature = ({ id, values }: Feature): Feature => ({
    id,
    values: columns.map(({ index, column }) => {
      const value = values[index] ?? null;
      if (column.kind === 'value') return value;
      const geometry = toWritableGeometry(value);
      const isAnyTaken = column.type === 'Geometry' && column.dimension === 'XY';
      return geometry === null || isAnyTaken ? geometry : withDimension(geometry, column.dimension);
    }),
  });
  return {
    name: createUniqueName(typeName.local.replace(/^(?:gpkg_|rtree_|sqlite_)/i, '_$&'), 'features', takenTables),
    attributes: columns.map(({ column }) => column),
    batches: mapBatches(batches, fitFeature),
  };
}

async function* mapBatches(
  batches: AsyncIterable<readonly Feature[]>,
  fitted: (feature: Feature) => Feature,
): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) yield batch.map(fitted);
}

/** Names are unique regardless of case and within the length limit. */
function createUniqueName(preferred: string, instead: string, taken: Set<string>): string {
  const plain = [...preferred.toWellFormed().replaceAll(/\p{Cc}/gu, '_')].slice(0, 40).join('') || instead;
  let name = plain;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
  taken.add(name.toLowerCase());
  return name;
}

/** A column has one dimension: extra ordinates are dropped and missing ones are zero. */
function withDimension(geometry: Geometry, dimension: Dimension): Geometry {
  if (geometry.dimension === dimension) return geometry;
  const axes = [...dimension].map((axis) => geometry.dimension.indexOf(axis));
  const size = geometry.dimension.length;
  const ordinates = new Float64Array((geometry.ordinates.length / size) * axes.length);
  for (let position = 0; position * size < geometry.ordinates.length; position += 1) {
    for (const [place, axis] of axes.entries())
      ordinates[position * axes.length + place] = axis < 0 ? 0 : (geometry.ordinates[position * size + axis] ?? 0);
  }
  const members = geometry.members?.map((member) => withDimension(member, dimension));
  return { ...geometry, dimension, ordinates, ...(members === undefined ? {} : { members }) };
}
