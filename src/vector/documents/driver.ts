/** The driver for document databases; its client library is loaded on first use. */
import { problem } from '../../lib/problems/problem.ts';
import type { ConnectionParameters, VectorDriver } from '../port/driver.ts';
import type { SchemaSample } from '../port/internal-stores.ts';
import { hasPassword, isDocumentUri, listUriHosts, readDocumentUri, UriError } from './connection-uri.ts';

type Objection = { readonly parameter: string; readonly reason: string };

export const documentDriver: VectorDriver = {
  type: 'MongoDB',
  // Callers without access to secrets see no data_store if it contains a password.
  accepts: ({ data_store: data = '', schema_store: schemas, dbtype = '' }) =>
    /^(?:|mongo|mongodb)$/i.test(dbtype.trim()) && (isDocumentUri(data) || schemas !== undefined),
  parameterNames: new Set([
    'data_store',
    'schema_store',
    'max_objs_schema',
    'objs_id_schema',
    'data_store_type',
    'http_user',
    'http_pass',
  ]),
  isPath: (name, value) => name === 'schema_store' && !isDocumentUri(value),
  isSecret: (name, value) => name === 'http_pass' || hasPassword(value),
  getHost: (parameters) => listHosts(parameters).join(','),
  validate: findConnectionObjection,
  async open(parameters, context) {
    const objection = findConnectionObjection(parameters);
    if (objection !== undefined) throw problem('store-parameter-invalid', objection);
    if (parameters['data_store'] === undefined) {
      throw problem('store-unreachable', { name: 'MongoDB', reason: 'the parameter data_store is missing' });
    }
    for (const host of listHosts(parameters)) context.checkHost?.(host);
    const [{ openDocuments }, { openDocumentSource }] = await Promise.all([
      import('./open-documents.ts'),
      import('./document-source.ts'),
    ]);
    const { database, schemas } = await openDocuments(parameters, context);
    return openDocumentSource({
      database,
      schemas,
      sampling: readSampling(parameters),
      isKeeping: context.checkHost === undefined,
      filterRunner: context.filterRunner,
    });
  },
  async schemas(parameters, context, types) {
    const { createPersistedSchemas: documentSchemas } = await import('./maintain-schemas.ts');
    return documentSchemas({ parameters, context, types });
  },
  takesImports: false,
};

/** Reads the sampling parameters; defaults to one document. */
function readSampling(parameters: ConnectionParameters): SchemaSample {
  const ids = (parameters['objs_id_schema'] ?? '').split(',').map((id) => id.trim());
  const max = parameters['max_objs_schema']?.trim() ?? '';
  return { ids: ids.filter((id) => id !== ''), max: max === '' ? 1 : Number(max) };
}

function listHosts(parameters: ConnectionParameters): readonly string[] {
  const places = [parameters['data_store'] ?? '', parameters['schema_store'] ?? ''];
  return [...new Set(places.filter(isDocumentUri).flatMap(listUriHosts))];
}

function findConnectionObjection(parameters: ConnectionParameters): Objection | undefined {
  const { data_store: data } = parameters;
  return (
    // A URI with a password is hidden from clients, so updates can omit it.
    (data === undefined ? undefined : findUriObjection('data_store', data)) ??
    findSchemaStoreObjection(parameters['schema_store'] ?? '') ??
    findMaxObjection(parameters['max_objs_schema'] ?? '')
  );
}

function findUriObjection(parameter: string, text: string): Objection | undefined {
  try {
    const { database } = readDocumentUri(text);
    return parameter === 'data_store' && database === ''
      ? { parameter, reason: 'it must include a database: mongodb://host:port/database' }
      : undefined;
  } catch (error) {
    if (error instanceof UriError) return { parameter, reason: error.message };
    throw error;
  }
}

function findSchemaStoreObjection(text: string): Objection | undefined {
  const parameter = 'schema_store';
  if (text.trim() === '') {
    return {
      parameter,
      reason: 'a MongoDB store requires a schema location: a folder, a .json file or a mongodb: URI',
    };
  }
  if (isDocumentUri(text)) return findUriObjection(parameter, text);
  return /^[a-z][a-z0-9+.-]+:/i.test(text.trim()) && !/^file:/i.test(text.trim())
    ? { parameter, reason: 'it must be a path, a file: URL or a mongodb: URI' }
    : undefined;
}

function findMaxObjection(text: string): Objection | undefined {
  return text.trim() === '' || /^(?:-1|\d{1,9})$/.test(text.trim())
    ? undefined
    : { parameter: 'max_objs_schema', reason: 'it must be an integer, or -1 for all documents' };
}
