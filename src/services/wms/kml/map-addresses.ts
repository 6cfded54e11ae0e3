/** The addresses of maps and legends to which KML documents refer. */
import type { Bounds } from '../../../crs/bounds.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import type { NamedMap } from '../map/map-layers.ts';
import type { RequestedMap } from '../request/request.ts';
import { VIEW_SCORE } from './kml-score.ts';
import { selectKmlParameters, selectLayerParameters } from './link-parameters.ts';

/** One of the names of a map. */
export interface MapEntry {
  readonly named: NamedMap;
  readonly style: string;
  /** Its number among all names, from 0. */
  readonly place: number;
  readonly count: number;
}

export function listEntries(requested: RequestedMap, named: readonly NamedMap[]): readonly MapEntry[] {
  return named.map((each, place) => ({
    named: each,
    style: requested.layers[place]?.style ?? '',
    place,
    count: named.length,
  }));
}

interface LinkedMap {
  /** In longitude and latitude; undefined if the viewer adds it. */
  readonly box?: Bounds;
  readonly width: number;
  readonly height: number;
}

const KML = 'application/vnd.google-earth.kml+xml';

/** Returns the address of a KML document of the map, which viewers load. */
export function createKmlAddress(
  context: WmsContext,
  entry: MapEntry,
  map: LinkedMap,
  options: Readonly<Record<string, string>> = {},
): string {
  const kml = { kmscore: String(VIEW_SCORE), ...selectKmlParameters(context.parameters), ...options };
  return createMapAddress(context, entry, map, { format: KML, ...kml });
}

/** Returns the address of an image of the map. */
export function createImageAddress(context: WmsContext, entry: MapEntry, map: LinkedMap): string {
  return createMapAddress(context, entry, map, { format: 'image/png', transparent: 'true' });
}

function createMapAddress(
  context: WmsContext,
  { named, style, place, count }: MapEntry,
  { box, width, height }: LinkedMap,
  options: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({
    service: 'WMS',
    version: '1.1.1',
    request: 'GetMap',
    layers: formatMapName(context, named.map),
    styles: style,
    srs: 'EPSG:4326',
    ...(box === undefined ? {} : { bbox: [box.minX, box.minY, box.maxX, box.maxY].join(',') }),
    width: String(width),
    height: String(height),
    ...selectLayerParameters(context.parameters, place, count),
    ...options,
  });
  return `${context.address}?${query}`;
}

export function createLegendAddress(context: WmsContext, entries: readonly MapEntry[]): string {
  const { sld, sld_body } = selectLayerParameters(context.parameters, 0, 1);
  const query = new URLSearchParams({
    ...{ service: 'WMS', version: '1.1.1', request: 'GetLegendGraphic', format: 'image/png' },
    layer: entries.map(({ named }) => formatMapName(context, named.map)).join(','),
    style: entries.map(({ style }) => style).join(','),
    ...(sld === undefined ? {} : { sld }),
    ...(sld_body === undefined ? {} : { sld_body }),
  });
  return `${context.address}?${query}`;
}
