/** A column as statements name it. */

import type { SqlColumn } from './dialect.ts';
import { qualifyName, quoteName } from './quote-sql.ts';

export function writeColumnName({ table, name }: SqlColumn): string {
  return table === undefined ? quoteName(name) : qualifyName(table, name);
}
