/** A column as statements name it. */
import { qualified, quoted } from '../../vector/quoted-sql.ts';
import type { SqlColumn } from './dialect.ts';

export function columnName({ table, name }: SqlColumn): string {
  return table === undefined ? quoted(name) : qualified(table, name);
}
