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
  'import-refused': kind(
    400,
    'The attributes of the data do not fit the table they are to be put into.',
    (d: { name: string; reason: string }) => `Nothing was imported into the table '${d.name}': ${d.reason}.`,
  ),
  'feature-refused': kind(
    400,
    'A feature does not fit the table it is to be put into; nothing was changed.',
    (d: { name: string; feature: string; reason: string }) =>
      `Nothing was imported into the table '${d.name}', since it cannot take ${d.feature}: ${d.reason}.`,
  ),
  'database-host-refused': kind(
    403,
    'Only full administrators may point a store at any host.',
    (d: { host: string }) =>
      `Administrators of a workspace may not use databases on '${d.host}'; the server setting database-hosts names those they may.`,
  ),
} as const;
