/** What every record of the catalog has, and how a kind of record is declared. */
import type { JsonObject, JsonValue, RecordDraft, RecordKeys, StoredRecord } from '../storage/port.ts';

export interface RecordBase {
  readonly id: string;
  /** The id of the record it lives in. */
  readonly parent: string | null;
  readonly name: string;
  /** The sequence number of the change that last wrote it. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A kind of record: what it is called in storage, by what else it is found, and what must never be shown. */
export interface RecordKind<R extends RecordBase & { readonly kind: string }> {
  readonly kind: R['kind'];
  readonly keys: (record: DraftOf<R>) => RecordKeys;
  /** Fields that are masked in the change log. */
  readonly secrets: readonly (keyof FieldsOf<R> & string)[];
  /** The files it names, by the hash of bytes or the id of a set: they are kept for as long as a record or the history does. */
  readonly files?: (record: DraftOf<R>) => readonly string[];
  /** What is stored by an earlier version, as this one would store it. */
  readonly upgrade?: (body: JsonObject) => JsonObject;
}

/** The fields a kind adds to the base. */
export type FieldsOf<R> = Omit<R, keyof RecordBase | 'kind'>;

/** What a writer says of a record. */
export type DraftOf<R> = FieldsOf<R> & Pick<RecordBase, 'name' | 'parent'>;

/** The record of each stored one: as long as the storage hands out the same one, so do we. */
const records = new WeakMap<StoredRecord, object>();

export function recordFrom<R extends RecordBase & { readonly kind: string }>(
  kind: RecordKind<R>,
  stored: StoredRecord,
): R {
  const known = records.get(stored);
  if (known !== undefined && stored.kind === kind.kind) {
    return known as R;
  }
  const { body, ...base } = stored;
  if (base.kind !== kind.kind) {
    throw new Error(`Record ${base.id} is a ${base.kind}, not a ${kind.kind}`);
  }
  // The storage gives back what this module wrote: bodies are fields of their kind by construction.
  const record = Object.freeze({ ...(kind.upgrade?.(body) ?? body), ...base });
  records.set(stored, record);
  return record as unknown as R;
}

const baseMembers: ReadonlySet<string> = new Set([
  'id',
  'kind',
  'parent',
  'name',
  'version',
  'createdAtMs',
  'modifiedAtMs',
]);

export function storedFrom<R extends RecordBase & { readonly kind: string }>(
  kind: RecordKind<R>,
  draft: DraftOf<R>,
): RecordDraft {
  const fields = Object.entries(draft).filter(([member, value]) => !baseMembers.has(member) && value !== undefined);
  return {
    kind: kind.kind,
    parent: draft.parent,
    name: draft.name,
    body: Object.fromEntries(fields) as Record<string, JsonValue>,
    keys: kind.keys(draft),
  };
}

/** Hides the secret fields of a body, but not whether they are there. */
export function maskSecrets(kinds: ReadonlyMap<string, readonly string[]>, kind: string, body: JsonObject): JsonObject {
  const secrets = kinds.get(kind) ?? [];
  if (secrets.length === 0) {
    return body;
  }
  return Object.fromEntries(
    Object.entries(body).map(([member, value]) => [member, secrets.includes(member) ? '(secret)' : value]),
  );
}
