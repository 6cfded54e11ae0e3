/** The WMS parameters of tiles, for all tile services with key-value pairs. */
import { declareOperation, declareUnsupported } from '../ows/service-parameters.ts';
import { layerOptions, lookOptions } from '../wms/request/parameters.ts';
import { pixelRatioParameter } from './pixel-ratio.ts';

function declareUnsupportedForTiles(name: string, instead: string) {
  return declareUnsupported(name, { what: `The parameter '${name}' for tiles`, instead });
}

export const tileOptionParameters = {
  ...layerOptions,
  ...lookOptions,
  pixelRatio: pixelRatioParameter,
  sld: declareUnsupportedForTiles('sld', 'use a style of the layer'),
  sldBody: declareUnsupportedForTiles('sld_body', 'use a style of the layer'),
  angle: declareUnsupportedForTiles('angle', 'use WMS GetMap'),
  buffer: declareUnsupportedForTiles('buffer', 'use WMS GetMap'),
  clip: declareUnsupportedForTiles('clip', 'use WMS GetMap'),
  palette: declareUnsupportedForTiles('palette', 'use WMS GetMap'),
  scaleMethod: declareUnsupportedForTiles('scalemethod', 'use WMS GetMap'),
  startIndex: declareUnsupportedForTiles('startindex', 'use a filter'),
};

export const tileOptions = declareOperation('options of tiles', tileOptionParameters);
/** Vector tiles have these options only. */
export const dataOptions = declareOperation('options of data', layerOptions);
export const appearanceOptions = declareOperation('options of the appearance', lookOptions);
