/** A column as statements name it. */
import { qualifyName, quoteName } from '../../vector/quote-sql.ts';
import type { SqlColumn } from './dialect.ts';

export function writeColumnName({ table, name }: SqlColumn): string {
  return table === undefined ? quoteName(name) : qualifyName(table, name);
}
