/** What can be done with the published types of data stores. */
import type { TypeSummary } from '../../data/vector/port.ts';
import type { OneAtATime } from '../../lib/one-at-a-time.ts';
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, type NameRule, printableName } from '../../records/names.ts';
import { refuseTakenResourceName } from '../resources/find-resource.ts';
import { knownSrs, refuseOtherPlace } from '../resources/resource-draft.ts';
import { deleteResource } from '../resources/write-resource.ts';
import { type DataStoreView, findDataStore, listDataStores } from '../stores/data-stores.ts';
import type { StoreData } from '../stores/store-data.ts';
import { type FeatureTypeDraft, featureTypeKind, SRS_FIELD } from './feature-type.ts';
import { type FeatureTypePlace, type FeatureTypeView, featureTypeView, findFeatureType } from './feature-type-view.ts';
import { insertFeatureType, type Publication, preparePublication } from './publish-feature-type.ts';
import { type AttributeDraft, newAttribute } from './published-attribute.ts';
import { hasVirtualTable, sqlViewIn } from './virtual-table.ts';

/** The name is the layer's as well: in qualified names a colon separates, and in access rules a star means every layer. */
export const featureTypeNameRule: NameRule = {
  what: 'feature type',
  field: 'featureType.name',
  forbidden: [':'],
  reserved: ['*'],
};

export async function listFeatureTypes(
  catalog: CatalogReader,
  place: FeatureTypePlace,
): Promise<readonly FeatureTypeView[]> {
  const lists = (await storesAt(catalog, place)).map(async (view) => {
    const types = await catalog.list(featureTypeKind, view.store.id);
    return types.map((type) => featureTypeView(type, view));
  });
  return (await Promise.all(lists)).flat().sort((a, b) => (a.type.name < b.type.name ? -1 : 1));
}

/** The names the data has, whether published or not. */
export async function listNativeTypes(
  catalog: CatalogReader,
  place: FeatureTypePlace,
  data: StoreData,
): Promise<readonly (TypeSummary & { readonly isPublished: boolean })[]> {
  const lists = (await storesAt(catalog, place)).map(async (view) => {
    // A virtual table hides no table, even of its own name.
    const ofTables = (await catalog.list(featureTypeKind, view.store.id)).filter((type) => !hasVirtualTable(type));
    const published = new Set(ofTables.map((type) => type.nativeName));
    const types = await data.listTypes(view);
    return types.map((type) => ({ ...type, isPublished: published.has(type.name) }));
  });
  return (await Promise.all(lists)).flat();
}

/**
 * Publishes a type that the data has, or makes an empty table first when the data has none of that name and attributes
 * are given. A table whose publishing fails is taken away again. A virtual table is published as it is: nothing is made.
 */
export async function createFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  draft: FeatureTypeDraft,
  options: {
    readonly data: StoreData;
    /** Those who create in one store take turns. */
    readonly oneAtATime: OneAtATime;
  },
): Promise<FeatureTypeView> {
  const { data } = options;
  const view = await findDataStore(catalog, place.workspace, place.store);
  refuseOtherPlace(view, draft);
  const nativeName = draft.nativeName ?? draft.name ?? '';
  const name = draft.name ?? nativeName;
  checkName(name, featureTypeNameRule);
  const query = sqlViewIn(draft.metadata ?? {});
  if (query !== undefined) {
    await refuseTakenResourceName(catalog, view.workspace, name);
    return publish(
      catalog,
      principal,
      place,
      await preparePublication(await data.describeView(view, query), draft, name),
    );
  }
  // Nobody must take a table away that another has just published; those who want another table wait for nothing.
  return options.oneAtATime(`${view.store.id}/${nativeName}`, async () => {
    await refuseTakenResourceName(catalog, view.workspace, name);
    const existing = await data.describe(view, nativeName);
    if (existing !== undefined) {
      return publish(catalog, principal, place, await preparePublication(existing, draft, name));
    }
    return options.oneAtATime(view.store.id, async () => {
      await createTable(view, nativeName, draft, data);
      try {
        const made = await data.describe(view, nativeName);
        if (made === undefined) {
          throw new Error('A table that was just made is not there');
        }
        const said = { ...draft, attributes: asMade(draft.attributes ?? []) };
        return await publish(catalog, principal, place, await preparePublication(made, said, name));
      } catch (error) {
        // The first failure is the one to tell.
        await data.drop(view, nativeName).catch(() => undefined);
        throw error;
      }
    });
  });
}

/** What is told of the values of a new table is what its columns have become: not every database has every type. */
function asMade(attributes: readonly AttributeDraft[]): readonly AttributeDraft[] {
  return attributes.map(({ type: _type, length: _length, ...remarks }) => remarks);
}

function publish(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  publication: Publication,
): Promise<FeatureTypeView> {
  const what = `publish ${publication.name} of ${place.store} in ${place.workspace}`;
  return catalog.change(principal, what, async (transaction) =>
    insertFeatureType(transaction, await findDataStore(transaction, place.workspace, place.store), publication),
  );
}

export function deleteFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: FeatureTypePlace & { readonly name: string },
  options: { readonly recurse: boolean; readonly precondition: Precondition },
): Promise<void> {
  return catalog.change(principal, `delete feature type ${place.name} in ${place.workspace}`, async (transaction) => {
    const { type, version } = await findFeatureType(transaction, place, place.name);
    checkPrecondition(options.precondition, version);
    await deleteResource(transaction, featureTypeKind, type, options);
  });
}

async function createTable(
  view: DataStoreView,
  nativeName: string,
  draft: FeatureTypeDraft,
  data: StoreData,
): Promise<void> {
  const attributes = draft.attributes ?? [];
  if (attributes.length === 0) {
    throw problem('native-type-unknown', { name: printableName(nativeName), store: view.store.name });
  }
  const crs = draft.srs == null ? {} : { code: await knownSrs(draft.srs, SRS_FIELD) };
  await data.create(view, {
    name: nativeName,
    attributes: attributes.map((attribute) => newAttribute(attribute, crs)),
  });
}

async function storesAt(catalog: CatalogReader, place: FeatureTypePlace): Promise<readonly DataStoreView[]> {
  return place.store === undefined
    ? listDataStores(catalog, place.workspace)
    : [await findDataStore(catalog, place.workspace, place.store)];
}
