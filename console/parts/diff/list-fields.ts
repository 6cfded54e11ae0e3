/** The fields of a document as flat rows, and those that differ between two states. */

export interface FieldRow {
  /** Such as `connectionParameters.host`. */
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Fields = Readonly<Record<string, unknown>> | null | undefined;

/** Returns the fields that differ, in the order of the documents. */
export function listChangedFields(before: Fields, after: Fields): readonly FieldRow[] {
  const [was, is] = [flatten(before), flatten(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => was.get(field) !== is.get(field))
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }));
}

/** Objects are expanded; lists of objects too, so that one entry of a long list can be compared. */
function flatten(fields: Fields): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || value === '') return;
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)) {
      if (value.length > 0) rows.set(name, value.map(String).join(', '));
    } else if (typeof value === 'object') {
      for (const [key, each] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, each);
    } else rows.set(name, String(value));
  };
  add('', fields);
  return rows;
}

/** A value of a plan as text; a missing one is undefined. */
export function formatFieldValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
