/** A kind of the configuration: defines how its resources are listed, exported and written. */
import type { Principal } from '../../../lib/identity/principal.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import type { Services } from '../../common/services.ts';
import type { CatalogLookups } from './catalog-lookups.ts';
import type { Fields, Json } from './fields.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** The source of an export: one state, and lookups shared by several kinds. */
export interface ConfigurationState extends CatalogLookups {
  readonly services: Services;
  /** The records of a kind to export: all, or those that the current change has written. */
  readonly every: CatalogReader['readAll'];
}

/** An existing resource. Its fields are computed lazily because a scope may exclude it. */
export interface ListedResource {
  readonly path: string;
  fields(): Fields | Promise<Fields>;
}

/** A resource of a document. */
export interface WantedResource {
  readonly path: string;
  /** The variables of the path, decoded. */
  readonly names: Readonly<Record<string, string>>;
  readonly fields: Fields;
}

/** A REST request that executes a step. */
export interface RequestOperation {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Below the REST root, with its query. */
  readonly path: string;
  readonly body?: Json;
  readonly content?: string | Uint8Array;
  readonly contentType?: string;
}

/** The context for steps other than requests. */
export interface StepContext {
  readonly services: Services;
  readonly principal: Principal;
  /** Files of the archive by hash. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A request, or an operation without a REST equivalent: placing files by hash. */
export type Operation = RequestOperation | { readonly run: (context: StepContext) => Promise<void> };

export type OperationsResult = readonly Operation[] | Promise<readonly Operation[]>;

/** The starting point of a change. */
export interface FormerFields {
  readonly fields: Fields;
  /** The fields that differ. */
  readonly changed: ReadonlySet<string>;
}

export interface ConfigurationKind {
  readonly kind: string;
  /** Path pattern of its resources: `/workspaces/:workspace/datastores/:store`. */
  readonly patterns: readonly string[];
  /** All resources, in slices and in any order. */
  every(state: ConfigurationState): AsyncIterable<readonly ListedResource[]>;
  readonly fieldNames: readonly string[];
  /** REST names of fields where they differ; REST complaints use them. */
  readonly restNames?: Readonly<Record<string, string>>;
  /** The secret fields. */
  readonly secrets?: readonly string[];
  /** Whether the resource always exists: mirroring a document without it restores its defaults. */
  readonly isPermanent?: true;
  /** Whether the resource is created with others and only changed itself; it is compared after those exist. */
  readonly isCreatedImplicitly?: true;
  /** Defaults of omitted fields, except those computed from data. */
  readonly defaults: Fields;
  /** The same, where it depends on the resource. */
  getDefaults?(resource: Pick<WantedResource, 'path' | 'names'>): Fields;
  /** The desired fields of an existing resource; current values win where the document cannot know better. */
  settle?(former: Fields, wanted: Fields): Fields;
  /** Normalizes the forms that clients write to the form of exports. */
  normalise?(fields: Fields): Fields;
  create(wanted: WantedResource): OperationsResult;
  change(wanted: WantedResource, former: FormerFields): OperationsResult;
  remove(resource: Pick<WantedResource, 'path' | 'names'>, former: Fields): OperationsResult;
}

type RecordMapper<R> = (record: R) => ListedResource | undefined;

/** The resources of records that are loaded one by one, as for most kinds. */
export function mapRecords<R>(
  records: AsyncIterable<readonly R[]> | Iterable<readonly R[]>,
  listed: RecordMapper<R>,
): AsyncGenerator<readonly ListedResource[]> {
  return mapPreparedRecords(records, async () => listed);
}

/** The same with a lookup that is only loaded if there are records. */
export async function* mapPreparedRecords<R>(
  records: AsyncIterable<readonly R[]> | Iterable<readonly R[]>,
  prepare: () => Promise<RecordMapper<R>>,
): AsyncGenerator<readonly ListedResource[]> {
  let listed: RecordMapper<R> | undefined;
  for await (const piece of records) {
    if (piece.length > 0) {
      listed ??= await prepare();
      yield piece.map(listed).filter((each) => each !== undefined);
    }
  }
}
