/** What every record of the catalog has, and how a kind of record is declared. */

import type { Secret } from '../lib/identity/secret.ts';
import { createObject } from '../lib/values/create-object.ts';
import type { JsonObject, JsonValue, KindRules, RecordDraft, RecordKeys, StoredRecord } from '../storage/port/port.ts';

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
  /** By name of the key: the values by which a record is found. A new key finds old records too. */
  readonly keys: Readonly<Record<string, (record: DraftOf<R>) => readonly string[]>>;
  /** The fields that are masked wherever the log is shown: each that holds a `Secret`, and no other. */
  readonly secrets: { readonly [F in SecretFieldsOf<R>]: true };
  /** The files that a record names, by their hashes: sets of files, and single ones. */
  readonly files?: (record: DraftOf<R>) => readonly string[];
  /** One more with every change of what bodies look like; 1 for a kind that never changed. */
  readonly bodyVersion?: number;
  /** A body of an earlier version as it would be written today. */
  readonly upgrade?: (body: JsonObject, fromVersion: number) => JsonObject;
  /** The field that counts, for records that are only there to count the changes of others. */
  readonly counter?: Extract<keyof FieldsOf<R>, string>;
  /** For a union: the kinds that a record found by its id may be of. */
  readonly oneOf?: readonly RecordKind<R>[];
}

/** Several kinds as one, to read by its id what may be of any of them. */
export function createUnionKind<R extends RecordBase & { readonly kind: string }>(
  kinds: readonly RecordKind<R>[],
): RecordKind<R> {
  // No record is of the kind that all names together would be: by anything else than an id, nothing is found.
  return { kind: kinds.map(({ kind }) => kind).join(' or '), keys: {}, secrets: createNoSecrets(), oneOf: kinds };
}

/** The fields a kind adds to the base. */
export type FieldsOf<R> = Omit<R, keyof RecordBase | 'kind'>;

/** Fields whose values are or hold secrets. */
export type SecretFieldsOf<R> = {
  [F in keyof FieldsOf<R>]-?: HasSecret<NonNullable<FieldsOf<R>[F]>> extends true ? F : never;
}[keyof FieldsOf<R>];

type HasSecret<V> = [V] extends [Secret]
  ? true
  : true extends { [M in keyof V]: [NonNullable<V[M]>] extends [Secret] ? true : false }[keyof V]
    ? true
    : false;

/** What a writer says of a record. */
export type DraftOf<R> = FieldsOf<R> & Pick<RecordBase, 'name' | 'parent'>;

/** The records of stored ones that are handed out again and again. */
const sharedRecords = new WeakMap<StoredRecord, object>();

/** The same record for the same stored one, which the storage remembers: what is made of it can be remembered too. */
export function toSharedRecord<R extends RecordBase & { readonly kind: string }>(
  kind: RecordKind<R>,
  stored: StoredRecord,
): R {
  const known = sharedRecords.get(stored);
  if (known !== undefined && stored.kind === kind.kind) {
    return known as R;
  }
  const record = toCatalogRecord(kind, stored);
  sharedRecords.set(stored, record);
  return record;
}

export function toCatalogRecord<R extends RecordBase & { readonly kind: string }>(
  kind: RecordKind<R>,
  stored: StoredRecord,
): R {
  const member = kind.oneOf?.find((each) => each.kind === stored.kind);
  if (member !== undefined) {
    return toCatalogRecord(member, stored);
  }
  if (stored.kind !== kind.kind) {
    throw new Error(`Record ${stored.id} has kind ${stored.kind} instead of ${kind.kind}.`);
  }
  const { id, parent, name, version, createdAtMs, modifiedAtMs } = stored;
  // The storage gives back what this module wrote: bodies are fields of their kind by construction.
  const record = { ...stored.body, id, kind: kind.kind, parent, name, version, createdAtMs, modifiedAtMs };
  return Object.freeze(record) as unknown as R;
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

function isBodyMember([member, value]: readonly [string, JsonValue | undefined]): boolean {
  return value !== undefined && !baseMembers.has(member);
}

export function toRecordDraft<R extends RecordBase & { readonly kind: string }>(
  kind: RecordKind<R>,
  draft: DraftOf<R>,
): RecordDraft {
  const members = Object.entries<JsonValue | undefined>(draft);
  return {
    kind: kind.kind,
    parent: draft.parent,
    name: draft.name,
    body: createObject(members.filter((each): each is [string, JsonValue] => isBodyMember(each))),
    ...computeIndex(kind, draft),
  };
}

/** What the storage has to know of a kind. */
export function createKindRules<R extends RecordBase & { readonly kind: string }>(kind: RecordKind<R>): KindRules {
  const secrets = Object.keys(kind.secrets);
  const { counter } = kind;
  return {
    ...(counter === undefined
      ? {}
      : { countOn: (body: JsonObject) => ({ ...body, [counter]: Number(body[counter] ?? 0) + 1 }) }),
    kind: kind.kind,
    bodyVersion: kind.bodyVersion ?? 1,
    upgrade: (body, fromVersion) => kind.upgrade?.(body, fromVersion) ?? body,
    keyNames: Object.keys(kind.keys),
    // Bodies are fields of their kind by construction.
    index: ({ parent, name, body }) => computeIndex(kind, { ...body, parent, name } as unknown as DraftOf<R>),
    mask: (body) =>
      secrets.length === 0
        ? body
        : Object.fromEntries(
            Object.entries(body).map(([member, value]) => [member, secrets.includes(member) ? '(secret)' : value]),
          ),
  };
}

function computeIndex<R extends RecordBase & { readonly kind: string }>(
  kind: RecordKind<R>,
  draft: DraftOf<R>,
): Pick<RecordDraft, 'keys' | 'files'> {
  const keys: Record<string, RecordKeys[string]> = {};
  for (const [key, getValues] of Object.entries(kind.keys)) {
    keys[key] = getValues(draft);
  }
  return kind.files === undefined ? { keys } : { keys, files: kind.files(draft) };
}

/** For what is no kind of its own. */
function createNoSecrets<R>(): { readonly [F in SecretFieldsOf<R>]: true } {
  return {} as { readonly [F in SecretFieldsOf<R>]: true };
}
