/** Client options of tiles: filters, times and environment values. Each combination is cached separately. */

import { problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { STANDARD_DPI } from '../../rendering/shapes/frame.ts';
import type { TileMatrix } from '../../tiles/tile-matrix-set.ts';
import type { LayerOptions } from '../maps/layer-options.ts';
import { allAreKnown } from '../ows/name-lists.ts';
import type { Parameters } from '../ows/parameters.ts';
import { findSentText, isDeclared, readParameter, rejectUnsupported } from '../ows/service-parameters.ts';
import { createMapLook, type MapLook } from '../wms/map/map-look.ts';
import { mapParameters } from '../wms/request/parameters.ts';
import { readMapWithDefaults } from '../wms/request/read-map.ts';
import { appearanceOptions, dataOptions, tileOptionParameters, tileOptions } from './tile-parameters.ts';

export interface TileOptions {
  readonly layer: LayerOptions;
  /** For image tiles. */
  readonly look: Partial<MapLook>;
  /** The size of image tiles as a multiple of that of the tile matrix. */
  readonly pixelRatio: number;
  /** The parameters as sent: equal texts select the same tile. Vector tiles ignore the appearance. */
  readonly written: { readonly layer: WrittenParameters; readonly look: WrittenParameters };
}

type WrittenParameters = Readonly<Record<string, string>>;

/** The options of a request without parameters. */
export const defaultTileOptions: TileOptions = {
  layer: { selection: { kind: 'all' }, sortBy: [], viewParameters: new Map(), dimensions: new Map() },
  look: {},
  pixelRatio: 1,
  written: { layer: {}, look: {} },
};

/** Parses the options for one layer or group; throws a Problem for unsupported parameters. */
export async function readTileOptions(
  parameters: Parameters,
  limits: DocumentLimits,
  { isVector }: { readonly isVector: boolean },
): Promise<TileOptions> {
  const [layer, look] = [{}, {}] as [Record<string, string>, Record<string, string>];
  rejectUnsupported(tileOptions, parameters);
  for (const [name, value] of parameters) {
    if (isDeclared(dataOptions, name)) layer[name] = value;
    else if (isDeclared(appearanceOptions, name)) look[name] = value;
  }
  if (isVector && findSentText(parameters, tileOptionParameters.sortBy) !== undefined) {
    throw problem('ows-option-unsupported', {
      what: 'Sorting the features of a vector tile',
      instead: 'sort them in the style of the client',
      field: 'sortby',
    });
  }
  const given = Object.entries({ ...layer, ...look });
  const pixelRatio = readParameter(parameters, tileOptionParameters.pixelRatio);
  if (given.length === 0) return scaleTiles(defaultTileOptions, pixelRatio);
  const layers = mapParameters.layers.name;
  const map = await readMapWithDefaults(new Map([...given, [layers, 'the one of the tile']]), limits, allAreKnown);
  const { selection, sortBy, viewParameters, interpolation } = map.layers[0] ?? defaultTileOptions.layer;
  const { dimensions, maxFeatures, properties } = map;
  const options = {
    layer: { selection, sortBy, viewParameters, dimensions, maxFeatures, properties, interpolation },
    look: { ...createMapLook(map), isTransparent: isTileTransparent(parameters, map.isTransparent) },
    pixelRatio: 1,
    written: { layer, look },
  };
  return scaleTiles(options, pixelRatio);
}

/** Each pixel ratio is cached separately. */
export function scaleTiles(options: TileOptions, pixelRatio: number | undefined): TileOptions {
  if (pixelRatio === undefined || pixelRatio === options.pixelRatio) return options;
  const { written } = options;
  const { [tileOptionParameters.pixelRatio.name]: _, ...others } = written.look;
  const ratio = pixelRatio === 1 ? {} : { [tileOptionParameters.pixelRatio.name]: String(pixelRatio) };
  return { ...options, pixelRatio, written: { ...written, look: { ...others, ...ratio } } };
}

/** The size and resolution of an image tile: symbols are scaled with it, unless the client sends a resolution. */
export function getTileFrame({ tileWidth, tileHeight }: TileMatrix, { look, pixelRatio }: TileOptions): TileFrame {
  const dpi = look.dpi ?? STANDARD_DPI * pixelRatio;
  return { width: tileWidth * pixelRatio, height: tileHeight * pixelRatio, dpi };
}

interface TileFrame {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** Tiles are transparent by default, because they are overlaid. */
function isTileTransparent(parameters: Parameters, isTransparent: boolean): boolean {
  const { transparent, bgcolor } = tileOptionParameters;
  const isSent = [transparent, bgcolor].some((each) => findSentText(parameters, each) !== undefined);
  return isSent ? isTransparent : true;
}
