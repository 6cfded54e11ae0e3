/** Feature types after an upload: new ones for what is wanted, and those of changed data brought up to date. */
import { geographicBounds } from '../../data/crs/geographic-bounds.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { type FeatureType, featureTypeKind } from '../feature-types/feature-type.ts';
import { type FeatureTypeView, featureTypeView } from '../feature-types/feature-type-view.ts';
import { insertFeatureType, withFreeName } from '../feature-types/publish-feature-type.ts';
import { remarksKept } from '../feature-types/published-attribute.ts';
import { hasVirtualTable } from '../feature-types/virtual-table.ts';
import { boundsCrs } from '../resources/resource.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import type { DescribedType } from './describe-upload.ts';

export async function writeTypes(
  transaction: CatalogTransaction,
  view: DataStoreView,
  described: readonly DescribedType[],
  refresh: (type: FeatureType, described: DescribedType) => Promise<FeatureType>,
): Promise<readonly FeatureTypeView[]> {
  const all = await transaction.list(featureTypeKind, view.store.id);
  // A query may go by the name of a table without being one.
  const known = all.filter((type) => !hasVirtualTable(type));
  const written: FeatureTypeView[] = [];
  for (const each of described) {
    const published = known.filter(({ nativeName }) => nativeName === each.description.name);
    for (const type of published) {
      const refreshed = await transaction.update(featureTypeKind, await refresh(type, each));
      written.push(featureTypeView(refreshed, view));
    }
    if (published.length === 0 && each.isWanted) {
      const free = await withFreeName(transaction, view.workspace.id, each.publication);
      written.push(await insertFeatureType(transaction, view, free));
    }
  }
  return written;
}

/** What is computed from the data is computed anew; what people said of the type stays. */
export async function refreshedType(type: FeatureType, { publication }: DescribedType): Promise<FeatureType> {
  const { nativeCrs, nativeBounds } = publication;
  const wasDerived = type.srs === (type.nativeCrs.code ?? null);
  const srs = wasDerived ? publication.srs : type.srs;
  const crs = boundsCrs({ srs, nativeCrs, projectionPolicy: type.projectionPolicy });
  const latLonBounds = nativeBounds === null ? null : ((await geographicBounds(nativeBounds, crs)) ?? null);
  const attributes = remarksKept(publication.attributes, type.attributes);
  return { ...type, nativeCrs, srs, nativeBounds, latLonBounds, attributes };
}

/** For a table that has got other rows, and is otherwise what it was. */
export async function refreshedBounds(type: FeatureType, { publication }: DescribedType): Promise<FeatureType> {
  const { nativeBounds } = publication;
  const computed = nativeBounds === null ? undefined : await geographicBounds(nativeBounds, boundsCrs(type));
  return { ...type, nativeBounds, latLonBounds: computed ?? null };
}
