/** Builds a MapLibre style of a map whose sources are the tiles of this server, ready for browsers. */
import { findLayerStyle } from '../../access/map-styles.ts';
import { listStyledLayers, type MapLayer, type PublishedMap, type StyledLayer } from '../../access/published-map.ts';
import type { MapServices } from '../../maps/map-services.ts';
import { writeMbLayers } from '../../maps/style-models.ts';
import { encodePathPart } from '../common/link.ts';

export const STYLESHEET_TYPE = 'application/vnd.mapbox.style+json';

/** Tiles of deeper levels are enlarged by the client. */
const MAX_TILE_LEVEL = 18;

const TILE_PIXELS = 256;

interface StyledSource {
  readonly id: string;
  readonly source: object;
  /** JSON, separated by commas. */
  readonly layers: string;
  readonly losses: readonly string[];
}

/** Returns JSON. `style` is a style of the layer, or the name of a style of the group; null for the default. */
export async function buildStylesheet(
  services: MapServices,
  map: PublishedMap,
  style: StyledLayer['style'],
  /** The address of OGC API Tiles. */
  tiles: string,
): Promise<string> {
  const parts: StyledSource[] = [];
  for (const styled of listStyledLayers(map, style)) {
    parts.push(await buildPart(services, styled, { tiles, position: parts.length + 1 }));
  }
  const losses = [...new Set(parts.flatMap((part) => part.losses))];
  const box = map.latLonBounds;
  const head = {
    version: 8,
    name: map.title,
    ...(losses.length === 0 ? {} : { metadata: { losses } }),
    ...(box === null ? {} : { center: [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2] }),
    sources: Object.fromEntries(parts.map(({ id, source }) => [id, source])),
  };
  // The layers of a large style are not parsed and written again in this thread.
  const layers = parts.flatMap((part) => (part.layers === '' ? [] : [part.layers])).join(',');
  return `${JSON.stringify(head).slice(0, -1)},"layers":[${layers}]}`;
}

/** Features are drawn by the client; coverages and layers of other servers come as pictures. */
async function buildPart(
  services: MapServices,
  { layer, style: reference }: StyledLayer,
  { tiles, position }: { readonly tiles: string; readonly position: number },
): Promise<StyledSource> {
  const id = `${position} ${layer.qualifiedName}`;
  const style = await findLayerStyle(services.catalog, layer, reference);
  if (layer.type === undefined || style === undefined) {
    // MapLibre replaces {ratio} by @2x on screens of high resolution.
    const ending = '{ratio}?f=png';
    const source = { ...createSource(layer, 'raster', `${formatCollection(tiles, layer)}/map/tiles`, ending) };
    return {
      id,
      source: { ...source, tileSize: TILE_PIXELS },
      layers: JSON.stringify({ id, type: 'raster', source: id }),
      losses: [],
    };
  }
  const source = createSource(layer, 'vector', `${formatCollection(tiles, layer)}/tiles`, '?f=mvt');
  const target = { source: { source: id, sourceLayer: layer.name }, prefix: `${id} ` };
  const written = await writeMbLayers(services, style, layer, target);
  return { id, source, ...written };
}

function formatCollection(tiles: string, { qualifiedName }: MapLayer): string {
  return `${tiles}/collections/${encodePathPart(qualifiedName)}`;
}

function createSource({ latLonBounds: box }: MapLayer, type: 'raster' | 'vector', address: string, ending: string) {
  return {
    type,
    tiles: [`${address}/WebMercatorQuad/{z}/{y}/{x}${ending}`],
    maxzoom: MAX_TILE_LEVEL,
    ...(box === null ? {} : { bounds: [box.minX, box.minY, box.maxX, box.maxY] }),
  };
}
