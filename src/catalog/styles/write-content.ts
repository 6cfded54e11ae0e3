/** Writes the content of a style and its images into its folder within a transaction. */
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import {
  ANY_IMAGE,
  formatFolder,
  formatStyleFileKey,
  listImagePaths,
  matchesImagePattern,
  type StyleFile,
  styleFileKind,
  type WrittenContent,
} from '../kinds/style.ts';
import type { StoredBytes, StoredImage, StoredStyleContent } from './store-content.ts';
import { findStyleFile } from './style-view.ts';

/** The number of styles that a warning lists. */
const MAX_LISTED_USERS = 3;

/** A limit above the number of contents in any style folder. */
const EVERY_CONTENT = 1_000_000;

/** Warnings are sent as headers, and clients limit their number. */
const MAX_WARNINGS = 10;

/** A file in the folder of a workspace (by id), or in the global one. */
export interface StyleFileLocator {
  readonly parent: string | null;
  readonly path: string;
}

/** Returns warnings about replaced images that other styles use. */
export async function writeContent(
  transaction: CatalogTransaction,
  place: StyleFileLocator,
  kept: StoredStyleContent,
): Promise<readonly string[]> {
  const replaced: string[] = [];
  for (const image of kept.images ?? []) {
    replaced.push(...(await writeImage(transaction, place, image)));
  }
  const current = await findStyleFile(transaction, place.parent, place.path);
  const written: WrittenContent = {
    format: { language: kept.format.language, version: kept.format.version },
    charset: kept.charset,
    // Sending the document alone keeps the images; sending a package replaces all of them.
    packaged: kept.images?.map(({ path }) => path) ?? current?.written?.packaged ?? [],
    graphics: kept.graphics,
  };
  await writeStyleFile(transaction, place, kept, written);
  if (current?.written != null) {
    await removeUnusedImages(transaction, place.parent, current.written);
  }
  return limitWarnings(replaced, (count) =>
    count === 1
      ? '1 more image replaces an image that is also used elsewhere.'
      : `${count} more images replace images that are also used elsewhere.`,
  );
}

/** Returns the first warnings, and one with the number of further ones. */
export function limitWarnings(warnings: readonly string[], describeRest: (count: number) => string): readonly string[] {
  const more = warnings.length - MAX_WARNINGS;
  return more > 0 ? [...warnings.slice(0, MAX_WARNINGS), describeRest(more)] : warnings;
}

/** Writes a file, replacing one of the same name. */
export async function writeStyleFile(
  transaction: CatalogTransaction,
  { parent, path }: StyleFileLocator,
  { content, sizeBytes, unpackedBytes = sizeBytes }: StoredBytes,
  written: WrittenContent | null,
): Promise<void> {
  const current = await findStyleFile(transaction, parent, path);
  const unpacked = unpackedBytes === sizeBytes ? {} : { unpackedBytes };
  const fields = { folder: formatFolder(parent), path, content, sizeBytes, ...unpacked, written };
  if (current === undefined) {
    await transaction.insert(styleFileKind, { parent: null, name: formatStyleFileKey(fields.folder, path), ...fields });
  } else {
    const { unpackedBytes: _, ...others } = current;
    await transaction.update(styleFileKind, { ...others, ...fields });
  }
}

async function writeImage(
  transaction: CatalogTransaction,
  style: StyleFileLocator,
  image: StoredImage,
): Promise<readonly string[]> {
  const before = await findStyleFile(transaction, style.parent, image.path);
  await writeStyleFile(transaction, { parent: style.parent, path: image.path }, image, null);
  if (before === undefined || before.content === image.content) {
    return [];
  }
  const users = (await listImageUsers(transaction, style.parent, image.path, MAX_LISTED_USERS + 1))
    .filter(({ path }) => path !== style.path)
    .map(({ path }) => path);
  return users.length === 0
    ? []
    : [
        `The image '${image.path}' replaces an image that is also used by ${users.slice(0, MAX_LISTED_USERS).join(', ')}.`,
      ];
}

/**
 * Lists the contents of a folder that draw an image, by its path or by an address that depends on the data and has the
 * same beginning and end.
 */
export async function listImageUsers(
  catalog: CatalogReader,
  parent: string | null,
  path: string,
  limit: number,
): Promise<readonly StyleFile[]> {
  const named = await listContentsNaming(catalog, parent, path, limit);
  const known = new Set(named.map(({ id }) => id));
  const variable = (await listContentsNaming(catalog, parent, ANY_IMAGE, EVERY_CONTENT)).filter(
    ({ id, written }) => !known.has(id) && written !== null && matchesImagePattern(written, path),
  );
  return [...named, ...variable].slice(0, limit);
}

function listContentsNaming(
  catalog: CatalogReader,
  parent: string | null,
  path: string,
  limit: number,
): Promise<readonly StyleFile[]> {
  return catalog.findByKey(styleFileKind, 'uses', formatStyleFileKey(formatFolder(parent), path), limit);
}

/** Deletes and returns the images of a former content that no content of the folder uses any more. */
export async function removeUnusedImages(
  transaction: CatalogTransaction,
  parent: string | null,
  formerly: Pick<WrittenContent, 'packaged' | 'graphics'>,
): Promise<readonly StyleFile[]> {
  // A content whose images depend on the data may use any of them.
  if ((await listContentsNaming(transaction, parent, ANY_IMAGE, 1)).length > 0) {
    return [];
  }
  const removed: StyleFile[] = [];
  for (const path of listImagePaths(formerly)) {
    const image = path === ANY_IMAGE ? undefined : await findStyleFile(transaction, parent, path);
    if (
      image !== undefined &&
      image.written === null &&
      (await listImageUsers(transaction, parent, path, 1)).length === 0
    ) {
      await transaction.removeDeep(image.id);
      removed.push(image);
    }
  }
  return removed;
}
