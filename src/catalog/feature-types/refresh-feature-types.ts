/** Refreshes published types after their data has changed. */
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import type { DataStore } from '../kinds/data-store.ts';
import { type FeatureType, featureTypeKind } from '../kinds/feature-type.ts';
import { keepAttributeAnnotations } from '../kinds/published-attribute.ts';
import { getBoundsCrs } from '../kinds/resource.ts';
import { UNVERIFIED } from '../kinds/unverified.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import type { StoreData } from '../stores/store-data.ts';
import { type Publication, preparePublication } from './publish-feature-type.ts';
import { completeFromData } from './unverified-type.ts';
import { hasVirtualTable } from './virtual-table.ts';

/** Excludes virtual tables, which may have the name of a table. */
export async function listTableTypes(catalog: CatalogReader, store: DataStore): Promise<readonly FeatureType[]> {
  return (await catalog.list(featureTypeKind, store.id)).filter((type) => !hasVirtualTable(type));
}

/** Recomputes the fields that depend on the data; changes of clients stay. */
export async function refreshType(
  type: FeatureType,
  { publication }: { readonly publication: Publication },
): Promise<FeatureType> {
  if (type.unverified !== undefined) return completeFromData(type, publication);
  const { nativeCrs, nativeBounds, tileZooms } = publication;
  const wasDerived = type.srs === (type.nativeCrs.code ?? null);
  const srs = wasDerived ? publication.srs : type.srs;
  const crs = getBoundsCrs({ srs, nativeCrs, projectionPolicy: type.projectionPolicy });
  const latLonBounds = nativeBounds === null ? null : ((await computeGeographicBounds(nativeBounds, crs)) ?? null);
  const attributes = keepAttributeAnnotations(publication.attributes, type.attributes);
  return { ...type, nativeCrs, srs, nativeBounds, latLonBounds, tileZooms, attributes };
}

/**
 * Closes the connections and files of a store. External files may have changed, so published types, or one of them, are
 * described again. Returns warnings for those that failed.
 */
export async function resetStore(
  catalog: Catalog,
  principal: Principal,
  data: StoreData,
  { view, only }: { readonly view: DataStoreView; readonly only?: FeatureType },
): Promise<{ readonly warnings: readonly string[] }> {
  const { store } = view;
  // Close in the background: current readers keep the open source until they finish.
  void data.reset(store.id);
  const isExternal = data.canChangeExternally(store);
  if (!store.enabled || !(isExternal || (await hasUnverified(catalog)))) {
    return { warnings: [] };
  }
  const types = (await listTableTypes(catalog, store)).filter(
    ({ id, unverified }) => (isExternal || unverified !== undefined) && (only === undefined || only.id === id),
  );
  const refreshed: FeatureType[] = [];
  const warnings: string[] = [];
  for (const type of types) {
    const outcome = await reloadType(data, view, type);
    if (typeof outcome === 'string') {
      warnings.push(`The feature type '${type.name}' is unchanged: ${outcome}`);
    } else {
      refreshed.push(outcome);
    }
  }
  await catalog.change(principal, `reset data store ${store.name} in ${view.workspace.name}`, async (transaction) => {
    for (const type of refreshed) {
      const current = await transaction.get(featureTypeKind, type.id);
      // Skip a type that another request has changed in the meantime.
      if (current?.version === type.version) {
        await transaction.update(featureTypeKind, type);
      }
    }
  });
  return { warnings: limitSentences(warnings) };
}

/** Most catalogs have none, and an index tells so at once. */
async function hasUnverified(catalog: CatalogReader): Promise<boolean> {
  return (await catalog.findByKey(featureTypeKind, UNVERIFIED, UNVERIFIED, 1)).length > 0;
}

/** Returns the refreshed type, or the reason why it stays unchanged. */
async function reloadType(data: StoreData, view: DataStoreView, type: FeatureType): Promise<FeatureType | string> {
  try {
    const described = await data.describe(view, type.nativeName);
    return described === undefined
      ? `the data no longer contains '${type.nativeName}'.`
      : await refreshType(type, { publication: await preparePublication(described, {}, type.name) });
  } catch (error) {
    if (error instanceof Problem) {
      return error.message;
    }
    throw error;
  }
}
