/** The operations of the catalog on the data of a store. */
import type { Attribute, Feature, FeatureTypeDescription, TypeSummary } from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import type { SourceWork } from '../../vector/sources.ts';
import type { DataStore } from '../kinds/data-store.ts';
import type { DataStoreView } from './data-stores.ts';

export interface FirstFeatures {
  readonly attributes: readonly Attribute[];
  readonly features: readonly Feature[];
}

export interface StoreData {
  listTypes(view: DataStoreView): Promise<readonly TypeSummary[]>;
  /** Returns undefined if the data has no type of that name. */
  describe(view: Pick<DataStoreView, 'store'>, nativeName: string): Promise<FeatureTypeDescription | undefined>;
  /** Describes a client's query as a type; throws a problem for stores that do not support queries. */
  describeView(view: Pick<DataStoreView, 'store'>, query: SqlView): Promise<FeatureTypeDescription>;
  /**
   * Returns the first features of a type or a query with their attribute names, for HTML pages; with a short timeout.
   */
  readFirstFeatures(view: DataStoreView, of: string | SqlView, limit: number): Promise<FirstFeatures>;
  /** Returns whether features of the store are editable, as far as its parameters show. */
  isWritable(store: Pick<DataStore, 'parameters'>): boolean;
  /** Runs work that changes the data of a store, without retries. */
  useForWriting<T>(store: DataStore, work: SourceWork<T>): Promise<T>;
  /** Runs work with a writable copy of the store's uploaded files in this folder. */
  useCopy<T>(store: DataStore, folder: string, work: SourceWork<T>): Promise<T>;
  /** Returns whether the data is in files of the server that other programs may change. */
  canChangeExternally(store: DataStore): boolean;
  /** Closes connections and files; resolves when no reader uses the old ones. */
  reset(storeId: string): Promise<void>;
  /** Resets all stores. */
  resetAll(): Promise<void>;
}
