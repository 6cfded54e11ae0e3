/** Document databases as a kind of store; what it takes to speak to one is loaded when the first is opened. */
import { isAtOrBelow } from '../../gates/path-gate/identity.ts';
import { problem } from '../../lib/problem.ts';
import type { ConnectionParameters, DriverContext, VectorDriver } from '../vector/driver.ts';
import {
  type DocumentConnection,
  hasPassword,
  hostsOfUri,
  isDocumentUri,
  readDocumentUri,
  UriMistake,
} from './connection-uri.ts';
import type { DocumentDatabase } from './database.ts';
import type { Sampling } from './document-source.ts';
import type { SchemaStore } from './schema-store.ts';

const DATABASE_OF_SCHEMAS = 'geotools';
const COLLECTION_OF_SCHEMAS = 'schemas';

type Objection = { readonly parameter: string; readonly reason: string };

export const documentDriver: VectorDriver = {
  type: 'MongoDB',
  // Whoever reads a store without its secrets sees no data_store where that has a password.
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
  hostOf: (parameters) => hostsOf(parameters).join(','),
  objection: objectionToDocuments,
  async open(parameters, context) {
    const objection = objectionToDocuments(parameters);
    if (objection !== undefined) throw problem('store-parameter-invalid', objection);
    if (parameters['data_store'] === undefined) {
      throw problem('store-unreachable', { name: 'MongoDB', reason: 'its parameters name no data_store' });
    }
    for (const host of hostsOf(parameters)) context.admitHost?.(host);
    const { database, schemas } = await openDocuments(parameters, context);
    const { openDocumentSource } = await import('./document-source.ts');
    return openDocumentSource({
      database,
      schemas,
      sampling: samplingOf(parameters),
      isKeeping: context.admitHost === undefined,
    });
  },
  takesImports: false,
};

/** The database of a store, and where the schemas of its collections are. */
export async function openDocuments(
  parameters: ConnectionParameters,
  context: DriverContext,
): Promise<{ readonly database: DocumentDatabase; readonly schemas: SchemaStore }> {
  const [{ openDocumentDatabase }, stores] = await Promise.all([import('./database.ts'), import('./schema-store.ts')]);
  const schemaPlace = parameters['schema_store']?.trim() ?? '';
  const open = async (): Promise<SchemaStore> => {
    if (isDocumentUri(schemaPlace)) {
      const place = readDocumentUri(schemaPlace);
      const named: DocumentConnection = { ...place, database: place.database || DATABASE_OF_SCHEMAS };
      return stores.openSchemaCollection(openDocumentDatabase(named), place.collection ?? COLLECTION_OF_SCHEMAS);
    }
    const path = await context.resolvePath(schemaPlace);
    const opened = /\.json$/i.test(path) ? stores.openSchemaFile(path) : stores.openSchemaFolder(path);
    const { uploadFolder } = context;
    return uploadFolder !== undefined && isAtOrBelow(path, uploadFolder)
      ? stores.asReadOnly(opened, schemaPlace)
      : opened;
  };
  const schemas = await open();
  return { schemas, database: openDocumentDatabase(readDocumentUri(parameters['data_store'] ?? '')) };
}

/** As the parameters say it; one document, if they say nothing. */
function samplingOf(parameters: ConnectionParameters): Sampling {
  const ids = (parameters['objs_id_schema'] ?? '').split(',').map((id) => id.trim());
  const max = parameters['max_objs_schema']?.trim() ?? '';
  return { ids: ids.filter((id) => id !== ''), max: max === '' ? 1 : Number(max) };
}

function hostsOf(parameters: ConnectionParameters): readonly string[] {
  const places = [parameters['data_store'] ?? '', parameters['schema_store'] ?? ''];
  return [...new Set(places.filter(isDocumentUri).flatMap(hostsOfUri))];
}

function objectionToDocuments(parameters: ConnectionParameters): Objection | undefined {
  const { data_store: data } = parameters;
  return (
    // One with a password is not sent back by clients that read the store.
    (data === undefined ? undefined : objectionToUri('data_store', data)) ??
    objectionToSchemaStore(parameters['schema_store'] ?? '') ??
    objectionToMax(parameters['max_objs_schema'] ?? '')
  );
}

function objectionToUri(parameter: string, text: string): Objection | undefined {
  try {
    const { database } = readDocumentUri(text);
    return parameter === 'data_store' && database === ''
      ? { parameter, reason: 'it must name a database: mongodb://host:port/database' }
      : undefined;
  } catch (error) {
    if (error instanceof UriMistake) return { parameter, reason: error.message };
    throw error;
  }
}

function objectionToSchemaStore(text: string): Objection | undefined {
  const parameter = 'schema_store';
  if (text.trim() === '') {
    return {
      parameter,
      reason: 'a MongoDB store must name where its schemas are kept: a folder, a .json file or a mongodb: URI',
    };
  }
  if (isDocumentUri(text)) return objectionToUri(parameter, text);
  return /^[a-z][a-z0-9+.-]+:/i.test(text.trim()) && !/^file:/i.test(text.trim())
    ? { parameter, reason: 'it must be a path, a file: URL or a mongodb: URI' }
    : undefined;
}

function objectionToMax(text: string): Objection | undefined {
  return text.trim() === '' || /^(?:-1|\d{1,9})$/.test(text.trim())
    ? undefined
    : { parameter: 'max_objs_schema', reason: 'it must be a whole number, or -1 for all documents' };
}
