/** Client options of tiles: filters, times and environment values. Each combination is cached separately. */

import { problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { LayerOptions } from '../maps/layer-options.ts';
import { allAreKnown } from '../ows/name-lists.ts';
import type { Parameters } from '../ows/parameters.ts';
import { createMapLook, type MapLook } from '../wms/map/map-look.ts';
import { readMapWithDefaults } from '../wms/request/read-map.ts';

export interface TileOptions {
  readonly layer: LayerOptions;
  /** For image tiles. */
  readonly look: Partial<MapLook>;
  /** The parameters as sent: equal texts select the same tile. Vector tiles ignore the appearance. */
  readonly written: { readonly layer: WrittenParameters; readonly look: WrittenParameters };
}

type WrittenParameters = Readonly<Record<string, string>>;

/** The options of a request without parameters. */
export const defaultTileOptions: TileOptions = {
  layer: { selection: { kind: 'all' }, sortBy: [], viewParameters: new Map(), dimensions: new Map() },
  look: {},
  written: { layer: {}, look: {} },
};

const layerParameters: ReadonlySet<string> = new Set([
  'cql_filter',
  'filter',
  'featureid',
  'resourceid',
  'viewparams',
  'maxfeatures',
  'time',
  'elevation',
]);

const lookParameters: ReadonlySet<string> = new Set([
  'env',
  'bgcolor',
  'transparent',
  'format_options',
  'dpi',
  'map_resolution',
  'interpolations',
  'sortby',
]);

/** WMS parameters that tiles do not support, with their alternatives. */
const unsupportedParameters: ReadonlyMap<string, string> = new Map([
  ['sld', 'use a style of the layer'],
  ['sld_body', 'use a style of the layer'],
  ['angle', 'use WMS GetMap'],
  ['buffer', 'use WMS GetMap'],
  ['clip', 'use WMS GetMap'],
  ['palette', 'use WMS GetMap'],
  ['scalemethod', 'use WMS GetMap'],
  ['startindex', 'use a filter'],
]);

/** Parses the options for one layer or group; throws a Problem for unsupported parameters. */
export async function readTileOptions(
  parameters: Parameters,
  limits: DocumentLimits,
  { isVector }: { readonly isVector: boolean },
): Promise<TileOptions> {
  const [layer, look] = [{}, {}] as [Record<string, string>, Record<string, string>];
  for (const [name, value] of parameters) {
    const instead = unsupportedParameters.get(name);
    if (instead !== undefined) {
      throw problem('ows-option-unsupported', { what: `The parameter '${name}' for tiles`, instead, field: name });
    }
    if (layerParameters.has(name) || name.startsWith('dim_')) layer[name] = value;
    else if (lookParameters.has(name)) look[name] = value;
  }
  if (isVector && look['sortby'] !== undefined) {
    throw problem('ows-option-unsupported', {
      what: 'Sorting the features of a vector tile',
      instead: 'sort them in the style of the client',
      field: 'sortby',
    });
  }
  const given = Object.entries({ ...layer, ...look });
  if (given.length === 0) return defaultTileOptions;
  const map = await readMapWithDefaults(new Map([...given, ['layers', 'the one of the tile']]), limits, allAreKnown);
  const { selection, sortBy, viewParameters, interpolation } = map.layers[0] ?? defaultTileOptions.layer;
  const { dimensions, maxFeatures } = map;
  return {
    layer: { selection, sortBy, viewParameters, dimensions, maxFeatures, interpolation },
    look: { ...createMapLook(map), isTransparent: isTileTransparent(look, map.isTransparent) },
    written: { layer, look },
  };
}

/** Tiles are transparent by default, because they are overlaid. */
function isTileTransparent({ transparent, bgcolor }: WrittenParameters, isTransparent: boolean): boolean {
  return transparent === undefined && bgcolor === undefined ? true : isTransparent;
}
