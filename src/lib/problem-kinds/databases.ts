/** What can go wrong with the tables of databases. */
import { kind } from './kind.ts';

export const databaseProblems = {
  'table-refused': kind(
    400,
    'The database cannot make or remove such a table.',
    (d: { name: string; reason: string }) => `The table '${d.name}' cannot be created or removed: ${d.reason}.`,
  ),
  'crs-unknown-to-database': kind(
    400,
    'The database does not know the coordinate reference system of a geometry column.',
    (d: { crs: string; attribute: string }) =>
      `The coordinate reference system '${d.crs}' of the attribute '${d.attribute}' is not known to the database.`,
  ),
} as const;
