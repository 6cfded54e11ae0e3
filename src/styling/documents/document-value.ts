/** The values of JSON and YAML documents, with the paths to them. */

export type DocumentValue = string | number | boolean | null | readonly DocumentValue[] | DocumentObject;

/** Names in a document never reach a prototype. */
export type DocumentObject = ReadonlyMap<string, DocumentValue>;

/** Member names and array indexes, from the root. */
export type DocumentPath = readonly (string | number)[];

export function isObject(value: DocumentValue | undefined): value is DocumentObject {
  return value instanceof Map;
}

export function isList(value: DocumentValue | undefined): value is readonly DocumentValue[] {
  return Array.isArray(value);
}

/** Formats a JSON pointer, such as `/layers/0/paint/fill-color`. */
export function formatPointer(path: DocumentPath): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
