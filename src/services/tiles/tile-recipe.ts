/** All that the content of a tile depends on, and for how long what was made of it may be kept. */
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { createUnionKind } from '../../records/record.ts';
import type { FeatureServices } from '../access/feature-access.ts';
import { findLayerStyle, loadMapStyleView } from '../access/map-styles.ts';
import type { MapLayer, StyledLayer } from '../access/published-map.ts';
import { readMaxAge } from '../access/published-type.ts';
import { isPresent } from '../maps/dimensions/dimension-values.ts';
import { listLayerDimensions } from '../maps/dimensions/layer-dimensions.ts';
import type { LayerOptions } from '../maps/layer-options.ts';

const anyStore = createUnionKind(storeKinds);

/**
 * By the numbers of the changes that wrote what it is drawn from, which are never given twice. Which layers of a group are
 * drawn is a matter of who asks: whoever sees others has tiles of their own.
 */
export async function computeTileRecipe(
  catalog: CatalogReader,
  layers: readonly StyledLayer[],
  isStyled: boolean,
  options: Readonly<Record<string, string>>,
): Promise<string> {
  const drawn = await Promise.all(
    layers.map(async ({ layer, style }) => {
      const chosen = isStyled ? await findLayerStyle(catalog, layer, style) : undefined;
      const view = chosen && (await loadMapStyleView(catalog, chosen));
      return [layer.layer.id, layer.version, chosen?.style.id ?? '', view?.version ?? 0];
    }),
  );
  return JSON.stringify([drawn, Object.entries(options).sort()]);
}

export interface TileCachePolicy {
  /** How old a kept tile may be; undefined where none is kept. */
  readonly cachedMs: number | undefined;
  /** For how long clients may keep it without asking; undefined where nobody said so. */
  readonly maxAgeSeconds: number | undefined;
}

/**
 * Data of our own changes with its records. Of what lies elsewhere we do not hear: its tiles are kept for as long as people
 * say that clients may keep them, and not at all where nobody says so; nor where they show what is nearest to the present.
 */
export async function resolveTileCachePolicy(
  { catalog, vectorData }: Pick<FeatureServices, 'catalog' | 'vectorData'>,
  layers: readonly StyledLayer[],
  wishes: LayerOptions,
): Promise<TileCachePolicy> {
  const ages = layers.map(({ layer }) => readMaxAge(layer.resource));
  const isAged = ages.every((each) => each !== undefined);
  const maxAgeSeconds = isAged && ages.length > 0 ? Math.min(...ages) : undefined;
  const elsewhere = await Promise.all(layers.map(({ layer }) => isExternal(layer)));
  const outside = layers.filter((_, index) => elsewhere[index]).map(({ layer }) => readMaxAge(layer.resource) ?? 0);
  const shortest = Math.min(Number.POSITIVE_INFINITY, ...outside);
  const isOfNow = hasRelativeTime(wishes) || layers.some(({ layer }) => hasNowAsDefault(layer, wishes));
  return { maxAgeSeconds, cachedMs: shortest === 0 || isOfNow ? undefined : shortest * 1_000 };

  async function isExternal({ resource }: MapLayer): Promise<boolean> {
    const store = await catalog.get(anyStore, resource.parent ?? '');
    return store === undefined || store.fileSet === null || vectorData.isMapping(store);
  }
}

/** Whether what is meant changes by itself, as the present does. */
function hasRelativeTime({ dimensions }: LayerOptions): boolean {
  return [...dimensions.values()].some((each) => /current|now|present/i.test(each));
}

/** Whether what it shows where nobody asks for a time is what is nearest to the present. */
function hasNowAsDefault({ type }: MapLayer, { dimensions }: LayerOptions): boolean {
  const usual = type === undefined ? [] : listLayerDimensions(type).filter(({ name }) => !dimensions.has(name));
  return usual.some(({ default: { strategy, reference } }) => strategy === 'NEAREST' && isPresent(reference));
}
