/** Computes the inputs of a tile and its cache lifetime. */
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import { EVERY_FONT, styleFileKind } from '../../catalog/kinds/style.ts';
import { MAX_FONTS } from '../../catalog/styles/uploaded-fonts.ts';
import { mayContainLookup } from '../../filter/lookup/lookup-calls.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { createUnionKind } from '../../records/record.ts';
import { expiry } from '../../tiles/settings/tile-settings.ts';
import type { FeatureServices } from '../access/feature-access.ts';
import { findLayerStyle, loadMapStyleView } from '../access/map-styles.ts';
import type { MapLayer, StyledLayer } from '../access/published-map.ts';
import { readMaxAge } from '../access/published-type.ts';
import { isPresent } from '../maps/dimensions/dimension-values.ts';
import { listLayerDimensions } from '../maps/dimensions/layer-dimensions.ts';
import type { LayerOptions } from '../maps/layer-options.ts';
import type { MapServices } from '../maps/map-services.ts';
import { readsOtherLayers } from '../maps/style-lookups.ts';
import { loadReadyStyle } from '../maps/style-models.ts';

const anyStore = createUnionKind(storeKinds);

/**
 * The recipe consists of the change numbers of all inputs, which are never reused. The visible layers of a group
 * depend on the principal, and so do the data rules: principals with different visibility have separate tiles.
 */
export async function computeTileRecipe(
  catalog: CatalogReader,
  layers: readonly StyledLayer[],
  hasText: boolean,
  options: Readonly<Record<string, string>>,
): Promise<string> {
  const drawn = await Promise.all(
    layers.map(async ({ layer, style }) => {
      // Styles also select the attributes of vector tiles.
      const chosen = await findLayerStyle(catalog, layer, style);
      const view = chosen && (await loadMapStyleView(catalog, chosen));
      return [layer.layer.id, layer.state, chosen?.style.id ?? '', view?.version ?? 0, view?.imageCount ?? 0];
    }),
  );
  const fonts = hasText ? await listFontVersions(catalog) : [];
  return JSON.stringify([drawn, Object.entries(options).sort(), fonts]);
}

/** Any label can use any font, because fonts also replace the missing characters of others. */
async function listFontVersions(catalog: CatalogReader): Promise<readonly number[]> {
  const fonts = await catalog.findByKey(styleFileKind, 'font', EVERY_FONT, MAX_FONTS);
  return fonts.map(({ version }) => version).sort((one, other) => one - other);
}

/** The lifetimes that the tile settings of a layer contain for a level, with the special values of `expiry`. */
export interface TileLifetimes {
  readonly cacheSeconds: number;
  readonly clientSeconds: number;
  /** Whether tiles of the level are cached at all. */
  readonly isCachedLevel: boolean;
}

/** Long enough for clients: a year, the usual maximum. */
const YEAR_SECONDS = 31_536_000;

function resolveClientSeconds(set: number, ofData: number | undefined): number | undefined {
  if (set > 0) return set;
  if (set === expiry.forever) return YEAR_SECONDS;
  return set === expiry.never ? undefined : ofData;
}

/** Returns 0 if tiles are not cached. The administrator knows how often external data changes. */
function resolveCacheSeconds(set: number, ofData: number): number {
  if (set > 0) return set;
  if (set === expiry.forever) return Number.POSITIVE_INFINITY;
  return set === expiry.never ? 0 : ofData;
}

export interface TileCachePolicy {
  /** The maximum age of a cached tile; undefined if tiles are not cached. */
  readonly cachedMs: number | undefined;
  /** The cache lifetime for clients; undefined if not configured. */
  readonly maxAgeSeconds: number | undefined;
}

/**
 * Data managed by this server changes with its records. Changes of external data are not detectable: its tiles are
 * cached for the lifetime configured for clients, or not at all. Tiles nearest to the current time are not cached
 * either.
 */
export async function resolveTileCachePolicy(
  { catalog, vectorData }: Pick<FeatureServices, 'catalog' | 'vectorData'>,
  layers: readonly StyledLayer[],
  wishes: LayerOptions,
  { cacheSeconds, clientSeconds, isCachedLevel }: TileLifetimes,
): Promise<TileCachePolicy> {
  const ages = layers.map(({ layer }) => readMaxAge(layer.resource));
  const isAged = ages.every((each) => each !== undefined);
  const ofData = isAged && ages.length > 0 ? Math.min(...ages) : undefined;
  const maxAgeSeconds = resolveClientSeconds(clientSeconds, ofData);
  const elsewhere = await Promise.all(layers.map(({ layer }) => isExternal(layer)));
  const outside = layers.filter((_, index) => elsewhere[index]).map(({ layer }) => readMaxAge(layer.resource) ?? 0);
  const shortest = Math.min(Number.POSITIVE_INFINITY, ...outside);
  const isOfNow = hasRelativeTime(wishes) || layers.some(({ layer }) => hasNowAsDefault(layer, wishes));
  const keptSeconds = isOfNow || !isCachedLevel ? 0 : resolveCacheSeconds(cacheSeconds, shortest);
  return { maxAgeSeconds, cachedMs: keptSeconds === 0 ? undefined : keptSeconds * 1_000 };

  async function isExternal({ resource }: MapLayer): Promise<boolean> {
    const store = await catalog.get(anyStore, resource.parent ?? '');
    return store === undefined || store.fileSet === null || vectorData.isMapping(store);
  }
}

/**
 * Returns whether a tile has values of other layers. Their changes are not part of the recipe, and neither are the
 * permissions of the principal for them.
 */
export async function isMadeOfOtherLayers(
  services: MapServices,
  layers: readonly StyledLayer[],
  options: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (Object.values(options).some(mayContainLookup)) return true;
  for (const { layer, style } of layers) {
    const chosen = await findLayerStyle(services.catalog, layer, style);
    // A style that cannot be drawn is reported when the tile is.
    const ready = chosen && (await loadReadyStyle(services, chosen, layer).catch(() => undefined));
    if (ready !== undefined && (await readsOtherLayers(ready.model))) return true;
  }
  return false;
}

/** Returns whether the requested values depend on the current time. */
function hasRelativeTime({ dimensions }: LayerOptions): boolean {
  return [...dimensions.values()].some((each) => /current|now|present/i.test(each));
}

/** Returns whether the default time is the one nearest to now. */
function hasNowAsDefault({ type }: MapLayer, { dimensions }: LayerOptions): boolean {
  const usual = type === undefined ? [] : listLayerDimensions(type).filter(({ name }) => !dimensions.has(name));
  return usual.some(({ default: { strategy, reference } }) => strategy === 'NEAREST' && isPresent(reference));
}
