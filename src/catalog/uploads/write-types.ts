/** Publishes the requested feature types after an upload, and refreshes those of changed data. */

import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { toFeatureTypeView } from '../feature-types/feature-type-view.ts';
import { assignFreeTypeName, insertFeatureType } from '../feature-types/publish-feature-type.ts';
import { listTableTypes } from '../feature-types/refresh-feature-types.ts';
import type { DataStore } from '../kinds/data-store.ts';
import { type FeatureType, featureTypeKind } from '../kinds/feature-type.ts';
import { getBoundsCrs } from '../kinds/resource.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import type { DescribedType, DescribedTypes } from './describe-upload.ts';
import type { PublishedType, UploadResult } from './upload.ts';

/** Everything that is computed before the transaction, which only writes it. */
export interface PreparedTypes extends DescribedTypes {
  /** The already published types by id, refreshed, each in the version at the time of preparation. */
  readonly refreshed: ReadonlyMap<string, FeatureType>;
}

export type RefreshType = (type: FeatureType, described: DescribedType) => Promise<FeatureType>;

export async function prepareTypes(
  catalog: CatalogReader,
  store: DataStore | undefined,
  upload: DescribedTypes,
  refresh: RefreshType,
): Promise<PreparedTypes> {
  const known = store === undefined ? [] : await listTableTypes(catalog, store);
  const refreshed = new Map<string, FeatureType>();
  for (const type of known) {
    const data = upload.described.find(({ description }) => description.name === type.nativeName);
    if (data !== undefined) {
      // Types whose data is unreachable stay unchanged.
      refreshed.set(type.id, data.description.unreachable !== undefined ? type : await refresh(type, data));
    }
  }
  return { ...upload, refreshed };
}

/** Returns whether no type was changed or published since the preparation. */
export async function isUpToDate(
  catalog: CatalogReader,
  store: DataStore | undefined,
  { described, refreshed }: PreparedTypes,
): Promise<boolean> {
  const known = store === undefined ? [] : await listTableTypes(catalog, store);
  const names = new Set(described.map(({ description }) => description.name));
  return known.every((type) => !names.has(type.nativeName) || refreshed.get(type.id)?.version === type.version);
}

/** Skips types that have changed since the preparation. */
export async function writeTypes(
  transaction: CatalogTransaction,
  view: DataStoreView,
  { described, names, refreshed, warnings }: PreparedTypes,
): Promise<Pick<UploadResult, 'types' | 'unpublished' | 'warnings'>> {
  const known = await listTableTypes(transaction, view.store);
  const written: PublishedType[] = [];
  for (const each of described) {
    const published = known.filter(({ nativeName }) => nativeName === each.description.name);
    for (const type of published) {
      const prepared = refreshed.get(type.id);
      const isCurrent = prepared?.version === type.version;
      const current = isCurrent ? await transaction.update(featureTypeKind, prepared) : type;
      written.push({ view: toFeatureTypeView(current, view), isNew: false, details: each.details });
    }
    if (published.length === 0 && each.isWanted) {
      const free = await assignFreeTypeName(transaction, view.workspace.id, each.publication);
      written.push({ view: await insertFeatureType(transaction, view, free), isNew: true, details: each.details });
    }
  }
  const published = new Set([...known, ...written.map((each) => each.view.type)].map(({ nativeName }) => nativeName));
  return {
    types: written,
    unpublished: names.filter((name) => !published.has(name)),
    warnings: [...warnings, ...described.flatMap(({ description }) => description.warnings ?? [])],
  };
}

/** Recomputes the bounds, for a table with new rows but the same columns. */
export async function refreshTypeBounds(type: FeatureType, { publication }: DescribedType): Promise<FeatureType> {
  const { nativeBounds } = publication;
  const computed = nativeBounds === null ? undefined : await computeGeographicBounds(nativeBounds, getBoundsCrs(type));
  return { ...type, nativeBounds, latLonBounds: computed ?? null };
}
