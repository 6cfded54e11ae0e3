/** Published types after their data has changed: what is computed from it is computed anew. */
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import type { DataStore } from '../kinds/data-store.ts';
import { type FeatureType, featureTypeKind } from '../kinds/feature-type.ts';
import { keepAttributeAnnotations } from '../kinds/published-attribute.ts';
import { getBoundsCrs } from '../kinds/resource.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import type { StoreData } from '../stores/store-data.ts';
import { type Publication, preparePublication } from './publish-feature-type.ts';
import { hasVirtualTable } from './virtual-table.ts';

/** A query may go by the name of a table without being one. */
export async function listTableTypes(catalog: CatalogReader, store: DataStore): Promise<readonly FeatureType[]> {
  return (await catalog.list(featureTypeKind, store.id)).filter((type) => !hasVirtualTable(type));
}

/** What is computed from the data is computed anew; what people said of the type stays. */
export async function refreshType(
  type: FeatureType,
  { publication }: { readonly publication: Publication },
): Promise<FeatureType> {
  const { nativeCrs, nativeBounds } = publication;
  const wasDerived = type.srs === (type.nativeCrs.code ?? null);
  const srs = wasDerived ? publication.srs : type.srs;
  const crs = getBoundsCrs({ srs, nativeCrs, projectionPolicy: type.projectionPolicy });
  const latLonBounds = nativeBounds === null ? null : ((await computeGeographicBounds(nativeBounds, crs)) ?? null);
  const attributes = keepAttributeAnnotations(publication.attributes, type.attributes);
  return { ...type, nativeCrs, srs, nativeBounds, latLonBounds, attributes };
}

/**
 * Lets go of what is open of a store. Files that only lie on the server may have changed there: what is published of them is
 * described anew, all of it or one type. Tells what could not be.
 */
export async function resetStore(
  catalog: Catalog,
  principal: Principal,
  data: StoreData,
  view: DataStoreView,
  only?: FeatureType,
): Promise<{ readonly warnings: readonly string[] }> {
  const { store } = view;
  // Whoever still reads keeps what is open; nobody has to wait for that.
  void data.reset(store.id);
  if (!store.enabled || !data.canChangeExternally(store)) {
    return { warnings: [] };
  }
  const types = (await listTableTypes(catalog, store)).filter(({ id }) => only === undefined || only.id === id);
  const refreshed: FeatureType[] = [];
  const warnings: string[] = [];
  for (const type of types) {
    const outcome = await reloadType(data, view, type);
    if (typeof outcome === 'string') {
      warnings.push(`The feature type '${type.name}' is as it was: ${outcome}`);
    } else {
      refreshed.push(outcome);
    }
  }
  await catalog.change(principal, `reset data store ${store.name} in ${view.workspace.name}`, async (transaction) => {
    for (const type of refreshed) {
      const current = await transaction.get(featureTypeKind, type.id);
      // Who has changed it meanwhile may have said otherwise.
      if (current?.version === type.version) {
        await transaction.update(featureTypeKind, type);
      }
    }
  });
  return { warnings: limitSentences(warnings) };
}

/** The type, or the reason why it stays as it is. */
async function reloadType(data: StoreData, view: DataStoreView, type: FeatureType): Promise<FeatureType | string> {
  try {
    const described = await data.describe(view, type.nativeName);
    return described === undefined
      ? `the data has nothing named '${type.nativeName}' any more.`
      : await refreshType(type, { publication: await preparePublication(described, {}, type.name) });
  } catch (error) {
    if (error instanceof Problem) {
      return error.message;
    }
    throw error;
  }
}
