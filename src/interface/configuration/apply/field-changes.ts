/** Compares current and desired fields. */

import { isSecretName } from '../../../lib/identity/secret.ts';
import { isJsonNumber } from '../../../lib/json/number.ts';
import { type Fields, isList, isObject, type Json, toPlainEntries } from '../model/fields.ts';
import { isKeptSecret } from '../model/operations.ts';

export interface FieldChange {
  /** A JSON Pointer into the fields. */
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

/** Placeholder for a secret in a plan. */
const SECRET = '(secret)';

/** The names of the fields that differ. */
export function listChangedNames(former: Fields, wanted: Fields): ReadonlySet<string> {
  return new Set(Object.keys(wanted).filter((name) => !isSame(former[name] ?? null, wanted[name] ?? null)));
}

/** Every differing location, with secrets masked. */
export function listFieldChanges(former: Fields, wanted: Fields, secrets: readonly string[]): readonly FieldChange[] {
  return [...listChangedNames(former, wanted)].flatMap((name) =>
    collectFieldChanges(
      `/${escapePointerPart(name)}`,
      former[name] ?? null,
      wanted[name] ?? null,
      secrets.includes(name),
    ),
  );
}

function collectFieldChanges(field: string, before: Json, after: Json, isSecret: boolean): readonly FieldChange[] {
  if (isKeptSecret(before) || isKeptSecret(after) || isSecret) {
    return isKeptSecret(before) && isKeptSecret(after)
      ? []
      : [{ field, before: before === null ? null : SECRET, after: after === null ? null : SECRET }];
  }
  if (!isObject(before) || !isObject(after)) {
    return isSame(before, after) ? [] : [{ field, before, after: convertToFormerType(before, after) }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    collectFieldChanges(
      `${field}/${escapePointerPart(name)}`,
      before[name] ?? null,
      after[name] ?? null,
      isSecretName(name),
    ),
  );
}

/** RFC 6901. */
export function escapePointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Normalizes equivalent forms: a name instead of a reference, null for an empty list, entries as in REST. */
function isSame(former: Json, wanted: Json): boolean {
  return (
    isKeptSecret(wanted) === isKeptSecret(former) &&
    (isAlike(former, wanted) ||
      (isEmptyValue(former) && isEmptyValue(wanted)) ||
      (typeof wanted === 'string' && isObject(former) && former['name'] === wanted) ||
      isAlike(former, toPlainEntriesDeep(wanted)))
  );
}

/** Members in any order are equal; items must be in the same order. Classes of XML elements carry no information. */
function isAlike(formerValue: Json, wantedValue: Json): boolean {
  const [former, wanted] = [omitClass(formerValue), omitClass(wantedValue)];
  if (isList(former)) {
    return (
      isList(wanted) &&
      former.length === wanted.length &&
      former.every((each, index) => isAlike(each, wanted[index] ?? null))
    );
  }
  if (isObject(former)) {
    const names = Object.keys(former);
    return (
      isObject(wanted) &&
      names.length === Object.keys(wanted).length &&
      names.every((name) => Object.hasOwn(wanted, name) && isAlike(former[name] ?? null, wanted[name] ?? null))
    );
  }
  return isPlain(former) && isPlain(wanted)
    ? String(former) === String(convertToFormerType(former, wanted))
    : former === wanted;
}

/** `{"@class":"projected","$":"EPSG:3857"}` -> `EPSG:3857` */
function omitClass(value: Json): Json {
  if (!isObject(value) || !(Object.hasOwn(value, '@class') || Object.hasOwn(value, '$'))) return value;
  const { '@class': _class, ...others } = value;
  return Object.keys(others).length === 1 ? (others['$'] ?? others) : others;
}

/** REST accepts a number or boolean for its text and the other way round. */
function isPlain(value: Json): value is string | number | boolean {
  return value !== null && typeof value !== 'object';
}

/** Numbers can have several notations where a number is expected. */
function convertToFormerType(former: Json, wanted: Json): Json {
  return typeof former === 'number' && typeof wanted === 'string' && isJsonNumber(wanted) ? Number(wanted) : wanted;
}

function isEmptyValue(value: Json): boolean {
  if (isObject(value)) {
    return Object.values(value).every((each) => isList(each) && each.length === 0);
  }
  return value === null || (isList(value) && value.length === 0);
}

/** With keys and values as in exports, also where they use the JSON entry form of REST. */
function toPlainEntriesDeep(value: Json): Json {
  if (!isObject(value)) {
    return value;
  }
  const members = Object.entries(toPlainEntries(value)).map(
    ([name, each]) => [name, toPlainEntriesDeep(each)] as const,
  );
  return Object.fromEntries(members);
}
