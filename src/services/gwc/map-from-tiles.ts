/** Answers GetMap requests with tiled=true from the tile cache, if the setting of WMTS permits it. */
import { readTileDefaults } from '../../catalog/tile-layers/tile-defaults.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { findTileFormat, type TileFormat } from '../../tiles/tile-format.ts';
import { getClientName, getMatrix } from '../../tiles/tile-matrix-set.ts';
import type { PublishedMap } from '../access/published-map.ts';
import type { Parameters } from '../ows/parameters.ts';
import { findSentText, listUnknownWarnings, readParameter } from '../ows/service-parameters.ts';
import type { MapTile, TileServices } from '../tiles/map-tile.ts';
import { filterTileParameters } from '../tiles/parameter-filters.ts';
import { MAX_PIXEL_RATIO } from '../tiles/pixel-ratio.ts';
import { selectTileStyle } from '../tiles/select-tile.ts';
import { isOfferedTile, listLayerGridSets, listTileFormats, type OfferedSet } from '../tiles/tile-offer.ts';
import { readTileOptions, scaleTiles, type TileOptions } from '../tiles/tile-options.ts';
import { tileOptionParameters, tileOptions } from '../tiles/tile-parameters.ts';
import { createTileReply } from '../tiles/tile-reply.ts';
import type { WmsContext } from '../wms/context/context.ts';
import { selectMapFormat } from '../wms/context/map-formats.ts';
import type { MapFromTiles } from '../wms/context/tile-integration.ts';
import { resolveMapFrame } from '../wms/map/map-frame.ts';
import { mapFormatOptions, wmsOperations } from '../wms/request/parameters.ts';
import type { GetMapRequest } from '../wms/request/request.ts';
import { type FoundTile, findTileByBox, isInSystem } from './tile-at-box.ts';

export interface MapTileCall {
  readonly context: WmsContext;
  readonly services: TileServices;
  readonly limits: DocumentLimits;
  /** The cache key of the request. */
  readonly question: string | undefined;
}

/** Returns undefined if maps are not answered from tiles, or if the request is invalid: drawing the map reports it. */
export async function createMapFromTiles(call: MapTileCall, request: GetMapRequest): Promise<MapFromTiles | undefined> {
  const { context, services, question } = call;
  const { isIntegratedInWms } = await readTileDefaults(services.catalog);
  if (!isIntegratedInWms) return undefined;
  const { layers, sentStyle } = request.map;
  if (sentStyle !== undefined) return { missReason: formatUnfilteredReason('SLD') };
  if (layers.length > 1) return { missReason: 'more than one layer requested' };
  const [layer] = layers;
  const map = layer && (await context.mapAccess.find(layer.name, 'read'));
  if (map === undefined) return undefined;
  const found = await findTile(call, request, map, layer?.style);
  if (found === undefined) return undefined;
  if (typeof found === 'string') return { missReason: found };
  const warnings = listUnknownWarnings(wmsOperations.GetMap, context.parameters);
  const { principal, now, signal } = context;
  return {
    reply: await createTileReply({ services, principal, now, signal: () => signal, question }, found, warnings),
  };
}

/** Returns the reason if no tile is the same as the map; undefined for an invalid request. */
async function findTile(
  { context, services, limits }: MapTileCall,
  request: GetMapRequest,
  map: PublishedMap,
  style: string | undefined,
): Promise<MapTile | string | undefined> {
  const format = await selectFormat(context, services, request, map);
  if (format === undefined) return 'no tile cache for requested format';
  const obstacle = findObstacle(context, request);
  if (obstacle !== undefined) return obstacle;
  const frame = await resolveMapFrame(request.version, request.map, [map], context.settings);
  const sets = await listLayerGridSets(services.catalog, map);
  const inSystem = sets.filter(({ set }) => isInSystem(set, frame.system.code ?? frame.crs));
  if (inSystem.length === 0) return `no grid set of the layer has the CRS ${frame.crs}`;
  const found = findTileByBox(inSystem, frame.box);
  if (found === undefined) return formatUnalignedReason(inSystem);
  const pixelRatio = findPixelRatio(found, frame, request);
  if (pixelRatio === undefined) return formatUnalignedReason(inSystem);
  const { offered, address } = found;
  if (!isOfferedTile(offered, address)) return 'the tile settings of the layer do not offer the tile';
  try {
    const parameters = await filterTileParameters(services.catalog, map, createTileParameters(context, format));
    const wishes: TileOptions = scaleTiles(await readTileOptions(parameters, limits, format), pixelRatio);
    const chosen = await selectTileStyle(services.catalog, map, style, 'styles');
    return { map, style: chosen, set: offered.set, address, format, wishes };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code !== 'tile-parameter-rejected') return undefined;
    return `${String(error.details.field).toUpperCase()} does not apply to parameter filter of the same name`;
  }
}

async function selectFormat(
  { settings }: WmsContext,
  { catalog }: TileServices,
  { format }: GetMapRequest,
  map: PublishedMap,
): Promise<TileFormat | undefined> {
  // Rejects formats that the settings of WMS exclude.
  selectMapFormat(format, settings);
  const found = findTileFormat(format);
  return found !== undefined && (await listTileFormats(catalog, map)).includes(found) ? found : undefined;
}

/** The format options that tiles have. */
const tileFormatOptions: ReadonlySet<string> = new Set(
  [
    mapFormatOptions.parameters.dpi,
    mapFormatOptions.parameters.antialias,
    mapFormatOptions.parameters.exactStrokes,
  ].flatMap(({ keys }) => keys),
);

/** Returns why no tile can be the same as the map. */
function findObstacle({ parameters, settings }: WmsContext, { map }: GetMapRequest): string | undefined {
  if (settings.watermark.isEnabled) return 'maps have the watermark of the service';
  const unsupported = tileOptions.rejected.find((each) => findSentText(parameters, each) !== undefined);
  if (unsupported !== undefined) return formatUnfilteredReason(unsupported.name.toUpperCase());
  const isOfTiles = [...map.formatOptions.keys()].every((name) => tileFormatOptions.has(name.toLowerCase()));
  return isOfTiles ? undefined : formatUnfilteredReason('FORMAT_OPTIONS');
}

/** The wording of GeoWebCache. */
function formatUnfilteredReason(name: string): string {
  return `no parameter filter exists for ${name}`;
}

function formatUnalignedReason(sets: readonly OfferedSet[]): string {
  return `request does not align to grid(s) ${sets.map(({ set }) => `'${getClientName(set)}'`).join(' ')}`;
}

/** A larger map of the same box has another scale, unless the client sends the resolution. */
function findPixelRatio(
  { offered: { set }, address }: FoundTile,
  { width, height }: { readonly width: number; readonly height: number },
  { map: { dpi } }: GetMapRequest,
): number | undefined {
  const { tileWidth, tileHeight } = getMatrix(set, address.level);
  const ratio = width / tileWidth;
  const isPossible = Number.isInteger(ratio) && ratio <= MAX_PIXEL_RATIO && (ratio === 1 || dpi !== undefined);
  return isPossible && height === ratio * tileHeight ? ratio : undefined;
}

/** Writes parameters that change nothing as other services do, so that they share tiles with them. */
function createTileParameters({ parameters }: WmsContext, { name }: TileFormat): Parameters {
  const own = new Map([...parameters].filter(([, value]) => value !== ''));
  const { transparent, bgcolor } = tileOptionParameters;
  const isTransparent = readParameter(parameters, transparent) && name !== 'jpeg';
  for (const key of transparent.keys) own.delete(key);
  if (isTransparent) for (const key of bgcolor.keys) own.delete(key);
  else if (name !== 'jpeg') own.set(transparent.name, 'false');
  return own;
}
