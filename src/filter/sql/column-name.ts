/** Writes the name of a column with its table alias. */

import type { SqlColumn } from './dialect.ts';
import { qualifyName, quoteName } from './quote-sql.ts';

export function writeColumnName({ table, name }: SqlColumn): string {
  return table === undefined ? quoteName(name) : qualifyName(table, name);
}
