/** What clients want of tiles beyond what everybody sees: other features, times, values of styles. Each has tiles of its own. */
import type { DocumentLimits } from '../../lib/document-limits.ts';
import { problem } from '../../lib/problem.ts';
import type { LayerWishes } from '../maps/layer-wishes.ts';
import { allAreKnown } from '../ows/name-lists.ts';
import type { Parameters } from '../ows/parameters.ts';
import { lookOf, type MapLook } from '../wms/map-look.ts';
import { readMapOfDefaults } from '../wms/read-map.ts';

export interface TileWishes {
  readonly layer: LayerWishes;
  /** Of pictures. */
  readonly look: Partial<MapLook>;
  /** By parameter, as written: the same words mean the same tile. Vector tiles have no looks. */
  readonly written: { readonly layer: Written; readonly look: Written };
}

type Written = Readonly<Record<string, string>>;

/** What everybody sees. */
export const noWishes: TileWishes = {
  layer: { selection: { kind: 'all' }, sortBy: [], viewParameters: new Map(), dimensions: new Map() },
  look: {},
  written: { layer: {}, look: {} },
};

const ofLayers: ReadonlySet<string> = new Set([
  'cql_filter',
  'filter',
  'featureid',
  'resourceid',
  'viewparams',
  'maxfeatures',
  'time',
  'elevation',
]);

const ofLooks: ReadonlySet<string> = new Set([
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
const refused: ReadonlyMap<string, string> = new Map([
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
export async function readTileWishes(
  parameters: Parameters,
  limits: DocumentLimits,
  { isVector }: { readonly isVector: boolean },
): Promise<TileWishes> {
  const [layer, look] = [{}, {}] as [Record<string, string>, Record<string, string>];
  for (const [name, value] of parameters) {
    const instead = refused.get(name);
    if (instead !== undefined) {
      throw problem('ows-option-unsupported', { what: `The parameter ${name} of tiles`, instead, field: name });
    }
    if (ofLayers.has(name) || name.startsWith('dim_')) layer[name] = value;
    else if (ofLooks.has(name)) look[name] = value;
  }
  if (isVector && look['sortby'] !== undefined) {
    throw problem('ows-option-unsupported', {
      what: 'An order of the features of a vector tile',
      instead: 'leave it to the style that draws them',
      field: 'sortby',
    });
  }
  const given = Object.entries({ ...layer, ...look });
  if (given.length === 0) return noWishes;
  const map = await readMapOfDefaults(new Map([...given, ['layers', 'the one of the tile']]), limits, allAreKnown);
  const { selection, sortBy, viewParameters, interpolation } = map.layers[0] ?? noWishes.layer;
  const { dimensions, maxFeatures } = map;
  return {
    layer: { selection, sortBy, viewParameters, dimensions, maxFeatures, interpolation },
    look: { ...lookOf(map), isTransparent: isSeenThrough(look, map.isTransparent) },
    written: { layer, look },
  };
}

/** Tiles lie above others, unless somebody says otherwise. */
function isSeenThrough({ transparent, bgcolor }: Written, isTransparent: boolean): boolean {
  return transparent === undefined && bgcolor === undefined ? true : isTransparent;
}
