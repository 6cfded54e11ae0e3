/** What can be wrong with document databases and the schemas of their collections. */
import { defineProblemKind } from '../kind.ts';

export const documentProblems = {
  'document-schema-invalid': defineProblemKind(
    400,
    'A persisted schema of a collection cannot be read.',
    (d: { name: string; reason: string }) =>
      `The persisted schema '${d.name}' cannot be read: ${d.reason}. Clean or rebuild the schemas of the store.`,
  ),
  'document-schemas-unwritable': defineProblemKind(
    400,
    'The place that schema_store names cannot be read or written.',
    (d: { name: string; reason: string }) => `The place of schemas '${d.name}' cannot be used: ${d.reason}.`,
  ),
  'document-schemas-fixed': defineProblemKind(
    400,
    'The schemas came with an upload, and are changed by another upload only.',
    (d: { name: string }) =>
      `The schemas of '${d.name}' came with its upload, and so cannot be cleaned or rebuilt; let schema_store name a folder of the server or a database.`,
  ),
  'maintained-store-unknown': defineProblemKind(
    404,
    'There is no such workspace, no such store in it, or no such source data store in its mapping.',
    (d: { reason: string }) => d.reason,
  ),
  'store-not-app-schema': defineProblemKind(
    400,
    'The store is not one of mappings, so that it has no internal stores.',
    (d: { name: string; type: string }) =>
      `The store '${d.name}' is a ${d.type} store; only app-schema stores have internal document stores.`,
  ),
  'internal-store-no-documents': defineProblemKind(
    400,
    'The source data store of a mapping is there, but keeps no documents.',
    (d: { name: string }) =>
      `The source data store '${d.name}' of the mapping is no document store, so that it has no persisted schemas.`,
  ),
  'no-document-stores': defineProblemKind(
    400,
    'No source data store of a mapping is a document store.',
    (d: { name: string }) => `The mapping of the store '${d.name}' takes nothing from document stores.`,
  ),
  'schema-sample-missing': defineProblemKind(
    400,
    'Nobody said which documents schemas are to be rebuilt from.',
    () =>
      "Say which documents the schemas are rebuilt from: 'ids', a list of ids with commas between them, 'max', how many documents at most (-1 for all), or both.",
  ),
  'document-unknown': defineProblemKind(
    400,
    'None of the collections has a document of an id that schemas were to be rebuilt from.',
    (d: { ids: readonly string[] }) =>
      `There is no document with the id ${d.ids.map((id) => `'${id}'`).join(', ')} in the collections of the mapping; nothing was changed.`,
  ),
  'document-type-unknown': defineProblemKind(
    400,
    'The type to rebuild the schema of is neither mapped nor a collection.',
    (d: { name: string }) => `There is no collection '${d.name}' to rebuild the schema of.`,
  ),
} as const;
