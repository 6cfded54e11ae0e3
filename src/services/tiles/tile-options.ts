/** What clients want of tiles beyond what everybody sees: other features, times, values of styles. Each has tiles of its own. */

import { problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { LayerOptions } from '../maps/layer-options.ts';
import { allAreKnown } from '../ows/name-lists.ts';
import type { Parameters } from '../ows/parameters.ts';
import { createMapLook, type MapLook } from '../wms/map/map-look.ts';
import { readMapWithDefaults } from '../wms/request/read-map.ts';

export interface TileOptions {
  readonly layer: LayerOptions;
  /** Of pictures. */
  readonly look: Partial<MapLook>;
  /** By parameter, as written: the same words mean the same tile. Vector tiles have no looks. */
  readonly written: { readonly layer: WrittenParameters; readonly look: WrittenParameters };
}

type WrittenParameters = Readonly<Record<string, string>>;

/** What everybody sees. */
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

/** What maps have and tiles have not, with what to do instead. */
const unsupportedParameters: ReadonlyMap<string, string> = new Map([
  ['sld', 'name a style of the layer'],
  ['sld_body', 'name a style of the layer'],
  ['angle', 'ask the WMS for a map'],
  ['buffer', 'ask the WMS for a map'],
  ['clip', 'ask the WMS for a map'],
  ['palette', 'ask the WMS for a map'],
  ['scalemethod', 'ask the WMS for a map'],
  ['startindex', 'select features with a filter'],
]);

/** For one layer or group; a Problem for what tiles cannot be asked. */
export async function readTileOptions(
  parameters: Parameters,
  limits: DocumentLimits,
  { isVector }: { readonly isVector: boolean },
): Promise<TileOptions> {
  const [layer, look] = [{}, {}] as [Record<string, string>, Record<string, string>];
  for (const [name, value] of parameters) {
    const instead = unsupportedParameters.get(name);
    if (instead !== undefined) {
      throw problem('ows-option-unsupported', { what: `The parameter ${name} of tiles`, instead, field: name });
    }
    if (layerParameters.has(name) || name.startsWith('dim_')) layer[name] = value;
    else if (lookParameters.has(name)) look[name] = value;
  }
  if (isVector && look['sortby'] !== undefined) {
    throw problem('ows-option-unsupported', {
      what: 'An order of the features of a vector tile',
      instead: 'leave it to the style that draws them',
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

/** Tiles lie above others, unless somebody says otherwise. */
function isTileTransparent({ transparent, bgcolor }: WrittenParameters, isTransparent: boolean): boolean {
  return transparent === undefined && bgcolor === undefined ? true : isTransparent;
}
