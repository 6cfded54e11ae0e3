/** What differs between fields that are there and fields that are wanted. */
import { isNameOfSecret } from '../../lib/secret.ts';
import { canonicalText, type Fields, isList, isObject, type Json, plainEntries } from './fields.ts';
import { isKept } from './operations.ts';

export interface FieldChange {
  /** A JSON Pointer into the fields. */
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

/** Stands in a plan for what is never shown. */
const SECRET = '(secret)';

/** The names of the fields that are to be others. */
export function changedNames(former: Fields, wanted: Fields): ReadonlySet<string> {
  return new Set(Object.keys(wanted).filter((name) => !isSame(former[name] ?? null, wanted[name] ?? null)));
}

/** Every single place that is to be another, with secrets as such. */
export function fieldChanges(former: Fields, wanted: Fields, secrets: readonly string[]): readonly FieldChange[] {
  return [...changedNames(former, wanted)].flatMap((name) =>
    placesIn(`/${pointerPart(name)}`, former[name] ?? null, wanted[name] ?? null, secrets.includes(name)),
  );
}

function placesIn(field: string, before: Json, after: Json, isSecret: boolean): readonly FieldChange[] {
  if (isKept(before) || isKept(after) || isSecret) {
    return isKept(before) && isKept(after)
      ? []
      : [{ field, before: before === null ? null : SECRET, after: after === null ? null : SECRET }];
  }
  if (!isObject(before) || !isObject(after)) {
    return isSame(before, after) ? [] : [{ field, before, after }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    placesIn(`${field}/${pointerPart(name)}`, before[name] ?? null, after[name] ?? null, isNameOfSecret(name)),
  );
}

/** RFC 6901. */
function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** People write a value in several ways: a name for what has one, a number as text, nothing for an empty list. */
function isSame(former: Json, wanted: Json): boolean {
  return (
    isKept(wanted) === isKept(former) &&
    (canonicalText(former) === canonicalText(wanted) ||
      (isNothing(former) && isNothing(wanted)) ||
      (typeof wanted === 'string' && isObject(former) && former['name'] === wanted) ||
      (typeof wanted === 'string' && isPlain(former) && String(former) === wanted) ||
      canonicalText(former) === canonicalText(withPlainEntries(wanted)))
  );
}

function isPlain(value: Json): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function isNothing(value: Json): boolean {
  if (isObject(value)) {
    return Object.values(value).every((each) => isList(each) && each.length === 0);
  }
  return value === null || (isList(value) && value.length === 0);
}

/** With keys and values as the configuration tells them, wherever they stand as in JSON of REST. */
function withPlainEntries(value: Json): Json {
  if (!isObject(value)) {
    return value;
  }
  const members = Object.entries(plainEntries(value)).map(([name, each]) => [name, withPlainEntries(each)] as const);
  return Object.fromEntries(members);
}
