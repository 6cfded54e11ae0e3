/** The base of every catalog record, and the declaration of record kinds. */

import type { Secret } from '../lib/identity/secret.ts';
import { createObject } from '../lib/values/create-object.ts';
import type { JsonObject, JsonValue, KindRules, RecordDraft, RecordKeys, StoredRecord } from '../storage/port/port.ts';

export interface RecordBase {
  readonly id: string;
  /** The id of the parent record. */
  readonly parent: string | null;
  readonly name: string;
  /** The number of the change that last wrote it. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A kind of record: its name in storage, its index keys and its secret fields. */
export interface RecordKind<R extends RecordBase & { readonly kind: string }> {
  readonly kind: R['kind'];
  /** The values by which a record is found, by key. A new key also finds old records. */
  readonly keys: Readonly<Record<string, (record: DraftOf<R>) => readonly string[]>>;
  /** The fields that are masked wherever the log is shown: exactly those that contain a `Secret`. */
  readonly secrets: { readonly [F in SecretFieldsOf<R>]: true };
  /** The hashes of the file sets and files that a record refers to. */
  readonly files?: (record: DraftOf<R>) => readonly string[];
  /** Incremented with each change of the body format; 1 for a kind that never changed. */
  readonly bodyVersion?: number;
  /** Converts a body of an earlier version to the current one. */
  readonly upgrade?: (body: JsonObject, fromVersion: number) => JsonObject;
  /** The counter field of records that only count the changes of others. */
  readonly counter?: Extract<keyof FieldsOf<R>, string>;
  /** For a union: the possible kinds of a record that is found by its id. */
  readonly oneOf?: readonly RecordKind<R>[];
}

/** Combines several kinds, for reading a record by its id when it may have any of them. */
export function createUnionKind<R extends RecordBase & { readonly kind: string }>(
  kinds: readonly RecordKind<R>[],
): RecordKind<R> {
  // No record has the combined kind name, so only lookups by id succeed.
  return { kind: kinds.map(({ kind }) => kind).join(' or '), keys: {}, secrets: createNoSecrets(), oneOf: kinds };
}

/** The fields that a kind adds to the base. */
export type FieldsOf<R> = Omit<R, keyof RecordBase | 'kind'>;

/** Fields whose values are or contain secrets. */
export type SecretFieldsOf<R> = {
  [F in keyof FieldsOf<R>]-?: HasSecret<NonNullable<FieldsOf<R>[F]>> extends true ? F : never;
}[keyof FieldsOf<R>];

type HasSecret<V> = [V] extends [Secret]
  ? true
  : true extends { [M in keyof V]: [NonNullable<V[M]>] extends [Secret] ? true : false }[keyof V]
    ? true
    : false;

/** The fields of a record that a writer provides. */
export type DraftOf<R> = FieldsOf<R> & Pick<RecordBase, 'name' | 'parent'>;

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
  // The storage returns only bodies that this module wrote: they have the fields of their kind by construction.
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

/** Returns the rules that the storage needs for a kind. */
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
    // Bodies have the fields of their kind by construction.
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

/** For union kinds. */
function createNoSecrets<R>(): { readonly [F in SecretFieldsOf<R>]: true } {
  return {} as { readonly [F in SecretFieldsOf<R>]: true };
}
