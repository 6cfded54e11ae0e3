/** Reads all log entries of a record in batches. */
import type { ChangeEntry } from '../storage/port/port.ts';
import type { Catalog } from './catalog.ts';

/** The number of entries that are read at a time. */
const ENTRIES_AT_ONCE = 100;

/** Oldest first. */
export async function* readRecordChanges(
  catalog: Pick<Catalog, 'listRecordChanges'>,
  id: string,
): AsyncGenerator<ChangeEntry> {
  for (let after = 0, isMore = true; isMore; ) {
    const entries = await catalog.listRecordChanges(id, after, ENTRIES_AT_ONCE);
    yield* entries;
    after = entries.at(-1)?.sequence ?? after;
    isMore = entries.length === ENTRIES_AT_ONCE;
  }
}
