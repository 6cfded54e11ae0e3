/** Manages published types of data stores. */

import { join } from 'node:path';
import type { HeldLock, KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import { layerNames } from '../../lib/text/name-rule.ts';
import type { Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { changeWithExternal } from '../../records/change-with-external.ts';
import { createFencedCatalog } from '../../records/fenced-catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { listStagedFiles } from '../../records/files/staged-files.ts';
import { checkName, formatPrintableName, type NameRule } from '../../records/names.ts';
import type { FeatureTypeDescription, NewFeatureType, TypeSummary } from '../../vector/port/port.ts';
import { dataStoreKind } from '../kinds/data-store.ts';
import { type FeatureTypeDraft, featureTypeKind, SRS_FIELD } from '../kinds/feature-type.ts';
import { type AttributeDraft, createAttribute } from '../kinds/published-attribute.ts';
import { checkSameStore, resolveSrs } from '../kinds/resource-draft.ts';
import { verifyOrReport } from '../kinds/unverified.ts';
import { checkResourceNameAvailable } from '../resources/find-resource.ts';
import { listPublished, type PublishedNames } from '../resources/list-resources.ts';
import { deleteResource } from '../resources/write-resource.ts';
import { type DataStoreView, findDataStore, listDataStores, toDataStoreView } from '../stores/data-stores.ts';
import { queryStores, type StoreResults } from '../stores/query-stores.ts';
import type { StoreData } from '../stores/store-data.ts';
import { convertMissingFileError } from '../stores/uploaded-files.ts';
import { writeInSession } from '../stores/write-in-session.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { collectFilterWarnings, validateCqlFilter } from './cql-filter.ts';
import { type FeatureTypeLocator, type FeatureTypeView, findFeatureType } from './feature-type-view.ts';
import { insertFeatureType, type Publication, preparePublication } from './publish-feature-type.ts';
import { prepareUnverifiedType } from './unverified-type.ts';
import { findSqlView, hasVirtualTable } from './virtual-table.ts';

export const featureTypeNameRule: NameRule = {
  what: 'feature type',
  field: 'featureType.name',
  ...layerNames,
};

export async function listFeatureTypes(
  catalog: CatalogReader,
  place: FeatureTypeLocator,
  page: Page = {},
): Promise<PublishedNames> {
  const home =
    place.store === undefined
      ? { workspace: await findWorkspace(catalog, place.workspace) }
      : await findDataStore(catalog, place.workspace, place.store);
  return listPublished(catalog, featureTypeKind, home, page);
}

/** Lists the names in the data, published or not. */
export async function listNativeTypes(
  catalog: CatalogReader,
  place: FeatureTypeLocator,
  data: StoreData,
): Promise<StoreResults<TypeSummary & { readonly isPublished: boolean }>> {
  return queryStores(await listStoresInScope(catalog, place), place, async (view) => {
    // A virtual table does not count as the published form of a table with its name.
    const ofTables = (await catalog.list(featureTypeKind, view.store.id)).filter((type) => !hasVirtualTable(type));
    const published = new Set(ofTables.map((type) => type.nativeName));
    const types = await data.listTypes(view);
    return types.map((type) => ({ ...type, isPublished: published.has(type.name) }));
  });
}

export interface FeatureTypeCreation {
  readonly data: StoreData;
  readonly files: Files;
  /** Serializes the creation of types in one store. */
  readonly oneAtATime: KeyedMutex;
}

export interface FeatureTypeCreationRequest extends FeatureTypeCreation {
  readonly draft: FeatureTypeDraft;
  /** Set to publish a type whose data cannot be read. No table is created then. */
  readonly unverified?: UnverifiedPolicy | undefined;
}

/**
 * Publishes a type of the data. If the data has no type of that name and the client sends attributes, an empty table is
 * created first. A virtual table is published without creating a table.
 */
export async function createFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  options: FeatureTypeCreationRequest,
): Promise<{ readonly view: FeatureTypeView; readonly warnings: readonly string[] }> {
  const draft = await validateCqlFilter(options.draft, null);
  const { unverified } = options;
  const view =
    unverified === undefined
      ? await publishOrCreate(catalog, principal, place, { ...options, draft })
      : await publishOrAccept(catalog, principal, place, { data: options.data, draft, unverified });
  return { view, warnings: await collectFilterWarnings(draft, view.type) };
}

/** Publishes a type of the data, or the type that the document describes if the data cannot be read. */
async function publishOrAccept(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  {
    draft: sent,
    data,
    unverified: policy,
  }: Pick<FeatureTypeCreationRequest, 'draft' | 'data'> & { readonly unverified: UnverifiedPolicy },
): Promise<FeatureTypeView> {
  const view = await findDataStore(catalog, place.workspace, place.store);
  checkSameStore(view, sent);
  const nativeName = sent.nativeName ?? sent.name ?? '';
  const draft = { ...sent, nativeName, name: sent.name ?? nativeName };
  checkName(draft.name, featureTypeNameRule);
  const query = findSqlView(draft.metadata ?? {});
  const outcome = await verifyOrReport(policy, async () => {
    const describe = (current: DataStoreView) =>
      query === undefined ? data.describe(current, nativeName) : data.describeView(current, query);
    const published = await publishDescribed(catalog, principal, place, { draft, describe });
    if (published === undefined) {
      throw problem('native-type-unknown', { name: formatPrintableName(nativeName), store: view.store.name });
    }
    return published;
  });
  if ('verified' in outcome) return outcome.verified;
  const publication = await prepareUnverifiedType(draft, query?.name ?? nativeName, outcome.unverified);
  return catalog.change(principal, formatChangeMessage(draft.name, place), async (transaction) =>
    insertFeatureType(transaction, await findDataStore(transaction, place.workspace, place.store), publication),
  );
}

async function publishOrCreate(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  options: FeatureTypeCreationRequest,
): Promise<FeatureTypeView> {
  const { draft, data } = options;
  const view = await findDataStore(catalog, place.workspace, place.store);
  checkSameStore(view, draft);
  const nativeName = draft.nativeName ?? draft.name ?? '';
  const name = draft.name ?? nativeName;
  checkName(name, featureTypeNameRule);
  const query = findSqlView(draft.metadata ?? {});
  const describeCurrent = (current: DataStoreView) =>
    query === undefined ? data.describe(current, nativeName) : data.describeView(current, query);
  // Serialize per table, so that the rollback of one request cannot drop a table that another has just published.
  return options.oneAtATime(`${view.store.id}/${nativeName}`, async (turn) => {
    const wanted = { ...draft, name, nativeName };
    const published = await publishDescribed(catalog, principal, place, { draft: wanted, describe: describeCurrent });
    if (published !== undefined) return published;
    return options.oneAtATime(view.store.id, (turnOfStore) => {
      const turns = [turn, turnOfStore];
      const fenced = turns.reduce(createFencedCatalog, catalog);
      return createWithTable(fenced, principal, place, { ...options, draft: wanted, turns });
    });
  });
}

type NewTypeDraft = FeatureTypeDraft & { readonly name: string; readonly nativeName: string };

interface TableCreation extends FeatureTypeCreation {
  readonly draft: NewTypeDraft;
  readonly turns: readonly HeldLock[];
}

/** Creates a table and publishes it, or leaves nothing of either. */
async function createWithTable(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  options: TableCreation,
): Promise<FeatureTypeView> {
  const { draft } = options;
  // Repeated only if the store or its files change in the meantime.
  for (;;) {
    const view = await findDataStore(catalog, place.workspace, place.store);
    const table = await buildNewTable(view, draft);
    const author = { principal, what: formatChangeMessage(draft.name, place) };
    const made =
      view.store.fileSet === null
        ? await createInPlace(catalog, author, { ...options, view, table })
        : await createInCopy(catalog, author, { ...options, view, table });
    if (made !== undefined) {
      return made;
    }
  }
}

type ChangeAuthor = { readonly principal: Principal; readonly what: string };

/** A table to create in a store. */
interface TableTask extends TableCreation {
  readonly view: DataStoreView;
  readonly table: NewFeatureType;
}

/**
 * Creates the table in a database, or in an external file. Returns undefined if the store has changed in the meantime.
 */
function createInPlace(
  catalog: Catalog,
  author: ChangeAuthor,
  { data, turns, view, table, draft }: TableTask,
): Promise<FeatureTypeView | undefined> {
  return data.useForWriting(view.store, (source, sourceSignal, deadline) => {
    const signal = AbortSignal.any([sourceSignal, ...turns.map((turn) => turn.signal)]);
    return writeInSession(source, signal, createCannotCreateProblem(view), async (session, outside) => {
      await session.createType(table);
      const publication = await prepareCreatedType(await session.describe(table.name), draft);
      deadline.cancel();
      // The client has received an error if the signal is aborted, so nothing may be published.
      signal.throwIfAborted();
      return changeWithExternal(
        catalog,
        author,
        async (transaction, phase) => {
          const now = await reloadStore(transaction, view);
          return phase === 'rehearsal' && now.store.version !== view.store.version
            ? undefined
            : insertFeatureType(transaction, now, publication);
        },
        outside,
      );
    });
  });
}

/**
 * Creates the table in a copy of the uploaded files, which are immutable. Returns undefined if the files have changed
 * in the meantime.
 */
async function createInCopy(
  catalog: Catalog,
  author: ChangeAuthor,
  { data, files, view, table, draft }: TableTask,
): Promise<FeatureTypeView | undefined> {
  const { store } = view;
  const staging = await files.createStaging('table');
  try {
    const copy = join(staging.path, 'copy');
    await convertMissingFileError(files.copySet(store.fileSet ?? '', copy), store.parameters['database'] ?? store.name);
    const made = await data.useCopy(store, copy, (source, signal) =>
      writeInSession(source, signal, createCannotCreateProblem(view), async (session, { commit }) => {
        await session.createType(table);
        const described = await session.describe(table.name);
        await commit();
        return described;
      }),
    );
    const publication = await prepareCreatedType(made, draft);
    return await files.runFileOperation(async (keeper) => {
      const fileSet = await keeper.storeSet(await listStagedFiles(copy));
      return catalog.change(author.principal, author.what, async (transaction) => {
        const now = await reloadStore(transaction, view);
        if (now.store.fileSet !== store.fileSet) {
          return undefined;
        }
        const written = await transaction.update(dataStoreKind, { ...now.store, fileSet });
        return insertFeatureType(transaction, toDataStoreView(written, now.workspace), publication);
      });
    });
  } finally {
    await staging.discard();
  }
}

function createCannotCreateProblem({ store }: DataStoreView): () => Problem {
  return () => problem('store-cannot-create', { name: store.name, type: store.type });
}

async function prepareCreatedType(made: FeatureTypeDescription | undefined, draft: NewTypeDraft): Promise<Publication> {
  if (made === undefined) {
    throw new Error('The created table is missing');
  }
  return preparePublication(made, { ...draft, attributes: omitColumnTypes(draft.attributes ?? []) }, draft.name);
}

/** Returns the current store by id: a store of the same name may be another one. */
async function reloadStore(catalog: CatalogReader, { store, workspace }: DataStoreView): Promise<DataStoreView> {
  const found = await findDataStore(catalog, workspace.name, store.name);
  if (found.store.id !== store.id) {
    throw problem('store-unknown', { workspace: workspace.name, name: store.name });
  }
  return found;
}

/** Published types are those of the created columns, since not every database supports every type. */
function omitColumnTypes(attributes: readonly AttributeDraft[]): readonly AttributeDraft[] {
  return attributes.map(({ type: _type, length: _length, ...remarks }) => remarks);
}

/** Returns undefined if the data has no such type. */
async function publishDescribed(
  catalog: Catalog,
  principal: Principal,
  place: { readonly workspace: string; readonly store: string },
  {
    draft,
    describe,
  }: {
    readonly draft: NewTypeDraft;
    readonly describe: (view: DataStoreView) => Promise<FeatureTypeDescription | undefined>;
  },
): Promise<FeatureTypeView | undefined> {
  // Repeated only if the store or its data changes in the meantime.
  for (;;) {
    const view = await findDataStore(catalog, place.workspace, place.store);
    await checkResourceNameAvailable(catalog, view.workspace, draft.name);
    const described = await describe(view);
    if (described === undefined) {
      return undefined;
    }
    const publication = await preparePublication(described, draft, draft.name);
    const published = await catalog.change(principal, formatChangeMessage(draft.name, place), async (transaction) => {
      const now = await findDataStore(transaction, place.workspace, place.store);
      const isSame = now.store.id === view.store.id && now.store.version === view.store.version;
      return isSame ? insertFeatureType(transaction, now, publication) : undefined;
    });
    if (published !== undefined) {
      return published;
    }
  }
}

function formatChangeMessage(name: string, place: { readonly workspace: string; readonly store: string }): string {
  return `publish ${name} of ${place.store} in ${place.workspace}`;
}

export function deleteFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: FeatureTypeLocator & { readonly name: string },
  options: { readonly recurse: boolean; readonly precondition: Precondition },
): Promise<void> {
  return catalog.change(principal, `delete feature type ${place.name} in ${place.workspace}`, async (transaction) => {
    const { type, version } = await findFeatureType(transaction, place, place.name);
    checkPrecondition(options.precondition, version);
    await deleteResource(transaction, featureTypeKind, type, options);
  });
}

async function buildNewTable(view: DataStoreView, draft: NewTypeDraft): Promise<NewFeatureType> {
  const attributes = draft.attributes ?? [];
  if (attributes.length === 0) {
    throw problem('native-type-unknown', { name: formatPrintableName(draft.nativeName), store: view.store.name });
  }
  const crs = draft.srs == null ? {} : { code: await resolveSrs(draft.srs, SRS_FIELD) };
  return { name: draft.nativeName, attributes: attributes.map((attribute) => createAttribute(attribute, crs)) };
}

async function listStoresInScope(catalog: CatalogReader, place: FeatureTypeLocator): Promise<readonly DataStoreView[]> {
  return place.store === undefined
    ? listDataStores(catalog, place.workspace)
    : [await findDataStore(catalog, place.workspace, place.store)];
}
