/** Problems with document databases and the schemas of their collections. */
import { defineProblemKind } from '../kind.ts';

export const documentProblems = {
  'document-schema-invalid': defineProblemKind(
    400,
    'The persisted schema of a collection is unreadable.',
    (d: { name: string; reason: string }) =>
      `The persisted schema '${d.name}' is unreadable: ${d.reason}. Clean or rebuild the schemas of the store.`,
  ),
  'document-schemas-unwritable': defineProblemKind(
    400,
    'The location that schema_store names cannot be read or written.',
    (d: { name: string; reason: string }) => `The schema location '${d.name}' cannot be read or written: ${d.reason}.`,
  ),
  'document-schemas-fixed': defineProblemKind(
    400,
    'The schemas were uploaded with the store; only another upload can change them.',
    (d: { name: string }) =>
      `The schemas of '${d.name}' were uploaded with the store and cannot be cleaned or rebuilt. Set schema_store to a folder of the server or to a database.`,
  ),
  'maintained-store-unknown': defineProblemKind(
    404,
    'The workspace, the store, or the source data store of its mapping does not exist.',
    (d: { reason: string }) => d.reason,
  ),
  'store-not-app-schema': defineProblemKind(
    400,
    'The store is not an app-schema store, so it has no internal stores.',
    (d: { name: string; type: string }) =>
      `The store '${d.name}' is a ${d.type} store. Only app-schema stores have internal document stores.`,
  ),
  'internal-store-no-documents': defineProblemKind(
    400,
    'The source data store of a mapping is not a document store.',
    (d: { name: string }) =>
      `The source data store '${d.name}' of the mapping is not a document store, so it has no persisted schemas.`,
  ),
  'no-document-stores': defineProblemKind(
    400,
    'The mapping has no document store among its source data stores.',
    (d: { name: string }) => `The mapping of the store '${d.name}' has no document store.`,
  ),
  'schema-sample-missing': defineProblemKind(
    400,
    'The request does not select the documents that schemas are rebuilt from.',
    () =>
      "Select the documents that the schemas are rebuilt from: 'ids' (a comma-separated list), 'max' (the maximum number of documents, -1 for all), or both.",
  ),
  'document-unknown': defineProblemKind(
    400,
    'No collection of the mapping has a document with one of the given ids.',
    (d: { ids: readonly string[] }) =>
      `No document with the ${d.ids.length === 1 ? 'id' : 'ids'} ${d.ids.map((id) => `'${id}'`).join(', ')} exists in the collections of the mapping. Nothing was changed.`,
  ),
  'document-type-unknown': defineProblemKind(
    400,
    'The type whose schema is to be rebuilt is neither mapped nor a collection.',
    (d: { name: string }) =>
      `No such collection: '${d.name}'. Set schema to a mapped type or a collection of the store.`,
  ),
} as const;
