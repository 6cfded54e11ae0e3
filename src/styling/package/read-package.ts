/** Finds the style and its images among the files of a ZIP package, and leaves everything else behind. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path/posix';
import { type ArchiveLimits, type UnpackedFile, unpackArchive } from '../../gates/archive-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { enumerate } from '../../lib/text/wording.ts';
import { checkImage, isImageName } from './check-image.ts';

export interface PackagedImage {
  /** Where it lies, as the SLD sees it: `icons/tree.svg`. */
  readonly name: string;
  /** Where it is now: unpacked, in the staging folder. */
  readonly path: string;
}

export interface StylePackage {
  readonly style: {
    /** The name of its file: `roads.sld`. */
    readonly name: string;
    /** As they came; read them with `readContent(bytes, { language: 'sld', subject })`. */
    readonly bytes: Uint8Array;
  };
  /** In the order of their names. */
  readonly images: readonly PackagedImage[];
  /** The names of files that are neither and are not kept; shadows that systems leave behind are not among them. */
  readonly ignored: readonly string[];
  /** A sentence for each image that is not drawn. */
  readonly warnings: readonly string[];
}

/** A package is a drawing of a map, not its data: a hundred symbols are many, and a megabyte is a large one. */
const packageLimits = { maxEntries: 2_000, maxEntryBytes: 20_971_520, maxTotalBytes: 104_857_600 } as const;

/** Throws `style-package-image` for what is no image. Returns a sentence for one that is not drawn. */
export type CheckImage = (name: string, bytes: Uint8Array) => Promise<string | undefined>;

/** Unpacks a spooled archive into a new folder through the archive gate, and reads what is in it. */
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

/** Throws `style-package-content` unless there is exactly one SLD, `style-package-image` for what is no image. */
export async function readPackage(unpacked: readonly UnpackedFile[], check: CheckImage): Promise<StylePackage> {
  const files = unpacked.filter(({ name }) => !isShadow(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const style = getOnlySld(files);
  const folder = dirname(style.name) === '.' ? '' : `${dirname(style.name)}/`;

  const images: PackagedImage[] = [];
  const ignored: string[] = [];
  const warnings: string[] = [];
  for (const { name, path } of files) {
    if (name === style.name) continue;
    // What does not lie at or below the SLD cannot be named by it.
    if (!name.startsWith(folder) || isHidden(name) || !isImageName(name)) {
      ignored.push(name);
      continue;
    }
    const warning = await check(name, await readFile(path));
    if (warning !== undefined) warnings.push(warning);
    images.push({ name: name.slice(folder.length), path });
  }
  return { style: { name: basename(style.name), bytes: await readFile(style.path) }, images, ignored, warnings };
}

function getOnlySld(files: readonly UnpackedFile[]): UnpackedFile {
  const slds = files.filter(({ name }) => /\.sld$/i.test(name) && !isHidden(name));
  const [first] = slds;
  if (first === undefined)
    throw problem('style-package-content', { found: `this one has none: ${formatContents(files)}` });
  if (slds.length > 1) {
    throw problem('style-package-content', { found: `this one has ${slds.length}: ${formatFileNames(slds)}` });
  }
  return first;
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

/** What systems put into archives and folders without being asked. */
function isShadow(name: string): boolean {
  return name.split('/').includes('__MACOSX') || /^(?:\._.*|\.ds_store|thumbs\.db|desktop\.ini)$/i.test(basename(name));
}

/** Nobody means to put such a file into the folder of styles, where nobody would see it. */
function isHidden(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.'));
}
