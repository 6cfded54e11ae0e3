/** A kind of the configuration: one row says how its resources are listed, what is told of them, and how they are written. */
import type { Principal } from '../../../lib/identity/principal.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import type { Services } from '../../common/services.ts';
import type { CatalogLookups } from './catalog-lookups.ts';
import type { Fields, Json } from './fields.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** What an export reads: one state, and what several kinds look up in it. */
export interface ConfigurationState extends CatalogLookups {
  readonly services: Services;
  /** The records of a kind that are told: all of them, or those that the change under way has written. */
  readonly every: CatalogReader['readAll'];
}

/** A resource that is there. Its fields are made when somebody wants them: a scope may leave it out. */
export interface ListedResource {
  readonly path: string;
  fields(): Fields | Promise<Fields>;
}

/** A resource as a document wants it. */
export interface WantedResource {
  readonly path: string;
  /** The variables of the path, decoded. */
  readonly names: Readonly<Record<string, string>>;
  readonly fields: Fields;
}

/** A request of the interface, by which a step is done. */
export interface RequestOperation {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Below the REST root, with its query. */
  readonly path: string;
  readonly body?: Json;
  readonly content?: string | Uint8Array;
  readonly contentType?: string;
}

/** What steps are done with, beside requests. */
export interface StepContext {
  readonly services: Services;
  readonly principal: Principal;
  /** Files that came along, by their hash. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** A request, or what no request can do: put files in place that are known by their hashes. */
export type Operation = RequestOperation | { readonly run: (context: StepContext) => Promise<void> };

export type OperationsResult = readonly Operation[] | Promise<readonly Operation[]>;

/** What a change starts from. */
export interface FormerFields {
  readonly fields: Fields;
  /** The fields that are to be others. */
  readonly changed: ReadonlySet<string>;
}

export interface ConfigurationKind {
  readonly kind: string;
  /** Where resources of it are read: `/workspaces/:workspace/datastores/:store`. */
  readonly patterns: readonly string[];
  /** All of them, in pieces and any order. */
  every(state: ConfigurationState): AsyncIterable<readonly ListedResource[]>;
  readonly fieldNames: readonly string[];
  /** Fields by the names that REST has for them, where those are others: its complaints come with them. */
  readonly restNames?: Readonly<Record<string, string>>;
  /** Fields that are secrets. */
  readonly secrets?: readonly string[];
  /** Whether there is always one: a mirror of a document without it brings its defaults back. */
  readonly isPermanent?: true;
  /** Whether it is made with others, and only changed by itself: it is looked at once those are there. */
  readonly isCreatedImplicitly?: true;
  /** What fields are that nobody gives; those that the server works out from data are not among them. */
  readonly defaults: Fields;
  /** The same, where it depends on the resource. */
  getDefaults?(resource: Pick<WantedResource, 'path' | 'names'>): Fields;
  /** What is wanted of a resource that is there already: as it is, where the document can know no better. */
  settle?(former: Fields, wanted: Fields): Fields;
  /** Brings what people write into the spelling of exports. */
  normalise?(fields: Fields): Fields;
  create(wanted: WantedResource): OperationsResult;
  change(wanted: WantedResource, former: FormerFields): OperationsResult;
  remove(resource: Pick<WantedResource, 'path' | 'names'>, former: Fields): OperationsResult;
}

type RecordMapper<R> = (record: R) => ListedResource | undefined;

/** The resources of records that are found one by one, as most kinds are. */
export function mapRecords<R>(
  records: AsyncIterable<readonly R[]> | Iterable<readonly R[]>,
  listed: RecordMapper<R>,
): AsyncGenerator<readonly ListedResource[]> {
  return mapPreparedRecords(records, async () => listed);
}

/** The same where something has to be looked up first: only if there are any. */
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
