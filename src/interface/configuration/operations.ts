/** How resources that have a document and an address of their own are made, changed and removed. */
import type { ConfigurationComplaint } from '../../lib/problem-kinds/kind.ts';
import { type Fields, isObject, type Json, KEPT_SECRET, selected } from './fields.ts';
import type { ConfigurationKind, WantedResource } from './kind.ts';

type Writing = Pick<ConfigurationKind, 'create' | 'change' | 'remove'>;

/** POST to the collection, PUT and DELETE at the path; `root` is the member that the document is in. */
export function resourceWriting(root: string, toBody: (fields: Fields) => Fields = (fields) => fields): Writing {
  return {
    create: ({ path, fields }) => [
      { method: 'POST', path: parentOf(path), body: { [root]: { name: nameIn(path), ...given(toBody(fields)) } } },
    ],
    change: ({ path, fields }, { changed }) => [
      { method: 'PUT', path, body: { [root]: withoutKept(toBody(only(fields, changed))) } },
    ],
    remove: ({ path }) => [{ method: 'DELETE', path }],
  };
}

/** PUT at the path, whether it is there or not. */
export function placeWriting(root: string, toBody: (fields: Fields) => Fields = (fields) => fields): Writing {
  const { change, remove } = resourceWriting(root, toBody);
  return {
    create: ({ path, fields }) => [{ method: 'PUT', path, body: { [root]: given(toBody(fields)) } }],
    change,
    remove,
  };
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The last variable of a path. */
export function nameIn(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}

export function only(fields: Fields, names: ReadonlySet<string>): Fields {
  return selected(fields, (name) => names.has(name));
}

/** What a new resource is given: what is null is what it has by itself. */
export function given(fields: Fields): Fields {
  return selected(withoutKept(fields), (_, value) => value !== null);
}

/** A secret that is kept is not sent; one in a map of others neither. */
export function withoutKept(fields: Fields): Fields {
  // Most have none, and are taken as they are.
  return hasKept(fields)
    ? Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) => {
          if (isKept(value)) {
            return [];
          }
          return [[name, isObject(value) && holdsKept(value) ? withoutKept(value) : value]];
        }),
      )
    : fields;
}

/** Whether a secret is kept in these fields, or in a map among them. */
export function hasKept(fields: Fields): boolean {
  for (const name in fields) {
    const value = fields[name];
    if (isObject(value) && (isKept(value) || holdsKept(value))) {
      return true;
    }
  }
  return false;
}

function holdsKept(fields: Fields): boolean {
  for (const name in fields) {
    if (isKept(fields[name])) {
      return true;
    }
  }
  return false;
}

export function isKept(value: Json | undefined): boolean {
  return isObject(value) && value['$secret'] === KEPT_SECRET.$secret && Object.keys(value).length === 1;
}

/** What is said of a field that keeps a secret and is none. */
export function noSecret(path: string, field: string): ConfigurationComplaint {
  return { path, field, code: 'document-invalid', message: 'is no secret, so that none can be kept; give its value' };
}

/** What a kind needs that is always there: removing it brings its defaults back. */
export function lastingWriting(
  kind: Pick<ConfigurationKind, 'defaults'>,
  change: ConfigurationKind['change'],
): Writing {
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
