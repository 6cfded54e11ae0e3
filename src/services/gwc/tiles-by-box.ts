/** Tiles for WMS clients, by the bounding box of a tile (WMS-C), and tiles by zoom, x and y. */
import type { Bounds } from '../../crs/bounds.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import {
  computeTileBounds,
  findTilesInBounds,
  MAX_LEVEL,
  TILE_PIXELS,
  type TileAddress,
  type TileMatrixSet,
} from '../../tiles/tile-matrix-set.ts';
import { type MapAccess, openMapAccess } from '../access/map-access.ts';
import {
  addUnknownWarnings,
  createParameterProblem,
  listUnknownWarnings,
  readParameter,
} from '../ows/service-parameters.ts';
import type { MapTile } from '../tiles/map-tile.ts';
import {
  getTileMap,
  parseTileAddress,
  selectTileFormat,
  selectTileMatrixSet,
  selectTileStyle,
} from '../tiles/select-tile.ts';
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

/** The tolerance for boxes in pixels, because clients round. */
const TOLERANCE_PIXELS = 0.1;

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
  const { parameters } = call;
  const { zoom, x, y } = zoomParameters;
  const written = {
    level: readParameter(parameters, zoom) ?? '',
    row: readParameter(parameters, y) ?? '',
    column: readParameter(parameters, x) ?? '',
  };
  const fields = { level: zoom.name, row: y.name, column: x.name };
  const mapAccess = await openWmtsAccess(call, 'GetTile');
  const tile = await readTile(call, mapAccess, ['EPSG:900913', 'gridset'], (set) =>
    parseTileAddress(set, written, fields),
  );
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
  const { parameters } = call;
  const srs = readParameter(parameters, boxParameters.srs) ?? 'EPSG:900913';
  return readTile(call, mapAccess, [srs, boxParameters.srs.name], (set) =>
    findTileAddress(set, readParameter(parameters, boxParameters.bbox) ?? ''),
  );
}

async function readTile(
  { services, parameters, limits }: WmtsCall,
  mapAccess: MapAccess,
  [grid, gridField]: readonly [name: string, field: string],
  findAddress: (set: TileMatrixSet) => TileAddress,
): Promise<MapTile> {
  const { layers, styles, format: formatName } = boxParameters;
  // Access is checked before any detail of the tile is disclosed.
  const map = await getTileMap(mapAccess, readParameter(parameters, layers) ?? '', layers.name);
  const set = selectTileMatrixSet(grid, gridField);
  const style = await selectTileStyle(services.catalog, map, readParameter(parameters, styles), styles.name);
  const format = selectTileFormat(map, readParameter(parameters, formatName) ?? 'image/png', formatName.name);
  const wishes = scaleTiles(await readTileOptions(parameters, limits, format), readSizeRatio(parameters));
  return { map, style, set, address: findAddress(set), format, wishes };
}

/** Returns the size of a tile as a multiple of 256 pixels; undefined if the client sends no size. */
function readSizeRatio(parameters: WmtsCall['parameters']): number | undefined {
  const [width, height] = [boxParameters.width, boxParameters.height].map((each) => readParameter(parameters, each));
  if (width !== undefined && height !== undefined && width !== height) {
    throw createParameterProblem(boxParameters.height.name, String(height), `the width, ${width}`);
  }
  const side = width ?? height;
  return side && side / TILE_PIXELS;
}

/** x before y. */
function findTileAddress(set: TileMatrixSet, written: string): TileAddress {
  const numbers = written.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const [minX = Number.NaN, minY = Number.NaN, maxX = Number.NaN, maxY = Number.NaN, ...more] = numbers;
  const box = { minX, minY, maxX, maxY };
  const level = Math.round(Math.log2(set.firstSide / (maxX - minX)));
  const isReadable = more.length === 0 && numbers.every(Number.isFinite) && level >= 0 && level <= MAX_LEVEL;
  const middle = { minX: (minX + maxX) / 2, minY: (minY + maxY) / 2, maxX: (minX + maxX) / 2, maxY: (minY + maxY) / 2 };
  const found = isReadable ? findTilesInBounds(set, level, middle) : undefined;
  const address = found && { level, row: found.minRow, column: found.minColumn };
  if (address === undefined || !isNear(computeTileBounds(set, address), box)) {
    throw problem('tile-box-unaligned', { box: written, set: set.otherNames[0] ?? set.id, field: 'bbox' });
  }
  return address;
}

function isNear(one: Bounds, other: Bounds): boolean {
  const tolerance = ((one.maxX - one.minX) / TILE_PIXELS) * TOLERANCE_PIXELS;
  const sides = ['minX', 'minY', 'maxX', 'maxY'] as const;
  return sides.every((side) => Math.abs(one[side] - other[side]) <= tolerance);
}
