/**
 * Changes features of a published type, under their published names. Clients can only change features they can read.
 */
import { findSqlView } from '../../catalog/feature-types/virtual-table.ts';
import { editFeatures, type FeatureEditContext } from '../../catalog/stores/edit-features.ts';
import type { StoreData } from '../../catalog/stores/store-data.ts';
import { renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Attribute, Feature, FeatureEdits, NewValues } from '../../vector/port/port.ts';
import { ChangedRows, type StoredRow, type UsedLock } from './changed-rows.ts';
import type { FeatureAccess, FeatureServices } from './feature-access.ts';
import type { OpenedType } from './open-type.ts';
import { createNativeNames, findNativeName, type Publication, toPublishedId } from './publication.ts';
import { createFeatureConverter } from './published-source.ts';
import type { PublishedType } from './published-type.ts';
import { isVisibleColumn, RestrictedEdits } from './restricted-edits.ts';

/** Geometries are in the stored CRS. Ids are the published ids. */
export interface PublishedEdits {
  insert(features: readonly NewValues[]): Promise<readonly string[]>;
  /** Sets the same values on all matching features. */
  update(changes: NewValues, filter: ResolvedFilter): Promise<readonly string[]>;
  /** Like `update`, but attributes that data rules make read-only keep their values. */
  replace(values: NewValues, filter: ResolvedFilter): Promise<readonly string[]>;
  remove(filter: ResolvedFilter): Promise<readonly string[]>;
  /** The features as the session sees them; they stay locked until the session ends. */
  find(filter: ResolvedFilter): Promise<readonly Feature[]>;
  /** The same features by their ids, and whether data rules permit changes of them. */
  findLockable(filter: ResolvedFilter): Promise<readonly LockableFeature[]>;
}

export interface LockableFeature {
  readonly id: string;
  readonly row: StoredRow;
  readonly isWritable: boolean;
}

export type EditServices = Pick<FeatureServices, 'catalog' | 'vectorData' | 'uploads' | 'featureLocks'>;

/** Runs a change of features of one type; all changes are committed or none. */
export function editType<T>(
  services: EditServices,
  principal: Principal,
  opened: OpenedType,
  work: (edits: PublishedEdits) => Promise<T>,
): Promise<T> {
  return editTypes(services, principal, { first: opened }, (editsOf) => work(editsOf(opened)));
}

/**
 * Runs a change of several types. All types must belong to the store of the first one. Features that others have locked
 * refuse the change; a lock of the caller is released with it.
 */
export async function editTypes<T>(
  services: EditServices,
  principal: Principal,
  { first, lock }: { readonly first: OpenedType; readonly lock?: UsedLock | undefined },
  work: (editsOf: (opened: OpenedType) => PublishedEdits) => Promise<T>,
): Promise<T> {
  const { store } = first.published.records;
  const { featureLocks } = services;
  let changed = new ChangedRows(store.id);
  const result = await withLayerNames(first, () =>
    editFeatures(toEditContext(services), principal, store, async (edits) => {
      changed = new ChangedRows(store.id);
      const done = await work((opened) => {
        if (opened.published.records.store.id !== store.id) throw new Error('The types belong to different stores');
        return withPublishedErrors(createPublishedEdits(changed.recordEdits(edits, opened), opened), opened);
      });
      // The session has locked the rows: a client that waits for them gets its lock only after the commit.
      await changed.refuseLocked(featureLocks, lock?.id);
      return done;
    }),
  );
  if (lock !== undefined) await changed.releaseLock(featureLocks, lock);
  return result;
}

export function toEditContext({ catalog, vectorData, uploads }: EditServices): FeatureEditContext {
  return { catalog, data: vectorData, files: uploads.files, dataDir: uploads.dataDir };
}

/** Names the layer instead of the store in errors: store names are internal. */
export async function withLayerNames<T>(opened: OpenedType, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name } = opened.published.records.store;
    const isOfStore = error instanceof Problem && storeProblems.has(error.code) && error.details['name'] === name;
    throw isOfStore ? toPublishedProblem(error, opened) : error;
  }
}

const storeProblems: ReadonlySet<string> = new Set(['features-not-writable', 'features-in-file']);

function withPublishedErrors(
  { insert, update, replace, remove, find, findLockable }: PublishedEdits,
  opened: OpenedType,
): PublishedEdits {
  const translateErrors = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } catch (error) {
      throw error instanceof Problem ? toPublishedProblem(error, opened) : error;
    }
  };
  return {
    insert: (features) => translateErrors(insert(features)),
    update: (changes, filter) => translateErrors(update(changes, filter)),
    replace: (values, filter) => translateErrors(replace(values, filter)),
    remove: (filter) => translateErrors(remove(filter)),
    find: (filter) => translateErrors(find(filter)),
    findLockable: (filter) => translateErrors(findLockable(filter)),
  };
}

/** Applies the changes of a session under the names of a published type. */
export function createPublishedEdits(
  edits: FeatureEdits,
  { publication, published, signal }: Pick<OpenedType, 'publication' | 'published' | 'signal'>,
): PublishedEdits {
  const { of, native, name, layerFilter: own, restriction } = publication;
  if (typeof of !== 'string') {
    throw createReadOnlyProblem(published.qualifiedName, 'the layer is based on an SQL query');
  }
  const table = of;
  const show = createFeatureConverter(publication);
  const toPublishedIds = (ids: readonly string[]) => ids.map((id) => toPublishedId(id, native.name, name));
  const toLockable = (feature: string, isWritable: boolean): LockableFeature => ({
    id: toPublishedId(feature, native.name, name),
    row: { type: table, feature },
    isWritable,
  });
  const toNativeFilter = (filter: ResolvedFilter) => restrictFilter(publication, filter, published.qualifiedName);

  /** Reject features that the filter of the layer would hide from the client afterwards. */
  async function checkStillVisible(ids: readonly string[]): Promise<readonly string[]> {
    for (let at = 0; own !== undefined && at < ids.length; at += CHECK_BATCH_SIZE) {
      const identifiers = ids.slice(at, at + CHECK_BATCH_SIZE);
      const found = await edits.find(table, { kind: 'and', filters: [{ kind: 'identifiers', identifiers }, own] });
      if (found.length < identifiers.length) {
        throw problem('feature-invalid', { reason: 'the values do not match the filter of the layer' });
      }
    }
    return toPublishedIds(ids);
  }

  const insert = async (features: readonly NewValues[]): Promise<readonly string[]> =>
    edits.insert(
      table,
      features.map((feature) => toStoredValues(feature, publication)),
    );
  const updateRows = async (ids: readonly string[], changes: NewValues): Promise<readonly string[]> =>
    ids.length === 0 || changes.attributes.length === 0
      ? ids
      : edits.update(table, toStoredValues(changes, publication), { kind: 'identifiers', identifiers: ids });

  if (restriction !== undefined) {
    const limited = new RestrictedEdits(edits, { ...publication, restriction }, { table, signal });
    const findRows = async (filter: ResolvedFilter) => {
      const rows = await limited.findVisible(filter);
      if (rows !== undefined) return rows;
      throw createReadOnlyProblem(published.qualifiedName, 'the condition uses a computed attribute');
    };
    const findIds = async (filter: ResolvedFilter) => (await findRows(filter)).map(({ id }) => id);
    return {
      insert: async (features) => {
        const ids = await insert(features);
        await limited.checkWritten(ids, features);
        return checkStillVisible(ids);
      },
      update: async (changes, filter) => {
        const ids = await findIds(filter);
        await limited.checkChanges(changes, await limited.checkWritable(ids));
        const changed = await updateRows(ids, changes);
        await limited.checkWritten(changed);
        return checkStillVisible(changed);
      },
      replace: async (values, filter) => {
        const ids = await findIds(filter);
        const rules = await limited.checkWritable(ids);
        for (const id of ids) await updateRows([id], await limited.selectWritable(values, id, rules.get(id) ?? []));
        await limited.checkWritten(ids);
        return checkStillVisible(ids);
      },
      remove: async (filter) => {
        const identifiers = await findIds(filter);
        await limited.checkWritable(identifiers);
        if (identifiers.length === 0) return [];
        return toPublishedIds(await edits.remove(table, { kind: 'identifiers', identifiers }));
      },
      find: async (filter) => (await findRows(filter)).map((row) => row.published),
      findLockable: async (filter) => {
        const ids = await findIds(filter);
        const writable = await limited.selectWritableIds(ids);
        return ids.map((id) => toLockable(id, writable.has(id)));
      },
    };
  }

  const update = async (changes: NewValues, filter: ResolvedFilter): Promise<readonly string[]> =>
    checkStillVisible(await edits.update(table, toStoredValues(changes, publication), toNativeFilter(filter)));
  return {
    insert: async (features) => checkStillVisible(await insert(features)),
    update,
    replace: update,
    remove: async (filter) => toPublishedIds(await edits.remove(table, toNativeFilter(filter))),
    find: async (filter) => (await edits.find(table, toNativeFilter(filter))).map(show),
    findLockable: async (filter) => {
      const found = await edits.find(table, toNativeFilter(filter));
      return found.map(({ id }) => toLockable(id, true));
    },
  };
}

/** The number of ids that are checked with one query. */
const CHECK_BATCH_SIZE = 1_000;

/** Restricts changes to features that match the filter of the layer. */
function restrictFilter(publication: Publication, filter: ResolvedFilter, layer: string): ResolvedFilter {
  const translated = renameAttributes(filter, createNativeNames(publication));
  if (translated === undefined) {
    throw createReadOnlyProblem(layer, 'the condition uses a computed attribute');
  }
  const { filter: own } = publication;
  return own === undefined ? translated : { kind: 'and', filters: [own, translated] };
}

function toStoredValues({ attributes, values }: NewValues, publication: Publication): NewValues {
  return { values, attributes: attributes.map((attribute) => toStoredAttribute(attribute, publication)) };
}

/** Returns the column of an attribute; geometries are already in the CRS of the column. */
function toStoredAttribute(attribute: Attribute, { attributes, native, stored, name: type }: Publication): Attribute {
  const published = attributes.find(({ name }) => name === attribute.name);
  const name = published && findNativeName(published, native);
  if (name === undefined) {
    throw problem('attribute-not-writable', { attribute: attribute.name, name: type });
  }
  const column = stored.attributes.find((each) => each.name === name);
  return column?.kind === 'geometry' && attribute.kind === 'geometry'
    ? { ...attribute, name, crs: column.crs }
    : { ...attribute, name };
}

/** Replaces the table and column names in a source error with the names of the layer and its attributes. */
function toPublishedProblem(error: Problem, { published, publication }: OpenedType): Problem {
  const { reason, column } = error.details;
  switch (error.code) {
    case 'feature-refused': {
      const { attributes, native } = publication;
      // Messages of databases name columns and values, which can be hidden.
      if (publication.restriction !== undefined && !isVisibleColumn(publication, column)) {
        return problem('feature-invalid', { reason: 'the data source refused the values' });
      }
      const attribute = attributes.find((each) => findNativeName(each, native) === column);
      return problem('feature-invalid', {
        reason: attribute === undefined ? String(reason) : `${String(reason)} (attribute '${attribute.name}')`,
      });
    }
    case 'features-in-file':
      return problem('features-in-file', { name: published.qualifiedName });
    case 'import-refused':
    case 'features-not-writable':
      return createReadOnlyProblem(published.qualifiedName, String(reason));
    default:
      return error;
  }
}

function createReadOnlyProblem(name: string, reason: string): Problem {
  return problem('features-not-writable', { name, reason });
}

/** Whether services offer changes of a type to clients with write access. Features of an SQL query belong to no table. */
export function isEditable({ records }: PublishedType, vectorData: Pick<StoreData, 'isWritable'>): boolean {
  return vectorData.isWritable(records.store) && findSqlView(records.type.metadata) === undefined;
}

/** Rejects changes where the service level is read-only. */
export function refuseReadOnlyService({ settings }: Pick<FeatureAccess, 'settings'>): void {
  if (settings['serviceLevel'] === 'BASIC') {
    throw problem('feature-service-read-only', {});
  }
}
