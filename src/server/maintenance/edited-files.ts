/** Edited GeoPackages below `data`, which a copy of a storage leaves behind. */
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import { findEditedFile } from '../../catalog/stores/edited-file.ts';
import { type CopySource, copiedTables } from '../../storage/copy/tables.ts';

/** A sentence for each store whose edited features are not in the copy. */
export async function listEditedFileWarnings(source: Pick<CopySource, 'readRows'>): Promise<readonly string[]> {
  const records = copiedTables.find(({ name }) => name === 'records');
  if (records === undefined) throw new Error('Copies have no records');
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
        `The edited features of the store '${row[name]}' were not copied: they are in ${store.parameters['database']} of the data directory. Upload that file to the store on the new server.`,
      );
    }
  }
  return warnings;
}
