/** A style with everything that its representations show, and how it is found. */

import { problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { isFontName } from '../../styling/fonts/font-file.ts';
import {
  ANY_IMAGE,
  formatFolder,
  formatStyleFileKey,
  listImagePaths,
  type Style,
  type StyleFile,
  styleFileKind,
  styleKind,
  type WrittenFormat,
} from '../kinds/style.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';

/** A limit above the number of files in any style folder. */
const EVERY_FILE = 1_000_000;

/** The location of a style: in one workspace, or among the global ones. */
export interface StyleLocator {
  readonly workspace?: string;
  readonly name: string;
}

export interface StyleView {
  readonly style: Style;
  /** Null for a global style. */
  readonly workspace: Workspace | null;
  /** Its content; null if none exists yet. */
  readonly file: StyleFile | null;
  /** The existing images that it draws. */
  readonly images: readonly StyleFile[];
  /** The common version of all parts; of all images of its folder if those that it draws depend on the data. */
  readonly version: number;
  /** The number of images in the version: a deletion does not always change the version. */
  readonly imageCount: number;
  /** The time of the last change of the entry or its content; undefined if it never changed. */
  readonly modifiedAtMs: number | undefined;
}

/** A style in a listing. */
export interface ListedStyle {
  readonly name: string;
  /** Null for a global style. */
  readonly workspace: string | null;
  readonly details?: StyleDetails;
}

/** What a gallery of styles shows. */
export interface StyleDetails {
  readonly format: WrittenFormat['language'];
  readonly isBuiltIn: boolean;
  /** The first layers that use the style and that the caller can see, with their workspaces. */
  readonly layers: readonly string[];
}

/** Lists the styles of a workspace, or the global ones. */
export async function listStyles(
  catalog: CatalogReader,
  workspaceName: string | undefined,
  page: Page = {},
): Promise<readonly ListedStyle[]> {
  const workspace = workspaceName === undefined ? null : await findWorkspace(catalog, workspaceName);
  const names = await catalog.listNames(styleKind, workspace?.id ?? null, page);
  return names.map((name) => ({ name, workspace: workspace?.name ?? null }));
}

export async function findStyle(catalog: CatalogReader, place: StyleLocator): Promise<StyleView> {
  const workspace = await findStyleWorkspace(catalog, place);
  const style = await catalog.find(styleKind, workspace?.id ?? null, place.name);
  if (style === undefined) {
    throw createUnknownStyleProblem(place.name, workspace);
  }
  return buildStyleView(catalog, style, workspace);
}

export async function findStyleWorkspace(
  catalog: CatalogReader,
  { workspace }: Pick<StyleLocator, 'workspace'>,
): Promise<Workspace | null> {
  return workspace === undefined ? null : findWorkspace(catalog, workspace);
}

export async function styleExists(catalog: CatalogReader, place: StyleLocator): Promise<boolean> {
  const workspace = await findStyleWorkspace(catalog, place).catch(() => undefined);
  return workspace !== undefined && (await catalog.find(styleKind, workspace?.id ?? null, place.name)) !== undefined;
}

export async function buildStyleView(
  catalog: CatalogReader,
  style: Style,
  workspace: Workspace | null,
): Promise<StyleView> {
  const file = (await findStyleFile(catalog, style.parent, style.filename)) ?? null;
  const images = file === null ? [] : await listImages(catalog, file);
  const isAny = file?.written?.graphics.includes(ANY_IMAGE) ?? false;
  const drawable = isAny ? await listFolderImages(catalog, formatFolder(style.parent)) : images;
  const versions = [style, file, workspace, ...drawable].map((each) => each?.version ?? 0);
  const modifiedAtMs = Math.max(style.modifiedAtMs, file?.modifiedAtMs ?? 0);
  return {
    style,
    workspace,
    file,
    images,
    version: versions.reduce((newest, each) => Math.max(newest, each)),
    imageCount: drawable.length,
    modifiedAtMs: modifiedAtMs > style.createdAtMs ? modifiedAtMs : undefined,
  };
}

/** Finds a file by its path in the folder of a workspace (by id), or in the global one. */
export function findStyleFile(
  catalog: CatalogReader,
  parent: string | null,
  path: string,
): Promise<StyleFile | undefined> {
  return catalog.find(styleFileKind, null, formatStyleFileKey(formatFolder(parent), path));
}

/** Lists the first styles whose content is this file. */
export function listStylesByFile(
  catalog: CatalogReader,
  parent: string | null,
  path: string,
  limit: number,
): Promise<readonly Style[]> {
  return catalog.findByKey(styleKind, 'file', formatStyleFileKey(formatFolder(parent), path), limit);
}

export function createUnknownStyleProblem(name: string, workspace: Workspace | null) {
  return workspace === null
    ? problem('style-unknown', { name: formatPrintableName(name), workspace: null })
    : problem('style-unknown', { name: formatPrintableName(name), workspace: workspace.name });
}

async function listFolderImages(catalog: CatalogReader, folder: string): Promise<readonly StyleFile[]> {
  const files = await catalog.findByKey(styleFileKind, 'folder', folder, EVERY_FILE);
  return files.filter(({ path, written }) => written === null && !isFontName(path));
}

async function listImages(catalog: CatalogReader, { folder, written }: StyleFile): Promise<readonly StyleFile[]> {
  const paths = written === null ? [] : [...listImagePaths(written)].filter((path) => path !== ANY_IMAGE);
  const found = await Promise.all(
    paths.map((path) => catalog.find(styleFileKind, null, formatStyleFileKey(folder, path))),
  );
  // A style may refer to the content of another style as an image, which it is not.
  return found.filter((file) => file !== undefined).filter((file) => file.written === null);
}
