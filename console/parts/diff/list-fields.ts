/** The fields of a document as flat rows, and those that differ between two states. */

export interface FieldRow {
  /** Such as `connectionParameters.host`. */
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Fields = Readonly<Record<string, unknown>> | null | undefined;

/** Paths of resources by their ids. */
type References = Readonly<Record<string, string>>;

/** Returns the fields that differ, in the order of the documents. Other resources are named by their paths. */
export function listChangedFields(before: Fields, after: Fields, references: References = {}): readonly FieldRow[] {
  const [was, is] = [flatten(before, references), flatten(after, references)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => was.get(field) !== is.get(field))
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }));
}

/** Objects are expanded; lists of objects too, so that one entry of a long list can be compared. */
function flatten(fields: Fields, references: References): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  const format = (value: unknown) => nameReference(String(value), references);
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || value === '') return;
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)) {
      if (value.length > 0) rows.set(name, value.map(format).join(', '));
    } else if (typeof value === 'object') {
      for (const [key, each] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, each);
    } else rows.set(name, format(value));
  };
  add('', fields);
  return rows;
}

/** The names of style files begin with the id of their workspace. */
export function nameReference(text: string, references: References): string {
  return text.replace(/^[^/]+/, (id) => references[id] ?? id);
}

/** A value of a plan as text; a missing one is undefined. */
export function formatFieldValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
