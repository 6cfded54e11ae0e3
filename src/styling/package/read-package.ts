/** Finds the style, its images and its sprite sheets in a ZIP package, and ignores other files. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path/posix';
import { type ArchiveLimits, type UnpackedFile, unpackArchive } from '../../gates/archive-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { enumerate } from '../../lib/text/wording.ts';
import { parseSpriteIndex } from '../graphics/sprite-sheet.ts';
import { checkImage, isImageName } from './check-image.ts';

export interface PackagedImage {
  /** The path relative to the SLD: `icons/tree.svg`. */
  readonly name: string;
  /** The unpacked file in the staging folder. */
  readonly path: string;
}

export interface StylePackage {
  readonly style: {
    /** The file name: `roads.sld`. */
    readonly name: string;
    readonly language: 'sld' | 'mbstyle';
    /** The original bytes; read them with `readContent(bytes, { language, subject })`. */
    readonly bytes: Uint8Array;
  };
  /** Images and lists of icons in them, sorted by name. */
  readonly images: readonly PackagedImage[];
  /** The names of other files, which are not stored, without system files. */
  readonly ignored: readonly string[];
  /** A sentence for each image that is not drawn. */
  readonly warnings: readonly string[];
}

/** A package contains symbols, not data: a hundred symbols are many, and a megabyte is large for one. */
const packageLimits = { maxEntries: 2_000, maxEntryBytes: 20_971_520, maxTotalBytes: 104_857_600 } as const;

/** Throws `style-package-image` for a file that is not an image. Returns a warning for an image that is not drawn. */
export type CheckImage = (name: string, bytes: Uint8Array) => Promise<string | undefined>;

/** Unpacks a spooled archive into a new folder through the archive gate, and reads its content. */
export async function unpackPackage(
  archive: string,
  folder: string,
  options: {
    readonly limits: ArchiveLimits;
    readonly checkImage?: CheckImage;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<StylePackage> {
  const limits: ArchiveLimits = {
    ...options.limits,
    maxEntries: Math.min(options.limits.maxEntries, packageLimits.maxEntries),
    maxEntryBytes: Math.min(options.limits.maxEntryBytes, packageLimits.maxEntryBytes),
    maxTotalBytes: Math.min(options.limits.maxTotalBytes, packageLimits.maxTotalBytes),
  };
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  return readPackage(
    await unpackArchive(archive, folder, { limits, ...signal }),
    options.checkImage ?? (async (name, bytes) => checkImage(name, bytes)),
  );
}

/** Throws `style-package-content` unless there is exactly one style, and `style-package-image` for invalid images. */
export async function readPackage(unpacked: readonly UnpackedFile[], check: CheckImage): Promise<StylePackage> {
  const files = unpacked.filter(({ name }) => !isShadow(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const indexes = await listSpriteIndexes(files);
  const { style, language } = getOnlyStyle(files, indexes);
  const folder = dirname(style.name) === '.' ? '' : `${dirname(style.name)}/`;

  const images: PackagedImage[] = [];
  const ignored: string[] = [];
  const warnings: string[] = [];
  for (const { name, path } of files) {
    if (name === style.name) continue;
    // Graphics outside of the folder of the style cannot be referenced.
    if (!name.startsWith(folder) || isHidden(name) || !(isImageName(name) || indexes.has(name))) {
      ignored.push(name);
      continue;
    }
    const warning = indexes.has(name) ? undefined : await check(name, await readFile(path));
    if (warning !== undefined) warnings.push(warning);
    images.push({ name: name.slice(folder.length), path });
  }
  const bytes = await readFile(style.path);
  return { style: { name: basename(style.name), language, bytes }, images, ignored, warnings };
}

/** Returns the names of the lists of icons in sprite sheets, which are JSON like MapLibre styles. */
async function listSpriteIndexes(files: readonly UnpackedFile[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { name, path } of files)
    if (isJson(name) && parseSpriteIndex(await readFile(path)) !== undefined) names.add(name);
  return names;
}

/** A package with an SLD may contain other JSON, which is ignored. */
function getOnlyStyle(
  files: readonly UnpackedFile[],
  indexes: ReadonlySet<string>,
): { readonly style: UnpackedFile; readonly language: 'sld' | 'mbstyle' } {
  const visible = files.filter(({ name }) => !isHidden(name));
  const slds = visible.filter(({ name }) => /\.sld$/i.test(name));
  const styles = slds.length > 0 ? slds : visible.filter(({ name }) => isJson(name) && !indexes.has(name));
  const [first] = styles;
  if (first === undefined)
    throw problem('style-package-content', { found: `this one has none: ${formatContents(files)}` });
  if (styles.length > 1) {
    throw problem('style-package-content', { found: `this one has ${styles.length}: ${formatFileNames(styles)}` });
  }
  return { style: first, language: slds.length > 0 ? 'sld' : 'mbstyle' };
}

function isJson(name: string): boolean {
  return /\.json$/i.test(name);
}

function formatContents(files: readonly UnpackedFile[]): string {
  const sheets = files.filter(({ name }) => /\.css$/i.test(name));
  if (sheets.length > 0) return `it contains CSS (${formatFileNames(sheets)}), which is sent without a package`;
  return files.length === 0 ? 'it contains no files' : `it contains ${formatFileNames(files)}`;
}

function formatFileNames(files: readonly UnpackedFile[]): string {
  const names = files.map(({ name }) => `'${toPrintableFileName(name)}'`);
  return enumerate(names, names.length);
}

/** Files that operating systems add to archives and folders. */
function isShadow(name: string): boolean {
  return name.split('/').includes('__MACOSX') || /^(?:\._.*|\.ds_store|thumbs\.db|desktop\.ini)$/i.test(basename(name));
}

/** Hidden files in the styles folder would be invisible to users, and are never intended. */
function isHidden(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.'));
}
