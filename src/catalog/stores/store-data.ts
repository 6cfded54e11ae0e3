/** What the catalog asks of the data behind a store. */
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
  /** Undefined when the data has no type of that name. */
  describe(view: DataStoreView, nativeName: string): Promise<FeatureTypeDescription | undefined>;
  /** A query of the client as a type; a problem for stores that run none. */
  describeView(view: DataStoreView, query: SqlView): Promise<FeatureTypeDescription>;
  /** The first features of a type or a query, with what their values are called; for people, who do not wait long. */
  readFirstFeatures(view: DataStoreView, of: string | SqlView, limit: number): Promise<FirstFeatures>;
  /** Whether features of the store can be changed, as far as its parameters show. */
  isWritable(store: Pick<DataStore, 'parameters'>): boolean;
  /** Runs work that changes the data of a store, and that must therefore not be tried twice. */
  useForWriting<T>(store: DataStore, work: SourceWork<T>): Promise<T>;
  /** Runs work with a copy of the store's uploaded files, which are in this folder and may be written. */
  useCopy<T>(store: DataStore, folder: string, work: SourceWork<T>): Promise<T>;
  /** Whether its data is in files of the server that others may change at any time. */
  canChangeExternally(store: DataStore): boolean;
  /** Lets go of connections and files; resolves when nobody uses the old ones any more. */
  reset(storeId: string): Promise<void>;
  /** The same for all stores. */
  resetAll(): Promise<void>;
}
