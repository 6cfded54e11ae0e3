/** Moves the files of a style when its entry gets another file name or folder. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import { formatFolder, formatStyleFileKey, type Style, type StyleFile, styleFileKind } from '../kinds/style.ts';
import { findStyleFile, listStylesByFile, type StyleView } from './style-view.ts';
import { limitWarnings, removeUnusedImages, type StyleFileLocator } from './write-content.ts';

/**
 * Renames a content; must be called after the entry was changed. An existing target file stays and becomes the content,
 * as for a new entry. A source file that other styles use stays too.
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
 * Moves a content and its images to another folder. Existing images of the new folder win; returns warnings about them.
 */
export async function moveFiles(
  transaction: CatalogTransaction,
  { style, images }: Pick<StyleView, 'style' | 'images'>,
  file: StyleFile,
  target: StyleFileLocator,
): Promise<readonly string[]> {
  // A new file name selects an existing file of that name; an unchanged one moves the current content.
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
      others.push(
        `The image '${image.path}' already exists in the new location with other content. The style now draws that image.`,
      );
    }
  }
  if (file.written !== null) {
    await removeUnusedImages(transaction, getParentId(file), file.written);
  }
  return limitWarnings(
    others,
    (count) =>
      `${count} more ${count === 1 ? 'image already exists' : 'images already exist'} in the new location with other content.`,
  );
}

/** Deletes the leftover file of a deleted style; throws if an existing style uses it. */
export async function moveAsideUnusedFile(
  transaction: CatalogTransaction,
  moving: Pick<Style, 'id'>,
  { parent, path }: StyleFileLocator,
): Promise<void> {
  const left = await findStyleFile(transaction, parent, path);
  if (left === undefined) {
    return;
  }
  // The entry of the moving style is already at the target.
  const holder = (await listStylesByFile(transaction, parent, path, 2)).find(({ id }) => id !== moving.id);
  if (holder !== undefined) {
    const advice = 'Change the filename of the moving style first';
    throw problem('style-file-exists', { filename: path, style: holder.name, advice });
  }
  await transaction.removeDeep(left.id);
  await removeUnusedImages(transaction, parent, left.written ?? { packaged: [], graphics: [] });
}

function getParentId({ folder }: StyleFile): string | null {
  return folder === '' ? null : folder;
}
