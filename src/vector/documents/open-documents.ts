/** Opens the database of a document store and its schema location. */
import { isAtOrBelow } from '../../gates/path-gate/identity.ts';
import type { ConnectionParameters, DriverContext } from '../port/driver.ts';
import { type DocumentConnection, isDocumentUri, readDocumentUri } from './connection-uri.ts';
import { type DocumentDatabase, openDocumentDatabase } from './database.ts';
import {
  openSchemaCollection,
  openSchemaFile,
  openSchemaFolder,
  type SchemaStore,
  toReadOnly,
} from './schema-store.ts';

const SCHEMA_DATABASE = 'geotools';
const SCHEMA_COLLECTION = 'schemas';

export async function openDocuments(
  parameters: ConnectionParameters,
  context: DriverContext,
): Promise<{ readonly database: DocumentDatabase; readonly schemas: SchemaStore }> {
  const schemaPlace = parameters['schema_store']?.trim() ?? '';
  const open = async (): Promise<SchemaStore> => {
    if (isDocumentUri(schemaPlace)) {
      const place = readDocumentUri(schemaPlace);
      const named: DocumentConnection = { ...place, database: place.database || SCHEMA_DATABASE };
      return openSchemaCollection(openDocumentDatabase(named), place.collection ?? SCHEMA_COLLECTION);
    }
    const path = await context.resolvePath(schemaPlace);
    const opened = /\.json$/i.test(path) ? openSchemaFile(path) : openSchemaFolder(path);
    const { uploadFolder } = context;
    return uploadFolder !== undefined && isAtOrBelow(path, uploadFolder) ? toReadOnly(opened, schemaPlace) : opened;
  };
  const schemas = await open();
  return { schemas, database: openDocumentDatabase(readDocumentUri(parameters['data_store'] ?? '')) };
}
