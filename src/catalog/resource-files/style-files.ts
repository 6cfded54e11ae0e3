/** The files of styles by path: style contents and images. */

import { createFileFromBytes } from '../../lib/files/readable-file.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { findFileNameFault, toFileNameKey, toPrintableFileName } from '../../lib/text/file-name.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { MAX_PALETTE_BYTES, paletteExtensions, readPalette } from '../../rendering/output/palette-file.ts';
import { findStyleLanguage, parseCharset, type StyleLanguage } from '../../styling/content/style-format.ts';
import { FONT_EXTENSIONS, isFontName } from '../../styling/fonts/font-file.ts';
import { parseSpriteIndex } from '../../styling/graphics/sprite-sheet.ts';
import { isImageName } from '../../styling/package/check-image.ts';
import {
  EVERY_FONT,
  formatFolder,
  isPalettePath,
  PALETTE_FOLDER,
  type StyleFile,
  styleFileKind,
  styleKind,
} from '../kinds/style.ts';
import { buildContent, type SentContent } from '../styles/sent-content.ts';
import type { StoredStyleContent } from '../styles/store-content.ts';
import type { StyleServices } from '../styles/style-services.ts';
import { findStyleFile, listStylesByFile } from '../styles/style-view.ts';
import { collectStyleWarnings } from '../styles/style-warnings.ts';
import { checkStyledLayers, type StyledLayerOptions } from '../styles/styled-layers.ts';
import { MAX_FONT_BYTES, MAX_FONTS, MAX_TOTAL_FONT_BYTES } from '../styles/uploaded-fonts.ts';
import { listImageUsers, writeContent, writeStyleFile } from '../styles/write-content.ts';
import {
  createUnknownResourceProblem,
  formatResourcePath,
  type ResourceChild,
  type ResourceEntry,
  type ResourcePath,
  type ResourceTarget,
} from './resource.ts';

type StyleFileTarget = Extract<ResourceTarget, { kind: 'styles' }>;

/** A file that a client sends, or another file to copy. */
export interface SentFile {
  readonly contentType: string;
  bytes(maxBytes: number): Promise<Uint8Array>;
}

/** The same limit as in a package; a symbol of a megabyte is already large. */
const MAX_IMAGE_BYTES = 20_971_520;

/** A limit above the number of files in any style folder. */
const EVERY_FILE = 1_000_000;

/** The number of styles that the error lists. */
const MAX_LISTED_STYLES = 3;

export async function findStyleResource(
  catalog: CatalogReader,
  services: Pick<StyleServices, 'contents'>,
  place: StyleFileTarget,
): Promise<ResourceEntry | undefined> {
  const parent = await resolveParentId(catalog, place);
  const file = place.path === '' ? undefined : await findStyleFile(catalog, parent, place.path);
  if (file !== undefined) {
    const { content, sizeBytes, modifiedAtMs, version } = file;
    const facts = { sizeBytes, modifiedAtMs, version };
    const openContent = async () => ({ ...facts, file: createFileFromBytes(await services.contents.read(content)) });
    return { kind: 'file', ...facts, open: openContent };
  }
  const prefix = place.path === '' ? '' : `${place.path}/`;
  const all = await catalog.findByKey(styleFileKind, 'folder', formatFolder(parent), EVERY_FILE);
  const inside = all.filter(({ path }) => path.startsWith(prefix));
  if (inside.length === 0 && prefix !== '' && place.path !== PALETTE_FOLDER) {
    return undefined;
  }
  const modifiedAtMs = inside.reduce((latest, each) => Math.max(latest, each.modifiedAtMs), 0);
  const children = listChildren(inside.map(({ path }) => path.slice(prefix.length)));
  return { kind: 'folder', children, ...(modifiedAtMs === 0 ? {} : { modifiedAtMs }) };
}

/** Lists the direct files and folders of a folder, from the paths of all files below it. */
export function listChildren(paths: readonly string[]): readonly ResourceChild[] {
  const children = new Map<string, ResourceChild>();
  for (const path of paths) {
    const [name = '', ...rest] = path.split('/');
    children.set(name, { name, kind: rest.length > 0 ? 'folder' : 'file' });
  }
  return [...children.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

export interface StyleFileWrite {
  readonly place: StyleFileTarget;
  readonly body: SentFile;
  readonly precondition: Precondition;
  readonly strict: boolean;
  /** For contents of styles. */
  readonly layers?: StyledLayerOptions;
  /** The source of a move, which is deleted in the same change. */
  readonly instead?: StyleFileTarget;
}

/** Stores an image or a style content under its path; styles that use the file follow. */
export async function putStyleFile(
  catalog: Catalog,
  services: StyleServices,
  principal: Principal,
  { place, body, precondition, strict, layers, instead }: StyleFileWrite,
): Promise<{ readonly isNew: boolean; readonly warnings: readonly string[] }> {
  checkStylePath(place);
  const parent = await resolveParentId(catalog, place);
  const current = await findStyleFile(catalog, parent, place.path);
  // Check before the body is read, so that a rejected client gets the error early.
  checkPrecondition(precondition, current?.version);
  const {
    content,
    bytes,
    unpackedBytes = bytes.length,
    warnings = [],
  } = await readFileContent(services, body, {
    strict,
    place,
  });
  if (content === null && current !== undefined && current.written !== null) {
    const reason = 'it is the content of a style, and the sent file is not a style';
    throw problem('resource-kind', { path: formatPath(place), reason });
  }
  const contentWarnings =
    content === null || layers === undefined
      ? warnings
      : [
          ...(await checkStyledLayers(catalog, place.workspace ?? undefined, content, layers)),
          ...(await collectStyleWarnings(catalog, services.urlGate, { style: { parent } }, content)),
        ];
  return services.files.runFileOperation(async (keeper) => {
    const kept = { content: await keeper.storeBytes(bytes), sizeBytes: bytes.length, unpackedBytes };
    const what = `${instead === undefined ? 'write' : 'move'} file ${formatPath(place)}`;
    return catalog.change(principal, what, async (transaction) => {
      const home = await resolveParentId(transaction, place);
      const before = await findStyleFile(transaction, home, place.path);
      checkPrecondition(precondition, before?.version);
      const target = { parent: home, path: place.path };
      const replaced = content === null ? [] : await writeStyleContent(transaction, target, { ...content, ...kept });
      if (home === null && isFontName(place.path)) await checkFontLimits(transaction, place, unpackedBytes);
      if (content === null) {
        await writeStyleFile(transaction, target, kept, null);
      }
      if (instead !== undefined) {
        await removeStyleFile(transaction, instead, {});
      }
      return { isNew: before === undefined, warnings: [...replaced, ...contentWarnings] };
    });
  });
}

async function checkFontLimits(
  transaction: CatalogTransaction,
  place: StyleFileTarget,
  unpackedBytes: number,
): Promise<void> {
  const fonts = await transaction.findByKey(styleFileKind, 'font', EVERY_FONT, MAX_FONTS + 1);
  const others = fonts.filter(({ path }) => path !== place.path);
  const path = formatPath(place);
  if (others.length >= MAX_FONTS) {
    throw problem('resource-kind', { path, reason: `the server has ${MAX_FONTS} fonts already. Delete one first` });
  }
  const total = others.reduce((sum, each) => sum + (each.unpackedBytes ?? each.sizeBytes), unpackedBytes);
  if (total > MAX_TOTAL_FONT_BYTES) {
    const reason = `all fonts together would have ${total} bytes in memory, and the limit is ${MAX_TOTAL_FONT_BYTES}. Delete a font first`;
    throw problem('resource-kind', { path, reason });
  }
}

export function deleteStyleFile(
  catalog: Catalog,
  principal: Principal,
  place: StyleFileTarget,
  precondition: Precondition,
): Promise<void> {
  return catalog.change(principal, `delete file ${formatPath(place)}`, (transaction) =>
    removeStyleFile(transaction, place, precondition),
  );
}

async function removeStyleFile(
  transaction: CatalogTransaction,
  place: StyleFileTarget,
  precondition: Precondition,
): Promise<void> {
  const parent = await resolveParentId(transaction, place);
  const file = await findStyleFile(transaction, parent, place.path);
  checkPrecondition(precondition, file?.version);
  if (file === undefined) {
    throw createUnknownResourceProblem(toSegments(place));
  }
  const styles = await listStylesUsing(transaction, parent, file);
  if (styles.length > 0) {
    throw problem('resource-in-use', { path: formatPath(place), styles });
  }
  await transaction.removeDeep(file.id);
}

/** Lists the styles that have the file as their content, or that draw it. */
async function listStylesUsing(
  catalog: CatalogReader,
  parent: string | null,
  file: StyleFile,
): Promise<readonly string[]> {
  const own = await listStylesByFile(catalog, parent, file.path, MAX_LISTED_STYLES);
  const drawing = file.written === null ? await listImageUsers(catalog, parent, file.path, MAX_LISTED_STYLES) : [];
  const others = await Promise.all(
    drawing.map(({ path }) => listStylesByFile(catalog, parent, path, MAX_LISTED_STYLES)),
  );
  return [...new Set([...own, ...others.flat()].map(({ name }) => name))].slice(0, MAX_LISTED_STYLES);
}

async function writeStyleContent(
  transaction: CatalogTransaction,
  target: { readonly parent: string | null; readonly path: string },
  kept: Omit<StoredStyleContent, 'images'>,
): Promise<readonly string[]> {
  const { language, version } = kept.format;
  for (const style of await listStylesByFile(transaction, target.parent, target.path, EVERY_FILE)) {
    await transaction.update(styleKind, { ...style, format: { language, version } });
  }
  return writeContent(transaction, target, { ...kept, images: undefined });
}

async function readImage(
  { work }: StyleServices,
  place: StyleFileTarget,
  body: SentFile,
): Promise<{ readonly bytes: Uint8Array; readonly unpackedBytes?: number; readonly warnings?: readonly string[] }> {
  if (isPalette(place)) return readPaletteFile(place, await body.bytes(MAX_PALETTE_BYTES));
  const bytes = await body.bytes(isFontName(place.path) ? MAX_FONT_BYTES : MAX_IMAGE_BYTES);
  const warning = await checkSentImage(work, toSegments(place), bytes);
  const warnings = warning === undefined ? [] : [warning];
  if (!isFontName(place.path)) return { bytes, warnings };
  const { unpackedBytes } = await work.describeFont(place.path, bytes);
  return { bytes, unpackedBytes, warnings };
}

/** Throws `resource-kind` for an invalid or active image or font. Returns a warning for an image that is not drawn. */
export async function checkSentImage(
  work: StyleServices['work'],
  path: ResourcePath,
  bytes: Uint8Array,
): Promise<string | undefined> {
  try {
    return await work.checkImage(path.at(-1) ?? '', bytes);
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-package-image') {
      throw problem('resource-kind', { path: formatResourcePath(path), reason: String(error.details['reason']) });
    }
    throw error;
  }
}

function isPalette({ workspace, path }: StyleFileTarget): boolean {
  return workspace === null && isPalettePath(path);
}

function readPaletteFile(place: StyleFileTarget, bytes: Uint8Array): { readonly bytes: Uint8Array } {
  if (readPalette(place.path, bytes) !== undefined) return { bytes };
  const reason = `it is not a palette of 1 to 256 colours (${paletteExtensions.join(', ')})`;
  throw problem('resource-kind', { path: formatPath(place), reason, action: 'stored as a palette' });
}

/** Returns null for the content of a file that is not a style. */
async function readFileContent(
  services: StyleServices,
  body: SentFile,
  { strict, place }: { readonly strict: boolean; readonly place: StyleFileTarget },
): Promise<{
  readonly content: SentContent | null;
  readonly bytes: Uint8Array;
  readonly unpackedBytes?: number;
  readonly warnings?: readonly string[];
}> {
  const language = findLanguage(place.path);
  if (language === undefined) return { content: null, ...(await readImage(services, place, body)) };
  const bytes = await body.bytes(services.maxContentBytes);
  if (language === 'mbstyle' && parseSpriteIndex(bytes) !== undefined) return { content: null, bytes };
  if (place.path.includes('/')) {
    const reason = 'styles must be directly in the folder, and this file is not a list of icons in a sprite sheet';
    throw problem('resource-kind', { path: formatPath(place), reason });
  }
  const charset = parseCharset(body.contentType);
  return { content: await describeStyleContent(services, bytes, { language, strict, place, charset }), bytes };
}

async function describeStyleContent(
  { work }: StyleServices,
  bytes: Uint8Array,
  {
    language,
    strict,
    place,
    charset,
  }: {
    readonly language: StyleLanguage;
    readonly strict: boolean;
    readonly place: StyleFileTarget;
    readonly charset: string | undefined;
  },
): Promise<SentContent> {
  const subject = `The file '${formatPath(place)}'`;
  const expected = { language, subject, strict, ...(charset === undefined ? {} : { charset }) };
  return { ...buildContent(bytes, await work.describe({ bytes, expected })), images: undefined, ignored: [] };
}

function findLanguage(path: string): StyleLanguage | undefined {
  return findStyleLanguage(toFileNameKey(path));
}

function checkStylePath(place: StyleFileTarget): void {
  const names = place.path.split('/');
  for (const name of names) {
    const reason = findFileNameFault(name) ?? (name.startsWith('.') ? 'it begins with a dot' : undefined);
    if (reason !== undefined) {
      throw problem('file-name-illegal', { name: toPrintableFileName(name), reason });
    }
  }
  const language = findLanguage(place.path);
  const isStyle = language !== undefined;
  // The content decides about palettes.
  if (isPalette(place) && !isStyle) return;
  // The content decides whether JSON is a style, or a list of icons in a sprite sheet.
  if (isStyle && language !== 'mbstyle' && names.length > 1) {
    throw problem('resource-kind', {
      path: formatPath(place),
      reason: 'styles must be directly in the folder, not in a subfolder',
    });
  }
  if (isFontName(place.path)) {
    if (place.workspace === null) return;
    throw problem('resource-kind', { path: formatPath(place), reason: 'fonts belong to the global folder styles' });
  }
  if (!isStyle && !isImageName(place.path)) {
    const reason = `its extension is neither that of a style (.sld, .css, .json, .yaml, .ysld), nor that of an image (.svg, .png, .jpg, .gif, .bmp), nor that of a font (${FONT_EXTENSIONS})`;
    throw problem('resource-kind', { path: formatPath(place), reason });
  }
}

/** Returns the id of the workspace. */
async function resolveParentId(catalog: CatalogReader, place: StyleFileTarget): Promise<string | null> {
  if (place.workspace === null) {
    return null;
  }
  const workspace = await catalog.find(workspaceKind, null, place.workspace);
  if (workspace === undefined) {
    throw createUnknownResourceProblem(toSegments(place));
  }
  return workspace.id;
}

/** Returns the path that clients use. */
function toSegments({ workspace, path }: StyleFileTarget): readonly string[] {
  if (workspace === null && isPalettePath(path)) return path.split('/');
  return [...(workspace === null ? [] : ['workspaces', workspace]), 'styles', ...(path === '' ? [] : [path])];
}

function formatPath(place: StyleFileTarget): string {
  return formatResourcePath(toSegments(place));
}
