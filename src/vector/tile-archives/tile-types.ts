/** The types of an archive of vector tiles: its layers, as the metadata or else one tile describes them. */
import type { GeometryType } from '../../geometry/geometry.ts';
import { decodeFeature, decodeLayers, type TileValue } from './decode-tile.ts';
import type { ArchivedLayer, TileArchive } from './model/tile-archive.ts';
import { unpackTile } from './model/unpack-tile.ts';

export interface ArchiveField {
  readonly name: string;
  readonly type: 'string' | 'double' | 'boolean';
}

export interface ArchiveType {
  readonly name: string;
  /** The description of the layer. */
  readonly description?: string;
  /** The name of the geometry attribute. */
  readonly geometry: string;
  /** The types of multiple geometries, or any. */
  readonly geometryType: Extract<GeometryType, 'MultiPoint' | 'MultiLineString' | 'MultiPolygon' | 'Geometry'>;
  readonly fields: readonly ArchiveField[];
}

export function listArchiveTypes(archive: TileArchive): readonly ArchiveType[] {
  const { layers } = archive.info;
  return layers.length > 0 ? layers.map(toType) : sampleTypes(archive);
}

function toType({ id, description, geometry, fields }: ArchivedLayer): ArchiveType {
  const typed = [...fields].map(([name, type]) => ({ name, type: toFieldType(type) }));
  return { ...createType(id, typed, geometry), ...(description === undefined ? {} : { description }) };
}

function createType(
  name: string,
  fields: readonly ArchiveField[],
  geometryType: ArchiveType['geometryType'],
): ArchiveType {
  const names = new Set(fields.map((field) => field.name));
  let geometry = 'geometry';
  while (names.has(geometry)) geometry += '_';
  return { name, geometry, geometryType, fields };
}

function toFieldType(type: string): ArchiveField['type'] {
  const lower = type.toLowerCase();
  if (lower === 'boolean') return 'boolean';
  return lower === 'number' ? 'double' : 'string';
}

/** The first tile is of a coarse zoom, which has all layers in most archives. */
function sampleTypes(archive: TileArchive): readonly ArchiveType[] {
  const sample = archive.readSample();
  if (sample === undefined) return [];
  const types = decodeLayers(unpackTile(sample), () => true).map((layer) => {
    const found = new Map<string, Set<ArchiveField['type']>>();
    for (const bytes of layer.features) {
      const tags = decodeFeature(bytes)?.tags ?? [];
      for (let at = 0; at + 1 < tags.length; at += 2) {
        const key = layer.keys[tags[at] ?? -1];
        const value = layer.values[tags[at + 1] ?? -1];
        if (key === undefined || value === undefined) continue;
        const known = found.get(key) ?? new Set();
        found.set(key, known.add(findValueType(value)));
      }
    }
    const fields = [...found].map(([name, kinds]) => {
      const [only = 'string', ...others] = kinds;
      return { name, type: others.length === 0 ? only : 'string' };
    });
    return createType(layer.name, fields, 'Geometry');
  });
  return types.filter(({ name }) => name !== '');
}

function findValueType(value: TileValue): ArchiveField['type'] {
  if (typeof value === 'number') return 'double';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}
