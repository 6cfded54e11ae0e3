/** What can be done with the published types of data stores. */
import type { TypeSummary } from '../data/vector/port.ts';
import { checkPrecondition, type Precondition } from '../lib/precondition.ts';
import type { Principal } from '../lib/principal.ts';
import { problem } from '../lib/problem.ts';
import type { Catalog, CatalogReader } from './catalog.ts';
import { type DataStoreView, findDataStore, listDataStores } from './data-stores.ts';
import { featureTypeKind } from './feature-type.ts';
import type { FeatureTypeDraft } from './feature-type-draft.ts';
import { type FeatureTypePlace, type FeatureTypeView, featureTypeView, findFeatureType } from './feature-type-view.ts';
import { knownSrs } from './known-srs.ts';
import { checkName, type NameRule, printableName } from './names.ts';
import { insertFeatureType, preparePublication } from './publish-feature-type.ts';
import { refuseTakenTypeName } from './store-contents.ts';
import type { StoreData } from './store-data.ts';

/** The name is the layer's as well: in qualified names a colon separates, and in access rules a star means every layer. */
export const featureTypeNameRule: NameRule = {
  what: 'feature type',
  field: 'featureType.name',
  forbidden: [':'],
  reserved: ['*'],
};

/** How many blockers a refusal names. */
const NAMED_BLOCKERS = 10;

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
    const published = new Set((await catalog.list(featureTypeKind, view.store.id)).map((type) => type.nativeName));
    const types = await data.listTypes(view);
    return types.map((type) => ({ ...type, isPublished: published.has(type.name) }));
  });
  return (await Promise.all(lists)).flat();
}

/**
 * Publishes a type that the data has, or makes an empty table first when the data has none of that name and attributes
 * are given. A table whose publishing fails is taken away again.
 */
export async function createFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  draft: FeatureTypeDraft,
  options: {
    readonly data: StoreData;
    /** Of those who create in one store, one at a time: nobody must take away what another has just published. */
    readonly oneAtATime: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  },
): Promise<FeatureTypeView> {
  const { data } = options;
  const view = await findDataStore(catalog, place.workspace, place.store);
  refuseOtherPlace(view, draft);
  const nativeName = draft.nativeName ?? draft.name ?? '';
  const name = draft.name ?? nativeName;
  checkName(name, featureTypeNameRule);
  return options.oneAtATime(view.store.id, async () => {
    await refuseTakenTypeName(catalog, view.workspace, name);
    const existing = await data.describe(view, nativeName);
    if (existing === undefined) {
      await createTable(view, nativeName, draft, data);
    }
    try {
      const described = existing ?? (await data.describe(view, nativeName));
      if (described === undefined) {
        throw new Error('A table that was just made is not there');
      }
      const publication = await preparePublication(described, draft, name);
      const what = `publish ${name} of ${place.store} in ${place.workspace}`;
      return await catalog.change(principal, what, async (transaction) =>
        insertFeatureType(transaction, await findDataStore(transaction, place.workspace, place.store), publication),
      );
    } catch (error) {
      if (existing === undefined) {
        // The first failure is the one to tell.
        await data.drop(view, nativeName).catch(() => undefined);
      }
      throw error;
    }
  });
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
    const { first, total } = await transaction.contents(type.id, NAMED_BLOCKERS);
    if (total > 0 && !options.recurse) {
      const blockers = first.map((each) => `${each.kind} '${each.name}'`);
      throw problem('feature-type-in-use', { name: type.name, blockers });
    }
    await transaction.removeDeep(type.id);
  });
}

/** A document that names another place than the path is a mistake, not a wish to move. */
export function refuseOtherPlace(view: DataStoreView, draft: FeatureTypeDraft): void {
  const { workspace, store } = view;
  if (draft.namespace != null && draft.namespace !== workspace.name) {
    throw problem('workspace-mismatch', { what: 'workspace', path: workspace.name, document: draft.namespace });
  }
  const [named, owner] = (draft.store ?? store.name).split(':').toReversed();
  if (named !== store.name || (owner !== undefined && owner !== workspace.name)) {
    throw problem('workspace-mismatch', { what: 'store', path: store.name, document: draft.store ?? '' });
  }
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
  const crs = draft.srs == null ? {} : { code: await knownSrs(draft.srs) };
  await data.create(view, {
    name: nativeName,
    attributes: attributes.map((attribute) => (attribute.kind === 'geometry' ? { ...attribute, crs } : attribute)),
  });
}

async function storesAt(catalog: CatalogReader, place: FeatureTypePlace): Promise<readonly DataStoreView[]> {
  return place.store === undefined
    ? listDataStores(catalog, place.workspace)
    : [await findDataStore(catalog, place.workspace, place.store)];
}
