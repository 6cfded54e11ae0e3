/** What can be wrong with the metadata of feature types: queries that stand for tables, and dimensions. */
import { kind } from './kind.ts';

export const virtualTableProblems = {
  'virtual-table-invalid': kind(
    400,
    'The virtual table in the metadata is not complete, or cannot be used.',
    (d: { reason: string }) => `The virtual table cannot be used: ${d.reason}.`,
  ),
  'virtual-table-refused': kind(
    400,
    'The database refuses the query of a virtual table.',
    (d: { name: string; message: string }) =>
      `The database refuses the query of the virtual table '${d.name}': ${d.message}`,
  ),
  'virtual-table-unsupported': kind(
    400,
    'Virtual tables need a database that runs queries.',
    (d: { store: string; type: string }) =>
      `The store '${d.store}' is a ${d.type} store; virtual tables need a database that runs queries, which PostGIS is.`,
  ),
  'dimension-invalid': kind(
    400,
    'A dimension in the metadata is not complete, or names what is not there.',
    (d: { key: string; reason: string }) => `The dimension '${d.key}' cannot be used: ${d.reason}.`,
  ),
} as const;
