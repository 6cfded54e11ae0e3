/** Tiles for WMS clients, by the bounding box of a tile (WMS-C), and tiles by zoom, x and y. */
import type { Bounds } from '../../crs/bounds.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import { getClientName, getMatrix, type TileMatrix } from '../../tiles/tile-matrix-set.ts';
import { type MapAccess, openMapAccess } from '../access/map-access.ts';
import type { PublishedMap } from '../access/published-map.ts';
import {
  addUnknownWarnings,
  createParameterProblem,
  listUnknownWarnings,
  readParameter,
} from '../ows/service-parameters.ts';
import type { MapTile } from '../tiles/map-tile.ts';
import { filterTileParameters } from '../tiles/parameter-filters.ts';
import { MAX_PIXEL_RATIO } from '../tiles/pixel-ratio.ts';
import { getTileMap, parseTileAddress, selectTileFormat, selectTileStyle } from '../tiles/select-tile.ts';
import { checkOfferedTile, listLayerGridSets, selectTileMatrixSet } from '../tiles/tile-offer.ts';
import { readTileOptions, scaleTiles } from '../tiles/tile-options.ts';
import { createTileReply } from '../tiles/tile-reply.ts';
import type { WmtsCall } from '../wmts/service.ts';
import {
  boxCapabilitiesParameters,
  boxInfoParameters,
  boxOperations,
  boxParameters,
  zoomOperation,
  zoomParameters,
} from './parameters.ts';
import { type FoundTile, findTileByBox, isInSystem } from './tile-at-box.ts';

const operations = ['GetMap', 'GetFeatureInfo', 'GetCapabilities'] as const;

/** Serves a WMS whose maps are tiles. */
export async function answerWmsc(call: WmtsCall): Promise<ServiceReply> {
  const { parameters } = call;
  const requested = readParameter(parameters, boxParameters.request) ?? 'GetMap';
  const operation = operations.find((each) => each.toLowerCase() === requested.toLowerCase());
  switch (operation) {
    case undefined:
      throw problem('ows-operation-unknown', {
        operation: requested,
        service: 'The tiled WMS',
        operations,
        field: 'request',
      });
    case 'GetCapabilities':
      return addUnknownWarnings(await answerCapabilities(call), boxOperations[operation], parameters);
    case 'GetMap':
      return createTileReply(
        call,
        await readTileByBox(call, await openWmtsAccess(call, 'GetTile')),
        listUnknownWarnings(boxOperations[operation], parameters),
      );
    case 'GetFeatureInfo': {
      const { createTileInfoReply: tileInfoReply } = await import('../tiles/tile-info.ts');
      const mapAccess = await openWmtsAccess(call, operation);
      const tile = await readTileByBox(call, mapAccess);
      const { x, y, infoFormat, featureCount } = boxInfoParameters;
      const wanted = {
        tile,
        i: readParameter(parameters, x) ?? '',
        j: readParameter(parameters, y) ?? '',
        format: readParameter(parameters, infoFormat),
        count: readParameter(parameters, featureCount),
      };
      const fields = { layer: boxParameters.layers.name, i: x.name, j: y.name, format: infoFormat.name };
      const reply = await tileInfoReply({ ...call, mapAccess }, wanted, fields);
      return addUnknownWarnings(reply, boxOperations[operation], parameters);
    }
  }
}

export async function answerTileByZoom(call: WmtsCall): Promise<ServiceReply> {
  const { parameters, services } = call;
  const { zoom, x, y } = zoomParameters;
  const written = {
    level: readParameter(parameters, zoom) ?? '',
    row: readParameter(parameters, y) ?? '',
    column: readParameter(parameters, x) ?? '',
  };
  const fields = { level: zoom.name, row: y.name, column: x.name };
  const mapAccess = await openWmtsAccess(call, 'GetTile');
  const tile = await readTile(call, mapAccess, async (map) => {
    const offered = await selectTileMatrixSet(services.catalog, map, 'EPSG:900913', 'gridset');
    return { offered, address: parseTileAddress(offered.set, written, fields), fields };
  });
  return createTileReply(call, tile, listUnknownWarnings(zoomOperation, parameters));
}

function openWmtsAccess({ services, principal, place }: WmtsCall, operation: string): Promise<MapAccess> {
  return openMapAccess(services, { principal, place, service: 'wmts', operation });
}

async function answerCapabilities(call: WmtsCall): Promise<ServiceReply> {
  const { parameters } = call;
  const mapAccess = await openWmtsAccess(call, 'GetCapabilities');
  const { createTileListReply } = await import('../wmts/service.ts');
  const { writeWmscCapabilities } = await import('./wmsc-capabilities.ts');
  const hasTileSets = readParameter(parameters, boxCapabilitiesParameters.tiled);
  return createTileListReply(call, mapAccess, {
    contentType: 'application/vnd.ogc.wms_xml',
    question: ['WMS-C', hasTileSets],
    write: (content) => writeWmscCapabilities({ ...content, hasTileSets }),
  });
}

function readTileByBox(call: WmtsCall, mapAccess: MapAccess): Promise<MapTile> {
  const { parameters, services } = call;
  const srs = readParameter(parameters, boxParameters.srs) ?? 'EPSG:900913';
  const written = readParameter(parameters, boxParameters.bbox) ?? '';
  return readTile(call, mapAccess, async (map) => {
    const sets = await listLayerGridSets(services.catalog, map);
    const inSystem = sets.filter(({ set }) => isInSystem(set, srs));
    const box = parseBox(written);
    const found = box && findTileByBox(inSystem, box);
    if (found !== undefined) return { ...found, fields: { level: 'bbox', row: 'bbox', column: 'bbox' } };
    const { set } = inSystem[0] ?? (await selectTileMatrixSet(services.catalog, map, srs, boxParameters.srs.name));
    throw problem('tile-box-unaligned', { box: written, set: getClientName(set), field: 'bbox' });
  });
}

/** The position of a tile, and the parameters that contain it. */
interface PlacedTile extends FoundTile {
  readonly fields: Parameters<typeof checkOfferedTile>[2];
}

async function readTile(
  { services, parameters, limits }: WmtsCall,
  mapAccess: MapAccess,
  findTile: (map: PublishedMap) => Promise<PlacedTile>,
): Promise<MapTile> {
  const { layers, styles, format: formatName } = boxParameters;
  // Access is checked before any detail of the tile is disclosed.
  const map = await getTileMap(mapAccess, readParameter(parameters, layers) ?? '', layers.name);
  const { offered, address, fields } = await findTile(map);
  checkOfferedTile(offered, address, fields);
  const { set } = offered;
  const style = await selectTileStyle(services.catalog, map, readParameter(parameters, styles), styles.name);
  const wanted = readParameter(parameters, formatName) ?? 'image/png';
  const format = await selectTileFormat(services.catalog, map, wanted, formatName.name);
  const pixelRatio = readSizeRatio(parameters, getMatrix(set, address.level));
  const filtered = await filterTileParameters(services.catalog, map, parameters);
  const wishes = scaleTiles(await readTileOptions(filtered, limits, format), pixelRatio);
  return { map, style, set, address, format, wishes };
}

/**
 * Returns the size of a tile as a multiple of that of its matrix; undefined if the client sends no size. Larger tiles
 * have the same area; a client that requests another size would draw them in the wrong place.
 */
function readSizeRatio(parameters: WmtsCall['parameters'], { tileWidth, tileHeight }: TileMatrix): number | undefined {
  const { width, height } = boxParameters;
  const across = readSideRatio(readParameter(parameters, width), tileWidth, width.name);
  const down = readSideRatio(readParameter(parameters, height), tileHeight, height.name);
  if (across !== undefined && down !== undefined && across !== down) {
    throw createParameterProblem(
      height.name,
      String(down * tileHeight),
      `the height for this width, ${across * tileHeight}`,
    );
  }
  return across ?? down;
}

function readSideRatio(pixels: number | undefined, side: number, field: string): number | undefined {
  if (pixels === undefined) return undefined;
  const ratios = Array.from({ length: MAX_PIXEL_RATIO }, (_, index) => index + 1);
  const ratio = ratios.find((each) => each * side === pixels);
  if (ratio !== undefined) return ratio;
  const sides = ratios.map((each) => each * side).join(', ');
  throw createParameterProblem(field, String(pixels), `tiles of ${sides} pixels`);
}

/** Parses a box, x before y; returns undefined for invalid text. */
function parseBox(written: string): Bounds | undefined {
  const numbers = written.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const [minX, minY, maxX, maxY] = numbers;
  if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined) return undefined;
  return numbers.length === 4 && numbers.every(Number.isFinite) ? { minX, minY, maxX, maxY } : undefined;
}
