/** Changes of the catalog that files go with: both happen, or neither. */
import type { Principal } from '../lib/principal.ts';
import type { Files, PlannedRemoval, Published } from '../storage/files.ts';
import type { Catalog, CatalogTransaction } from './catalog.ts';

/** What a change may do with files; places are relative to the data directory. */
export interface FileChanges {
  /** Puts something staged in place. */
  publish(stagedPath: string, place: string): Promise<void>;
  /** Removes these once the change is committed. */
  remove(places: readonly string[]): Promise<void>;
}

export interface ChangeFilesOptions {
  /** Waited for between the commit and the removal of files: those who still read them finish first. */
  readonly beforeRemoval?: () => Promise<void>;
}

export async function changeWithFiles<T>(
  catalog: Catalog,
  files: Files,
  author: { readonly principal: Principal; readonly what: string },
  work: (transaction: CatalogTransaction, changes: FileChanges) => Promise<T>,
  options: ChangeFilesOptions = {},
): Promise<T> {
  const published: Published[] = [];
  const removals: PlannedRemoval[] = [];
  const takeBack = async () => {
    for (const removal of removals.splice(0)) {
      await removal.cancel();
    }
    for (const each of published.toReversed()) {
      await each.undo();
    }
  };
  let result: T;
  try {
    result = await catalog.change(author.principal, author.what, async (transaction) => {
      const change = transaction.sequence;
      try {
        return await work(transaction, {
          publish: async (stagedPath, place) => {
            published.push(await files.publish(stagedPath, place, { change }));
          },
          remove: async (places) => {
            if (places.length > 0) {
              removals.push(await files.planRemoval(places, { change }));
            }
          },
        });
      } catch (error) {
        // Before the write ends: the next change gets the same number.
        await takeBack();
        throw error;
      }
    });
  } catch (error) {
    await takeBack();
    throw error;
  }
  for (const each of published) {
    await each.settle();
  }
  if (removals.length > 0) {
    await options.beforeRemoval?.();
  }
  for (const removal of removals) {
    // The change is made, whatever the disk says now: what cannot be removed is noted, and removed at the next start.
    await removal.carryOut().catch(() => undefined);
  }
  return result;
}
