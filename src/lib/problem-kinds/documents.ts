/** What can be wrong with document databases and the schemas of their collections. */
import { kind } from './kind.ts';

export const documentProblems = {
  'document-schema-invalid': kind(
    400,
    'A persisted schema of a collection cannot be read.',
    (d: { name: string; reason: string }) =>
      `The persisted schema '${d.name}' cannot be read: ${d.reason}. Clean or rebuild the schemas of the store.`,
  ),
  'document-schemas-unwritable': kind(
    400,
    'The place that schema_store names cannot be read or written.',
    (d: { name: string; reason: string }) => `The place of schemas '${d.name}' cannot be used: ${d.reason}.`,
  ),
  'document-schemas-fixed': kind(
    400,
    'The schemas came with an upload, and are changed by another upload only.',
    (d: { name: string }) =>
      `The schemas of '${d.name}' came with its upload, and so cannot be cleaned or rebuilt; let schema_store name a folder of the server or a database.`,
  ),
} as const;
