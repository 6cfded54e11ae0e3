/** A kind of the configuration: defines how its resources are listed, exported and written. */
import type { Command } from '../../../http/routes/command.ts';
import type { Principal } from '../../../lib/identity/principal.ts';
import type { Secret } from '../../../lib/identity/secret.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import type { Services } from '../../common/services.ts';
import type { CatalogLookups } from './catalog-lookups.ts';
import type { Fields } from './fields.ts';
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

/** Where a resource is. */
export interface ResourceAddress {
  readonly path: string;
  /** The pattern of its kind that the path matches. */
  readonly pattern: string;
  /** The variables of the pattern, decoded. */
  readonly names: Readonly<Record<string, string>>;
}

/** A resource of a document. */
export interface WantedResource extends ResourceAddress {
  readonly fields: Fields;
}

/** The context for steps other than commands. */
export interface StepContext {
  readonly services: Services;
  readonly principal: Principal;
  /** Files of the archive by hash. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A command, or an operation without a REST equivalent: placing files by hash. */
export type Operation = Command | { readonly run: (context: StepContext) => Promise<void> };

export type OperationsResult = readonly Operation[] | Promise<readonly Operation[]>;

/** The starting point of a change. */
export interface FormerFields {
  readonly fields: Fields;
  /** The fields that differ. */
  readonly changed: ReadonlySet<string>;
}

export interface ConfigurationKind {
  readonly kind: string;
  /** Path patterns of its resources, as in the route table: `/workspaces/:workspace/datastores/:store`. */
  readonly patterns: readonly string[];
  /** All resources, in slices and in any order. */
  every(state: ConfigurationState): AsyncIterable<readonly ListedResource[]>;
  readonly fieldNames: readonly string[];
  /** REST names of fields where they differ; REST complaints use them. */
  readonly restNames?: Readonly<Record<string, string>>;
  /** The secret fields. */
  readonly secrets?: readonly string[];
  /** The stored secrets of a resource by the name of the field or map entry. */
  readSecrets?(catalog: CatalogReader, resource: ResourceAddress): Promise<Readonly<Record<string, Secret | null>>>;
  /** Whether the resource always exists: mirroring a document without it restores its defaults. */
  readonly isPermanent?: true;
  /** Whether the resource is created with others and only changed itself; it is compared after those exist. */
  readonly isCreatedImplicitly?: true;
  /** Defaults of omitted fields, except those computed from data. */
  readonly defaults: Fields;
  /** The same, where it depends on the resource. */
  getDefaults?(resource: ResourceAddress): Fields;
  /** The desired fields of an existing resource; current values win where the document cannot know better. */
  settle?(former: Fields, wanted: Fields): Fields | Promise<Fields>;
  /** Paths of resources that are created and deleted with this one. */
  implies?(resource: ResourceAddress): readonly string[];
  /** Paths that the fields can refer to; commands resolve the names, so a path may exist or not. */
  references?(resource: WantedResource): readonly string[];
  /** Whether the fields can refer to other resources of this kind. */
  readonly refersToOwnKind?: true;
  /** Names that no other resource can have at the same time, also of another kind. */
  uniqueNames?(resource: WantedResource): readonly string[];
  /** Normalizes the forms that clients write to the form of exports. */
  normalise?(fields: Fields): Fields;
  create(wanted: WantedResource): OperationsResult;
  change(wanted: WantedResource, former: FormerFields): OperationsResult;
  remove(resource: ResourceAddress, former: Fields): OperationsResult;
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
