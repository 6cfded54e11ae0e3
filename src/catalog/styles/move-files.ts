/** Takes the files of a style along when its entry gets another file name or another folder. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { formatFolder, formatStyleFileKey, type Style, type StyleFile, styleFileKind } from '../kinds/style.ts';
import { findStyleFile, listStylesByFile, type StyleView } from './style-view.ts';
import { limitWarnings, removeUnusedImages, type StyleFileLocator } from './write-content.ts';

/**
 * Gives a content another name, to be called after the style's entry has been changed. A file that is already there
 * stays and becomes the style's content, as for a new entry; one that other styles still use stays where it was, too.
 */
export async function moveFile(
  transaction: CatalogTransaction,
  file: StyleFile,
  target: StyleFileLocator,
): Promise<void> {
  const folder = formatFolder(target.parent);
  const name = formatStyleFileKey(folder, target.path);
  if (name === file.name || (await findStyleFile(transaction, target.parent, target.path)) !== undefined) {
    return;
  }
  const moved = { ...file, name, folder, path: target.path };
  const isUsed = (await listStylesByFile(transaction, getParentId(file), file.path, 1)).length > 0;
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
  target: StyleFileLocator,
): Promise<readonly string[]> {
  // Who names another file means that one; who moves the style with its file means the content it has.
  if (target.path === file.path) {
    await moveAsideUnusedFile(transaction, style, target);
  }
  await moveFile(transaction, file, target);
  const folder = formatFolder(target.parent);
  const others: string[] = [];
  for (const image of images) {
    const present = await findStyleFile(transaction, target.parent, image.path);
    if (present === undefined) {
      await transaction.insert(styleFileKind, { ...image, name: formatStyleFileKey(folder, image.path), folder });
    } else if (present.content !== image.content) {
      others.push(`There is another image '${image.path}' where the style is now, which it draws instead of its own.`);
    }
  }
  if (file.written !== null) {
    await removeUnusedImages(transaction, getParentId(file), file.written);
  }
  return limitWarnings(others, 'images are others where the style is now');
}

/** Takes what an earlier style has left behind out of the way, but never the content of one that is there. */
export async function moveAsideUnusedFile(
  transaction: CatalogTransaction,
  moving: Pick<Style, 'id'>,
  { parent, path }: StyleFileLocator,
): Promise<void> {
  const left = await findStyleFile(transaction, parent, path);
  if (left === undefined) {
    return;
  }
  // The entry of the one that moves is there already.
  const holder = (await listStylesByFile(transaction, parent, path, 2)).find(({ id }) => id !== moving.id);
  if (holder !== undefined) {
    const advice = 'Give the style that moves another filename first';
    throw problem('style-file-exists', { filename: path, style: holder.name, advice });
  }
  await transaction.removeDeep(left.id);
  await removeUnusedImages(transaction, parent, left.written ?? { packaged: [], graphics: [] });
}

function getParentId({ folder }: StyleFile): string | null {
  return folder === '' ? null : folder;
}
