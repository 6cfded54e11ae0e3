/** The commands that create, change and delete resources with a document and a path of their own. */
import type { Command, CommandInput } from '../../../http/routes/command.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { type Fields, filterFields, isObject, type Json, KEPT_SECRET } from './fields.ts';
import type { ConfigurationKind, ResourceAddress, WantedResource } from './kind.ts';

type WriteOperations = Pick<ConfigurationKind, 'create' | 'change' | 'remove'>;

/** POST to the collection, PUT and DELETE at the path; `root` is the root member of the document. */
export function createResourceOperations(
  root: string,
  toBody: (fields: Fields) => Fields = (fields) => fields,
): WriteOperations {
  return {
    create: ({ fields, ...address }) => {
      const name = getResourceName(address);
      return [createAdd(address, { document: { [root]: { name, ...toCreateFields(toBody(fields)) } } })];
    },
    change: ({ fields, ...address }, { changed }) => [
      createPut(address, { document: { [root]: omitKeptSecrets(toBody(selectFields(fields, changed))) } }),
    ],
    remove: (address) => [createDelete(address)],
  };
}

/** POST to the collection of a resource. */
export function createAdd({ pattern, names }: Address, input: CommandInput): Command {
  const last = getLastVariable(pattern);
  const params = Object.fromEntries(Object.entries(names).filter(([name]) => name !== last));
  return { method: 'POST', pattern: getParentPath(pattern), params, ...input };
}

export function createPut({ pattern, names }: Address, input: CommandInput): Command {
  return { method: 'PUT', pattern, params: names, ...input };
}

export function createDelete({ pattern, names }: Address): Command {
  return { method: 'DELETE', pattern, params: names };
}

type Address = Pick<ResourceAddress, 'pattern' | 'names'>;

/** The value of the last variable. */
export function getResourceName({ pattern, names }: Address): string {
  return names[getLastVariable(pattern)] ?? '';
}

function getLastVariable(pattern: string): string {
  return pattern.slice(pattern.lastIndexOf('/:') + 2);
}

/** PUT at the path, whether the resource exists or not. */
export function createPutOperations(
  root: string,
  toBody: (fields: Fields) => Fields = (fields) => fields,
): WriteOperations {
  const { change, remove } = createResourceOperations(root, toBody);
  return {
    create: ({ fields, ...address }) => [createPut(address, { document: { [root]: toCreateFields(toBody(fields)) } })],
    change,
    remove,
  };
}

export function getParentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

export function selectFields(fields: Fields, names: ReadonlySet<string>): Fields {
  return filterFields(fields, (name) => names.has(name));
}

/** The fields of a new resource; null fields are omitted and get their default. */
export function toCreateFields(fields: Fields): Fields {
  return filterFields(omitKeptSecrets(fields), (_, value) => value !== null);
}

/** A kept secret is not sent, nor is one inside a map. */
export function omitKeptSecrets(fields: Fields): Fields {
  // Most resources have none and are sent unchanged.
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

/** Whether these fields, or a map among them, keep a secret. */
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

/** The complaint about a field that keeps a secret but is not secret. */
export function createNotSecretComplaint(path: string, field: string): ConfigurationError {
  return { path, field, code: 'document-invalid', message: 'is not a secret and cannot be kept. Set its value' };
}

/** The operations of a resource that always exists: removing it restores its defaults. */
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
