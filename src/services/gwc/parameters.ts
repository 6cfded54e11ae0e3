/** The parameters of tile services besides WMTS: TMS, WMS-C and tiles by zoom. */
import { commonParameters } from '../ows/common-parameters.ts';
import { count, createKind, declareOperation, declareParameter, flag, text } from '../ows/service-parameters.ts';
import { tileOptionParameters } from '../tiles/tile-parameters.ts';

/** The tile matrix decides which sizes are possible. */
const side = createKind<number | undefined>(
  'a number of pixels',
  (value) => (/^\d{1,5}$/.test(value.trim()) ? Number(value) : undefined),
  undefined,
  { type: 'integer', minimum: 1 },
);

const ofTile = {
  layers: declareParameter('layers', text, 'The name of a layer or group.', { aliases: ['layer'] }),
  styles: declareParameter('styles', text, 'The name of a style of the layer. Default: its default style.', {
    aliases: ['style'],
  }),
  format: declareParameter('format', text, 'The format of the tile. Default: image/png.'),
  width: declareParameter('width', side, 'The width of the tile in pixels.'),
  height: declareParameter('height', side, 'The height of the tile in pixels.'),
  ...tileOptionParameters,
};

export const zoomParameters = {
  ...ofTile,
  zoom: declareParameter('zoom', text, 'The zoom level.', { aliases: ['z'] }),
  x: declareParameter('x', text, 'The column of the tile, counted from the west.'),
  y: declareParameter('y', text, 'The row of the tile, counted from the north.'),
};

export const boxParameters = {
  ...commonParameters,
  ...ofTile,
  srs: declareParameter('srs', text, 'The CRS of the tile. Default: EPSG:900913.', { aliases: ['crs'] }),
  bbox: declareParameter('bbox', text, 'The extent of a tile, x before y.'),
  tiled: declareParameter('tiled', text, 'Accepted without an effect: all maps are tiles.'),
  tilesOrigin: declareParameter('tilesOrigin', text, 'Accepted without an effect, as for tiled.'),
};

export const boxInfoParameters = {
  ...boxParameters,
  queryLayers: declareParameter('query_layers', text, 'Accepted without an effect: the layer of the tile is queried.'),
  infoFormat: declareParameter('info_format', text, 'The format of the response.'),
  featureCount: declareParameter('feature_count', count, 'The maximum number of features. Default: 1.'),
  x: declareParameter('x', text, 'The column of the pixel.', { aliases: ['i'] }),
  y: declareParameter('y', text, 'The row of the pixel.', { aliases: ['j'] }),
};

export const boxCapabilitiesParameters = {
  ...commonParameters,
  tiled: declareParameter('tiled', flag, 'Whether the capabilities list tile sets.'),
};

export const tmsParameters = {
  styles: ofTile.styles,
  flipY: declareParameter('flipY', flag, 'Whether rows are counted from the other side.'),
  ...tileOptionParameters,
};

/** Documents of TMS have no parameters. */
export const tmsDocumentOperation = declareOperation('TileMap', {});
export const tmsTileOperation = declareOperation('Tile', tmsParameters);
export const zoomOperation = declareOperation('Tile', zoomParameters);

export const boxOperations = {
  GetMap: declareOperation('GetMap', boxParameters),
  GetFeatureInfo: declareOperation('GetFeatureInfo', boxInfoParameters),
  GetCapabilities: declareOperation('GetCapabilities', boxCapabilitiesParameters),
};
