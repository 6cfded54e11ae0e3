/** Deletes a style: its layers fall back to other styles; its content stays for a later style, or is deleted too. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import type { PurgeTarget } from '../../records/files/purges.ts';
import { readRecordChanges } from '../../records/read-record-changes.ts';
import type { ChangeItem } from '../../storage/port/port.ts';
import { references } from '../kinds/references.ts';
import { type StyleFile, styleFileKind } from '../kinds/style.ts';
import { checkMayDetach, checkStyleUnused } from '../layers/style-references.ts';
import { checkNotBuiltIn } from './change-style.ts';
import { moveFile } from './move-files.ts';
import { findStyle, findStyleFile, listStylesByFile, type StyleLocator, type StyleView } from './style-view.ts';
import { removeUnusedImages } from './write-content.ts';

export interface StyleDeletion {
  readonly place: StyleLocator;
  /**
   * What happens to the content, unless other styles use it: `purged` deletes it with its images, `kept` leaves it for
   * a later style with its file name, `set aside` renames it so that no later style picks it up.
   */
  readonly content: 'purged' | 'kept' | 'set aside';
  /** Layers that use the style fall back to the default style of their geometry. */
  readonly recurse: boolean;
  readonly precondition: Precondition;
  /** Throws if the caller may not write in this workspace. */
  readonly checkMayWrite: (workspaceName: string) => void;
}

/**
 * Purged content, including earlier versions, is deleted from the disk when this resolves; after a crash the next start
 * deletes the current version. The history records the purge.
 */
export async function deleteStyle(
  catalog: Catalog,
  files: Files,
  principal: Principal,
  { place, content, recurse, precondition, checkMayWrite }: StyleDeletion,
): Promise<void> {
  const what = `${content === 'purged' ? 'purge' : 'delete'} style ${place.name}`;
  const wanted = content === 'purged' ? listContents(await findStyle(catalog, place)) : [];
  await files.changeAndPurge(catalog.isFileInUse, wanted.map(toPurgeTarget), async () => {
    const removed = await catalog.change(principal, what, async (transaction): Promise<readonly StyleFile[]> => {
      const view = await findStyle(transaction, place);
      checkPrecondition(precondition, view.version);
      checkNotBuiltIn(view, 'deleted');
      await checkMayDetach(transaction, view.style, checkMayWrite);
      if (!recurse) {
        await checkStyleUnused(transaction, view.style);
      }
      await references.remove(transaction, view.style);
      const { parent, filename } = view.style;
      const isUsed = (await listStylesByFile(transaction, parent, filename, 1)).length > 0;
      if (view.file === null || isUsed) {
        return [];
      }
      if (content === 'set aside') {
        await renameToBackup(transaction, parent, view.file);
      }
      if (content !== 'purged') {
        return [];
      }
      await transaction.removeDeep(view.file.id);
      const images = await removeUnusedImages(transaction, parent, view.file.written ?? { packaged: [], graphics: [] });
      return [view.file, ...images];
    });
    // No live record refers to the earlier contents, so they can be deleted after the style.
    return [...(await listFormerContents(catalog, removed))].map(toPurgeTarget);
  });
}

function toPurgeTarget(hash: string): PurgeTarget {
  return { kind: 'bytes', hash };
}

function listContents({ file, images }: Pick<StyleView, 'file' | 'images'>): readonly string[] {
  return file === null ? [] : [file, ...images].map((each) => each.content);
}

async function renameToBackup(transaction: CatalogTransaction, parent: string | null, file: StyleFile): Promise<void> {
  let path = `${file.path}.bak`;
  for (let count = 1; (await findStyleFile(transaction, parent, path)) !== undefined; count += 1) {
    path = `${file.path}.bak.${count}`;
  }
  await moveFile(transaction, file, { parent, path });
}

/** Includes images that were deleted when the content that used them was replaced. */
async function listFormerContents(
  catalog: Pick<Catalog, 'listRecordChanges'>,
  files: readonly Pick<StyleFile, 'id'>[],
): Promise<ReadonlySet<string>> {
  const contents = new Set<string>();
  for (const { id } of files) {
    for await (const { items } of readRecordChanges(catalog, id)) {
      for (const item of items) {
        if (item.kind === styleFileKind.kind && (item.id === id || item.after === null)) {
          for (const content of listItemContents(item)) contents.add(content);
        }
      }
    }
  }
  return contents;
}

function listItemContents({ before, after }: ChangeItem): readonly string[] {
  return [before, after].flatMap((state) => {
    const content = state?.body['content'];
    return typeof content === 'string' ? content : [];
  });
}
