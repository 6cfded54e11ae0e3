/** Reads the metadata of archives: JSON of any origin, of which only valid parts are used. */
import type { Bounds } from '../../../crs/bounds.ts';
import { parseAttribution } from '../../../lib/tile-archive/data-attribution.ts';
import { type ArchivedLayer, TileArchiveError, type TileArchiveInfo, WORLD } from './tile-archive.ts';

/** The limit of the metadata; statistics of attributes can take several megabytes. */
export const MAX_METADATA_BYTES = 16_777_216;

/** Real archives have some dozen layers; each becomes a type of the store. */
const MAX_LAYERS = 1_000;

/** The number of attributes of one layer. */
const MAX_FIELDS = 2_000;

/** The length of titles and attributions, which are copied to documents. */
const MAX_TEXT_CHARACTERS = 10_000;

export type MetadataObject = Readonly<Record<string, unknown>>;

/** Returns an empty object for JSON that is not an object. */
export function parseMetadata(text: string): MetadataObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    throw new TileArchiveError('its metadata is not JSON');
  }
}

export function readTexts(metadata: MetadataObject): Pick<TileArchiveInfo, 'title' | 'description' | 'attribution'> {
  const { name: title, description, attribution } = metadata;
  const texts = Object.entries({ title, description });
  const parsed = typeof attribution === 'string' ? parseAttribution(shorten(attribution)) : undefined;
  return {
    ...Object.fromEntries(
      texts.flatMap(([key, text]) => (typeof text === 'string' && text !== '' ? [[key, shorten(text)]] : [])),
    ),
    ...(parsed === undefined ? {} : { attribution: parsed }),
  };
}

const geometryTypes: Readonly<Record<string, ArchivedLayer['geometry']>> = {
  Point: 'MultiPoint',
  LineString: 'MultiLineString',
  Polygon: 'MultiPolygon',
};

export function readLayers({ vector_layers: listed, tilestats }: MetadataObject): readonly ArchivedLayer[] {
  const geometries = readGeometries(tilestats);
  if (!Array.isArray(listed)) return [];
  const layers = new Map<string, ArchivedLayer>();
  for (const layer of listed.slice(0, MAX_LAYERS) as readonly unknown[]) {
    if (!isObject(layer) || typeof layer['id'] !== 'string' || layer['id'] === '') continue;
    const { id, description, fields } = layer;
    const types = isObject(fields) ? Object.entries(fields).slice(0, MAX_FIELDS) : [];
    layers.set(id, {
      id,
      ...(typeof description === 'string' && description !== '' ? { description: shorten(description) } : {}),
      geometry: geometries.get(id) ?? 'Geometry',
      fields: new Map(types.map(([name, type]) => [name, String(type)])),
    });
  }
  return [...layers.values()];
}

/** Statistics that tippecanoe and other writers add. */
function readGeometries(tilestats: unknown): ReadonlyMap<string, ArchivedLayer['geometry']> {
  const layers = isObject(tilestats) && Array.isArray(tilestats['layers']) ? (tilestats['layers'] as unknown[]) : [];
  return new Map(
    layers.flatMap((layer) => {
      if (!isObject(layer)) return [];
      const type = geometryTypes[String(layer['geometry'])];
      return type === undefined ? [] : [[String(layer['layer']), type]];
    }),
  );
}

/** Returns undefined for a box that is not within the square of Web Mercator or has no area. */
export function clampBounds(numbers: readonly number[]): Bounds | undefined {
  const [minX = Number.NaN, minY = Number.NaN, maxX = Number.NaN, maxY = Number.NaN] = numbers;
  const box = {
    minX: Math.max(minX, WORLD.minX),
    minY: Math.max(minY, WORLD.minY),
    maxX: Math.min(maxX, WORLD.maxX),
    maxY: Math.min(maxY, WORLD.maxY),
  };
  return box.minX < box.maxX && box.minY < box.maxY ? box : undefined;
}

function isObject(value: unknown): value is MetadataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shorten(text: string): string {
  return text.slice(0, MAX_TEXT_CHARACTERS);
}
