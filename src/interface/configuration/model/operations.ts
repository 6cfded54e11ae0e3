/** How resources that have a document and an address of their own are made, changed and removed. */
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { type Fields, filterFields, isObject, type Json, KEPT_SECRET } from './fields.ts';
import type { ConfigurationKind, WantedResource } from './kind.ts';

type WriteOperations = Pick<ConfigurationKind, 'create' | 'change' | 'remove'>;

/** POST to the collection, PUT and DELETE at the path; `root` is the member that the document is in. */
export function createResourceOperations(
  root: string,
  toBody: (fields: Fields) => Fields = (fields) => fields,
): WriteOperations {
  return {
    create: ({ path, fields }) => [
      {
        method: 'POST',
        path: getParentPath(path),
        body: { [root]: { name: decodeLastSegment(path), ...toCreateFields(toBody(fields)) } },
      },
    ],
    change: ({ path, fields }, { changed }) => [
      { method: 'PUT', path, body: { [root]: omitKeptSecrets(toBody(selectFields(fields, changed))) } },
    ],
    remove: ({ path }) => [{ method: 'DELETE', path }],
  };
}

/** PUT at the path, whether it is there or not. */
export function createPutOperations(
  root: string,
  toBody: (fields: Fields) => Fields = (fields) => fields,
): WriteOperations {
  const { change, remove } = createResourceOperations(root, toBody);
  return {
    create: ({ path, fields }) => [{ method: 'PUT', path, body: { [root]: toCreateFields(toBody(fields)) } }],
    change,
    remove,
  };
}

export function getParentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The last variable of a path. */
export function decodeLastSegment(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}

export function selectFields(fields: Fields, names: ReadonlySet<string>): Fields {
  return filterFields(fields, (name) => names.has(name));
}

/** What a new resource is given: what is null is what it has by itself. */
export function toCreateFields(fields: Fields): Fields {
  return filterFields(omitKeptSecrets(fields), (_, value) => value !== null);
}

/** A secret that is kept is not sent; one in a map of others neither. */
export function omitKeptSecrets(fields: Fields): Fields {
  // Most have none, and are taken as they are.
  return hasKeptSecret(fields)
    ? Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) => {
          if (isKeptSecret(value)) {
            return [];
          }
          return [[name, isObject(value) && hasDirectKeptSecret(value) ? omitKeptSecrets(value) : value]];
        }),
      )
    : fields;
}

/** Whether a secret is kept in these fields, or in a map among them. */
export function hasKeptSecret(fields: Fields): boolean {
  for (const name in fields) {
    const value = fields[name];
    if (isObject(value) && (isKeptSecret(value) || hasDirectKeptSecret(value))) {
      return true;
    }
  }
  return false;
}

function hasDirectKeptSecret(fields: Fields): boolean {
  for (const name in fields) {
    if (isKeptSecret(fields[name])) {
      return true;
    }
  }
  return false;
}

export function isKeptSecret(value: Json | undefined): boolean {
  return isObject(value) && value['$secret'] === KEPT_SECRET.$secret && Object.keys(value).length === 1;
}

/** What is said of a field that keeps a secret and is none. */
export function createNotSecretComplaint(path: string, field: string): ConfigurationError {
  return { path, field, code: 'document-invalid', message: 'is no secret, so that none can be kept; give its value' };
}

/** What a kind needs that is always there: removing it brings its defaults back. */
export function createPermanentOperations(
  kind: Pick<ConfigurationKind, 'defaults'>,
  change: ConfigurationKind['change'],
): WriteOperations {
  const nothing: Fields = {};
  return {
    create: (wanted) => change(wanted, { fields: nothing, changed: new Set(Object.keys(wanted.fields)) }),
    change,
    remove: (resource, fields) => {
      const wanted: WantedResource = { ...resource, fields: { ...fields, ...kind.defaults } };
      return change(wanted, { fields, changed: new Set(Object.keys(kind.defaults)) });
    },
  };
}
