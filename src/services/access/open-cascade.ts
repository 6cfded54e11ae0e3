/** Opens a cascaded WMS layer for drawing: requests a map from the remote server and draws it as an image. */

import type { RemoteLayer } from '../../cascade/capabilities.ts';
import {
  createRemoteMapProblem,
  decodeRemotePixels,
  listRemoteCrs,
  type RemoteCrs,
} from '../../catalog/cascaded/remote-responses.ts';
import type { RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import { type CascadedLayer, cascadedLayerKinds } from '../../catalog/kinds/cascaded-layer.ts';
import { type CascadedStore, cascadedStoreKinds } from '../../catalog/kinds/cascaded-store.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { parseCrsCode } from '../../crs/model/crs-code.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import type { WrittenArea } from '../../geometry/written-area.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CoverageRequest } from '../../raster/pictures/read-pictures.ts';
import { pictureBands } from '../../raster/pictures/warp-picture.ts';
import type { RasterSize } from '../../raster/port/port.ts';
import type { WarpRequest } from '../../raster/warp/read-warped.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Restriction } from '../../security/data-rules/restriction.ts';
import type { CascadeOptions, OpenedCascade } from './cascaded-source.ts';
import { listVisibleAreas } from './list-visible-areas.ts';
import { openCascadedTiles } from './open-cascaded-tiles.ts';
import { createTextFeature, MAX_INFO_BYTES, parseRemoteFeatures } from './remote-features.ts';

export interface CascadeServices {
  readonly catalog: CatalogReader;
  readonly remoteServers: Pick<RemoteServers, 'query' | 'layer' | 'warp' | 'hasVisiblePixel'>;
}

/** Dimension values by the parameter names of remote servers. */
export function toRemoteDimensions(dimensions: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...dimensions].map(([name, value]) => {
      const isUsual = name === 'time' || name === 'elevation';
      return [(isUsual ? name : `dim_${name}`).toUpperCase(), value] as const;
    }),
  );
}

/** The maximum width and height of an image requested from a remote server. */
const MAX_SIDE = 4_096;

/** The maximum size of a picture of a remote server, which is held in memory. */
const MAX_PICTURE_BYTES = 67_108_864;

/** All servers support WMS 1.1.1, and its axis order is x, y in every CRS. */
const VERSION = '1.1.1';

/** Pictures and features are limited to the areas of the data rules. */
export async function openCascade(
  services: CascadeServices,
  layer: CascadedLayer,
  restriction: Restriction | undefined,
  options: CascadeOptions = {},
): Promise<OpenedCascade> {
  const opened = await openRemoteLayer(services, layer, options);
  const areas = listVisibleAreas(restriction);
  return areas === undefined ? opened : restrictCascade(opened, areas, services.remoteServers);
}

function restrictCascade(
  opened: OpenedCascade,
  areas: readonly WrittenArea[],
  { hasVisiblePixel }: CascadeServices['remoteServers'],
): OpenedCascade {
  return {
    ...opened,
    read: async (request, signal) => (areas.length === 0 ? undefined : opened.read({ ...request, areas }, signal)),
    find: async (pixel, count, signal) => {
      const nothing = { description: { name: opened.name, attributes: [] }, features: [] };
      if (areas.length === 0) return nothing;
      // Both: a pixel of a remote tile can be far larger than one of the map.
      for (const place of [pixel, opened.locate === undefined ? pixel : await opened.locate(pixel)]) {
        if (place === undefined) return nothing;
        const frame = { target: { width: 1, height: 1, bounds: place.bounds }, crs: place.crs };
        if (!(await hasVisiblePixel({ frame, areas }, signal))) return nothing;
      }
      return opened.find(pixel, count, signal);
    },
  };
}

async function openRemoteLayer(
  { catalog, remoteServers }: CascadeServices,
  layer: CascadedLayer,
  { style, dimensions = {} }: CascadeOptions,
): Promise<OpenedCascade> {
  const isOfMaps = layer.kind === cascadedLayerKinds.WMS.kind;
  const found = await catalog.get(cascadedStoreKinds[isOfMaps ? 'WMS' : 'WMTS'], layer.parent ?? '');
  if (found === undefined) {
    throw problem('wms-layer-not-drawable', { name: layer.name, reason: 'its store does not exist', field: 'layers' });
  }
  const store: CascadedStore = found;
  const remote = await remoteServers.layer(store, layer.nativeName);
  if (!isOfMaps) return openCascadedTiles(remoteServers, { store, layer, remote }, { style, dimensions });
  const systems = listRemoteCrs(remote, parseCrsCode);
  const baseParameters = {
    ...layer.vendorParameters,
    SERVICE: 'WMS',
    VERSION,
    STYLES: layer.forcedRemoteStyle || style || '',
    ...dimensions,
  };
  const common = { ...baseParameters, LAYERS: layer.nativeName, FORMAT: selectImageFormat(layer, remote) };

  async function read(request: CoverageRequest, signal: AbortSignal) {
    const piece = await buildRemoteMapRequest(request, systems, layer);
    if (piece === undefined || isOutside(piece, layer, remote)) return undefined;
    const { system, bounds, width, height } = piece;
    const pairs = { ...common, REQUEST: 'GetMap', TRANSPARENT: 'TRUE', ...formatMapParameters(piece) };
    const answer = await remoteServers.query(store, pairs, { accept: 'image/*', maxBytes: MAX_PICTURE_BYTES, signal });
    const picture = await decodeRemotePixels(layer.name, answer, { width, height });
    return remoteServers.warp({ picture: { ...picture, bounds, crs: { code: system.code } }, request }, signal);
  }

  async function find(
    place: { readonly bounds: Bounds; readonly crs: CrsReference },
    count: number,
    signal: AbortSignal,
  ) {
    const target = { width: INFO_SIDE, height: INFO_SIDE, bounds: expandBounds(place.bounds) };
    const piece = await buildRemoteMapRequest({ target, crs: place.crs, interpolation: 'nearest' }, systems, layer);
    const nothing = { description: { name: layer.name, attributes: [] }, features: [] };
    if (piece === undefined || isOutside(piece, layer, remote)) return nothing;
    const pairs = {
      ...common,
      REQUEST: 'GetFeatureInfo',
      QUERY_LAYERS: layer.nativeName,
      X: String(Math.floor(piece.width / 2)),
      Y: String(Math.floor(piece.height / 2)),
      FEATURE_COUNT: String(count),
      INFO_FORMAT: 'application/json',
      ...formatMapParameters(piece),
    };
    const answer = await remoteServers.query(store, pairs, {
      accept: 'application/json',
      maxBytes: MAX_INFO_BYTES,
      signal,
    });
    if (/json/.test(answer.mediaType)) return parseRemoteFeatures(answer.bytes, layer.name, count);
    const plain = { ...pairs, INFO_FORMAT: 'text/plain' };
    const words = await remoteServers.query(store, plain, { accept: 'text/plain', maxBytes: MAX_INFO_BYTES, signal });
    if (words.mediaType !== 'text/plain') throw createRemoteMapProblem(layer.name, words, 'features');
    return createTextFeature(Buffer.from(words.bytes).toString(), layer.name);
  }

  async function legend({ width, height }: RasterSize, signal: AbortSignal) {
    const pairs = {
      ...baseParameters,
      REQUEST: 'GetLegendGraphic',
      LAYER: layer.nativeName,
      STYLE: baseParameters.STYLES,
      FORMAT: 'image/png',
      WIDTH: String(width),
      HEIGHT: String(height),
    };
    const answer = await remoteServers.query(store, pairs, { accept: 'image/*', maxBytes: MAX_INFO_BYTES, signal });
    return decodeRemotePixels(layer.name, answer);
  }

  return { name: layer.name, bands: pictureBands, remote, read, find, legend };
}

const formats = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function selectImageFormat({ preferredFormat }: CascadedLayer, { formats: offered }: RemoteLayer): string {
  const wanted = [preferredFormat ?? '', ...formats].filter((format) => formats.includes(format));
  return wanted.find((format) => offered.includes(format)) ?? 'image/png';
}

/** A map request to a remote server. */
interface RemoteMapRequest extends RasterSize {
  readonly system: RemoteCrs;
  readonly bounds: Bounds;
}

/**
 * Uses the CRS of the map if the remote server supports it, or else one that it supports; undefined if the map does
 * not intersect the layer.
 */
async function buildRemoteMapRequest(
  { target, crs }: WarpRequest,
  systems: readonly RemoteCrs[],
  { nativeCrs }: CascadedLayer,
): Promise<RemoteMapRequest | undefined> {
  const same = systems.find(({ code }) => code === crs.code);
  const preferred = [nativeCrs.code, 'EPSG:4326', 'EPSG:3857'];
  const system = same ??
    preferred.map((code) => systems.find((each) => each.code === code)).find((each) => each !== undefined) ??
    systems[0] ?? { name: 'EPSG:4326', code: 'EPSG:4326' };
  const { width, height } = target;
  // A rotated map is read as its bounding box, at the same resolution.
  if (same !== undefined && target.transform === undefined && Math.max(width, height) <= MAX_SIDE) {
    return { system, bounds: target.bounds, width, height };
  }
  const reprojection = await createReprojection(crs, { code: system.code });
  const bounds = reprojection === undefined ? target.bounds : reprojection.reprojectBounds(target.bounds);
  if (bounds === undefined) return undefined;
  const [spanX, spanY] = [bounds.maxX - bounds.minX, bounds.maxY - bounds.minY];
  const step = Math.hypot(spanX, spanY) / Math.hypot(width, height);
  const computeSide = (span: number) => Math.max(1, Math.min(MAX_SIDE, Math.round(span / step)));
  return { system, bounds, width: computeSide(spanX), height: computeSide(spanY) };
}

function formatMapParameters({ system, bounds, width, height }: RemoteMapRequest): Readonly<Record<string, string>> {
  const { minX, minY, maxX, maxY } = bounds;
  return { SRS: system.name, BBOX: [minX, minY, maxX, maxY].join(','), WIDTH: String(width), HEIGHT: String(height) };
}

/** Some servers return an error for areas beyond their data. */
function isOutside(
  { system, bounds }: RemoteMapRequest,
  { metadataBBoxRespected }: CascadedLayer,
  remote: RemoteLayer,
): boolean {
  const box = remote.bounds[system.name] ?? (system.code === 'EPSG:4326' ? remote.latLonBounds : null);
  if (!metadataBBoxRespected || box === null) return false;
  return bounds.minX > box.maxX || bounds.maxX < box.minX || bounds.minY > box.maxY || bounds.maxY < box.minY;
}

/** The size of the requested image in pixels. The query point is its centre, so that symbols around it are found. */
const INFO_SIDE = 101;

function expandBounds({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const [x, y] = [((maxX - minX) * (INFO_SIDE - 1)) / 2, ((maxY - minY) * (INFO_SIDE - 1)) / 2];
  return { minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y };
}
