/** Takes the files of a style along when its entry gets another file name or another folder. */
import { problem } from '../../lib/problem.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { fileName, folderOf, type Style, type StyleFile, styleFileKind } from './style.ts';
import { findFile, type StyleView, stylesWith } from './style-view.ts';
import { type FilePlace, limitedWarnings, removeUnusedImages } from './write-content.ts';

/**
 * Gives a content another name, to be called after the style's entry has been changed. A file that is already there
 * stays and becomes the style's content, as for a new entry; one that other styles still use stays where it was, too.
 */
export async function moveFile(transaction: CatalogTransaction, file: StyleFile, target: FilePlace): Promise<void> {
  const folder = folderOf(target.parent);
  const name = fileName(folder, target.path);
  if (name === file.name || (await findFile(transaction, target.parent, target.path)) !== undefined) {
    return;
  }
  const moved = { ...file, name, folder, path: target.path };
  const isUsed = (await stylesWith(transaction, parentOf(file), file.path, 1)).length > 0;
  if (isUsed) {
    await transaction.insert(styleFileKind, moved);
  } else {
    await transaction.update(styleFileKind, moved);
  }
}

/**
 * Moves a content to another folder, with the images it draws. Those that the new folder has already win, and the
 * client is told of them.
 */
export async function moveFiles(
  transaction: CatalogTransaction,
  { style, images }: Pick<StyleView, 'style' | 'images'>,
  file: StyleFile,
  target: FilePlace,
): Promise<readonly string[]> {
  // Who names another file means that one; who moves the style with its file means the content it has.
  if (target.path === file.path) {
    await makeRoom(transaction, style, target);
  }
  await moveFile(transaction, file, target);
  const folder = folderOf(target.parent);
  const others: string[] = [];
  for (const image of images) {
    const present = await findFile(transaction, target.parent, image.path);
    if (present === undefined) {
      await transaction.insert(styleFileKind, { ...image, name: fileName(folder, image.path), folder });
    } else if (present.content !== image.content) {
      others.push(`There is another image '${image.path}' where the style is now, which it draws instead of its own.`);
    }
  }
  if (file.written !== null) {
    await removeUnusedImages(transaction, parentOf(file), file.written);
  }
  return limitedWarnings(others, 'images are others where the style is now');
}

/** Takes what an earlier style has left behind out of the way, but never the content of one that is there. */
export async function makeRoom(
  transaction: CatalogTransaction,
  moving: Pick<Style, 'id'>,
  { parent, path }: FilePlace,
): Promise<void> {
  const left = await findFile(transaction, parent, path);
  if (left === undefined) {
    return;
  }
  // The entry of the one that moves is there already.
  const holder = (await stylesWith(transaction, parent, path, 2)).find(({ id }) => id !== moving.id);
  if (holder !== undefined) {
    const advice = 'Give the style that moves another filename first';
    throw problem('style-file-exists', { filename: path, style: holder.name, advice });
  }
  await transaction.removeDeep(left.id);
  await removeUnusedImages(transaction, parent, left.written ?? { packaged: [], graphics: [] });
}

function parentOf({ folder }: StyleFile): string | null {
  return folder === '' ? null : folder;
}
