/** A column as statements name it. */
import { qualifyName, quoteName } from '../../vector/quoted-sql.ts';
import type { SqlColumn } from './dialect.ts';

export function writeColumnName({ table, name }: SqlColumn): string {
  return table === undefined ? quoteName(name) : qualifyName(table, name);
}
