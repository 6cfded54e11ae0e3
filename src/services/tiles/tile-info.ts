/** Returns the features at a pixel of a tile. */

import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import { computeTileBounds, getMatrix } from '../../tiles/tile-matrix-set.ts';
import type { MapAccess } from '../access/map-access.ts';
import { listStyledLayers } from '../access/published-map.ts';
import { findPublished } from '../maps/draw-published.ts';
import { createDefaultDimensionSettings } from '../maps/layer-options.ts';
import { loadPublicationSettings } from '../ows/service-settings.ts';
import { allInfoFormats, selectInfoFormat } from '../wms/context/info-formats.ts';
import { encodeFoundFeatures } from '../wms/feature-info/found-features.ts';
import { createLayersToDraw } from './layers-to-draw.ts';
import type { MapTile } from './map-tile.ts';
import { getTileFrame } from './tile-options.ts';
import type { TileCall } from './tile-reply.ts';

/** The maximum number of features in a response. */
const MAX_FEATURES = 10_000;

export interface InfoCall extends TileCall {
  readonly mapAccess: Pick<MapAccess, 'workspace'>;
  /** The base address before the workspace, as the client sees it. */
  readonly root: string;
}

export interface RequestedInfo {
  readonly tile: MapTile;
  /** The column and the row of the pixel, as sent. */
  readonly i: string;
  readonly j: string;
  readonly format: string | undefined;
  /** The maximum number of features; undefined for one. */
  readonly count: number | undefined;
}

/** The parameter names for errors. */
export interface InfoFields {
  readonly layer: string;
  readonly i: string;
  readonly j: string;
  readonly format: string;
}

export async function createTileInfoReply(
  call: InfoCall,
  wanted: RequestedInfo,
  fields: InfoFields,
): Promise<ServiceReply> {
  const { services, now, root, mapAccess } = call;
  const { map, style, set, address, wishes } = wanted.tile;
  if (!map.isQueryable) throw problem('wms-layer-not-queryable', { name: map.qualifiedName, field: fields.layer });
  const format = selectInfoFormat(wanted.format, allInfoFormats, fields.format);
  const { width, height, dpi } = getTileFrame(getMatrix(set, address.level), wishes);
  const place = {
    // The centre of the pixel.
    x: readPixel(wanted, 'i', fields, { width, height }) + 0.5,
    y: readPixel(wanted, 'j', fields, { width, height }) + 0.5,
    count: Math.min(wanted.count || 1, MAX_FEATURES),
    field: fields.layer,
  };
  const queryable = listStyledLayers(map, style).filter(({ layer }) => layer.isQueryable);
  const layers = await createLayersToDraw(services, queryable, wishes.layer, createDefaultDimensionSettings(now()));
  const frame = { system: set.crs, box: computeTileBounds(set, address), width, height, dpi };
  const signal = call.signal();
  const found = await findPublished(services, { isTransparent: true, ...wishes.look, ...frame, layers }, place, signal);
  const context = {
    publication: await loadPublicationSettings(services.catalog, mapAccess.workspace),
    root,
    now,
    signal,
    services,
    parameters: new Map<string, string>(),
    environment: new Map<string, string>(),
    warn: () => undefined,
  };
  const body = await encodeFoundFeatures(context, found, { system: set.crs }, format);
  return { contentType: format.mediaType, body };
}

function readPixel(
  { i, j }: RequestedInfo,
  axis: 'i' | 'j',
  fields: InfoFields,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const text = { i, j }[axis].trim();
  const side = axis === 'i' ? width : height;
  const place = /^\d{1,4}$/.test(text) ? Number(text) : side;
  if (place < side) return place;
  throw problem('wms-point-invalid', { x: i, y: j, width, height, field: fields[axis] });
}
