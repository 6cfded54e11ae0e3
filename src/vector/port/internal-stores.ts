/** The source stores of a mapping, for maintenance. */

export interface InternalStore {
  /** The id in the mapping. */
  readonly id: string;
  /** Present only for document stores, whose schemas are persisted. */
  readonly schemas?: PersistedSchemas;
}

/** The documents from which schemas are inferred. */
export interface SchemaSample {
  readonly ids: readonly string[];
  /** The maximum number in addition to the given ids; negative for all. */
  readonly max: number;
}

export interface SchemaOptions {
  readonly sample: SchemaSample;
  /** A single type; defaults to all that the mapping uses. */
  readonly type?: string;
}

export interface PersistedSchemas {
  /** Prepares the deletion of all schemas. */
  prepareClean(signal: AbortSignal): Promise<PreparedSchemaChange>;
  /** Prepares rebuilt schemas to replace the old ones; calls `progress` for each batch. */
  prepareRebuild(wish: SchemaOptions, signal: AbortSignal, progress: () => void): Promise<PreparedSchemaChange>;
}

/** Nothing changes before `commit`, and nothing is left after `rollback`. */
export interface PreparedSchemaChange {
  /** The schemas after the change, each with a digest of its content. */
  readonly schemas: readonly { readonly type: string; readonly digest: string }[];
  /** The ids of the sample for which a document was found. */
  readonly foundIds: readonly string[];
  /** Warnings for the caller, as sentences. */
  readonly warnings: readonly string[];
  commit(): Promise<void>;
  rollback(): Promise<void>;
}
