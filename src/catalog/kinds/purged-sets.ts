/** The file sets of a store that a purge deletes. */
import type { PurgeTarget } from '../../records/files/purges.ts';
import { readRecordChanges } from '../../records/read-record-changes.ts';

/** Returns the current file set of a store, if it was uploaded. */
export function listSetTargets({ fileSet }: { readonly fileSet: string | null }): readonly PurgeTarget[] {
  return fileSet === null ? [] : [{ kind: 'set', hash: fileSet }];
}

/** Lists the file sets that a store ever had, as far as the change log contains them. */
export async function listFormerFileSets(
  catalog: Parameters<typeof readRecordChanges>[0],
  storeId: string,
): Promise<readonly PurgeTarget[]> {
  const sets = new Set<string>();
  for await (const { items } of readRecordChanges(catalog, storeId)) {
    for (const { id, before, after } of items) {
      const named = id === storeId ? [before?.body['fileSet'], after?.body['fileSet']] : [];
      for (const set of named) if (typeof set === 'string') sets.add(set);
    }
  }
  return [...sets].map((hash) => ({ kind: 'set', hash }));
}
