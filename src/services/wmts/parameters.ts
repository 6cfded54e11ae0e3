/** The parameters of all WMTS operations. */
import { capabilitiesParameters, commonParameters } from '../ows/common-parameters.ts';
import { count, createTextKind, declareOperation, declareParameter, text } from '../ows/service-parameters.ts';
import type { TileFields } from '../tiles/select-tile.ts';
import { tileOptionParameters } from '../tiles/tile-parameters.ts';
import { operationNames, type WmtsRequest } from './request.ts';

const number = createTextKind('an integer of at least 0');

const ofRequest = {
  ...commonParameters,
  request: declareParameter(
    'Request',
    createTextKind(`one of ${operationNames.join(', ')}`),
    'The name of the operation.',
  ),
};

export const wmtsCapabilitiesParameters = { ...capabilitiesParameters, ...ofRequest };

export const tileParameters = {
  ...ofRequest,
  layer: declareParameter('Layer', createTextKind('the name of a layer'), 'The name of a layer or group.'),
  style: declareParameter('Style', text, 'The name of a style of the layer. Default: its default style.'),
  format: declareParameter('Format', createTextKind('a media type such as image/png'), 'The format of the tile.'),
  set: declareParameter(
    'TileMatrixSet',
    createTextKind('a tile matrix set such as EPSG:900913'),
    'The name of a tile matrix set.',
  ),
  level: declareParameter(
    'TileMatrix',
    createTextKind('a tile matrix such as EPSG:900913:5'),
    'The name of a tile matrix, which is a zoom level.',
  ),
  row: declareParameter('TileRow', number, 'The row of the tile, counted from the north.'),
  column: declareParameter('TileCol', number, 'The column of the tile, counted from the west.'),
  ...tileOptionParameters,
};

export const tileInfoParameters = {
  ...tileParameters,
  infoFormat: declareParameter('InfoFormat', text, 'The format of the response. Default: application/json.'),
  i: declareParameter('I', createTextKind('the column of a pixel'), 'The column of the pixel.'),
  j: declareParameter('J', createTextKind('the row of a pixel'), 'The row of the pixel.'),
  featureCount: declareParameter('feature_count', count, 'The maximum number of features. Default: 1.'),
};

/** The names of parameters in errors. */
export const wmtsFields: TileFields = {
  layer: tileParameters.layer.name,
  style: tileParameters.style.name,
  format: tileParameters.format.name,
  set: tileParameters.set.name,
  level: tileParameters.level.name,
  row: tileParameters.row.name,
  column: tileParameters.column.name,
};

export const wmtsOperations = {
  GetCapabilities: declareOperation('GetCapabilities', wmtsCapabilitiesParameters),
  GetTile: declareOperation('GetTile', tileParameters),
  GetFeatureInfo: declareOperation('GetFeatureInfo', tileInfoParameters),
} satisfies Record<WmtsRequest['kind'], unknown>;

/** The parameters after a path, which contains the others. */
export const wmtsPathOperation = declareOperation('Tiles by path', {
  format: declareParameter('format', text, 'The format of the tile (default: image/png) or of feature information.'),
  featureCount: tileInfoParameters.featureCount,
  ...tileOptionParameters,
});
