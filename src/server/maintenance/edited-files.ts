/** Edited GeoPackages below `data`, which a copy of a storage does not include. */
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import { findEditedFile } from '../../catalog/stores/edited-file.ts';
import { type CopySource, copiedTables } from '../../storage/copy/tables.ts';

/** Returns a warning for each store whose edited features are not part of the copy. */
export async function listEditedFileWarnings(source: Pick<CopySource, 'readRows'>): Promise<readonly string[]> {
  const records = copiedTables.find(({ name }) => name === 'records');
  if (records === undefined) throw new Error('The table of records is not copied');
  const [kind, name, body] = ['kind', 'name', 'body'].map((column) => records.columns.indexOf(column)) as [
    number,
    number,
    number,
  ];
  const warnings: string[] = [];
  for await (const rows of source.readRows(records)) {
    for (const row of rows) {
      if (row[kind] !== dataStoreKind.kind) continue;
      const store = JSON.parse(String(row[body])) as Pick<Store, 'type' | 'fileSet' | 'parameters'>;
      if (findEditedFile(store) === undefined) continue;
      warnings.push(
        `The edited features of the store '${row[name]}' were not copied. They are in ${store.parameters['database']} of the data directory. Upload that file to the store on the new server.`,
      );
    }
  }
  return warnings;
}
