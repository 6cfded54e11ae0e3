/** Where a document has its virtual table, how long its query may be, and the complaint about it. */
import { problem } from '../../lib/problem.ts';

export const VIRTUAL_TABLE_KEY = 'JDBC_VIRTUAL_TABLE';

export const virtualTableField = `featureType.metadata.${VIRTUAL_TABLE_KEY}`;

/** Longer queries are no longer written by people. */
export const MAX_SQL_LENGTH = 100_000;

export function invalidVirtualTable(reason: string) {
  return problem('virtual-table-invalid', { reason, field: virtualTableField });
}
