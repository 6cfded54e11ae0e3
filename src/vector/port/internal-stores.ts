/** The stores that data which maps others takes its features from, as whoever maintains them sees them. */

export interface InternalStore {
  /** What the mapping calls it. */
  readonly id: string;
  /** Absent on stores whose schemas are not persisted: only those of documents are. */
  readonly schemas?: PersistedSchemas;
}

/** Which documents schemas are worked out from. */
export interface SchemaSample {
  readonly ids: readonly string[];
  /** At most so many beside those that are named; all of them if it is negative. */
  readonly max: number;
}

export interface SchemaOptions {
  readonly sample: SchemaSample;
  /** The only type that is wished for; all that the mapping uses, if it is absent. */
  readonly type?: string;
}

export interface PersistedSchemas {
  /** Makes ready to forget all of them. */
  prepareClean(signal: AbortSignal): Promise<PreparedSchemaChange>;
  /** Works them out anew, and makes them ready to take the place of the old ones; `progress` is told of each batch. */
  prepareRebuild(wish: SchemaOptions, signal: AbortSignal, progress: () => void): Promise<PreparedSchemaChange>;
}

/** Nothing has changed before `commit`, and nothing is left after `rollback`. */
export interface PreparedSchemaChange {
  /** Those that are there after it, each with what tells one content from another. */
  readonly schemas: readonly { readonly type: string; readonly digest: string }[];
  /** The ids of the sample that a document was found for. */
  readonly foundIds: readonly string[];
  /** What whoever asked for it should know, in sentences. */
  readonly warnings: readonly string[];
  commit(): Promise<void>;
  rollback(): Promise<void>;
}
