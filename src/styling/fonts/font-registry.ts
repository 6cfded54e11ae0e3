/** The fonts of this thread: those of the program, of folders of the machine, and uploaded ones. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { type Coverage, covers, type DescribedFace, type FontFace, readCoverage, readFontFaces } from './font-file.ts';
import { extractFace, InvalidFont, readFontFile } from './font-tables.ts';
import type { AxisValue, FontInstance } from './font-variation.ts';
import { BOLD_WEIGHT } from './font-weight.ts';

/** A face that the canvas library can draw. */
export interface RegisteredFace extends FontFace {
  /** The family under which the library knows it. */
  readonly cssFamily: string;
  readonly loadCoverage: () => Coverage;
  /** Set for all faces of a collection but the first, the only one that the library reads. */
  readonly separate?: SeparateFace;
}

/** A face of a collection that becomes a font file of its own when text first uses it. */
export interface SeparateFace {
  /** The name of the file among the copies of fonts. */
  readonly copyName: string;
  readonly extract: () => Uint8Array;
}

/** The folders whose fonts are used, in the order of precedence. */
export interface FontFolders {
  readonly folders: readonly string[];
  /** Whether the fonts of the machine are used too. Maps then depend on the machine. */
  readonly hasSystemFonts: boolean;
  /** A folder for copies of uploaded fonts; a temporary folder by default. */
  readonly copies?: string;
}

const FOLDERS_KEY = 'graticule font folders';

/** Sets the folders for the next drawings of this thread, and for all threads that start later. */
export function setFontFolders(folders: FontFolders): void {
  setEnvironmentData(FOLDERS_KEY, { ...folders });
  ownFiles = undefined;
  current = undefined;
}

/** The families of the program. DejaVu is the last resort, because it covers most scripts. */
export const fontFamilies = { sans: 'DejaVu Sans', serif: 'DejaVu Serif', mono: 'DejaVu Sans Mono' } as const;

const { resolve } = createRequire(import.meta.url);

const dejavuFiles = [
  ...['DejaVuSans', 'DejaVuSansMono'].flatMap((name) => ['', '-Bold', '-Oblique', '-BoldOblique'].map((s) => name + s)),
  ...['', '-Bold', '-Italic', '-BoldItalic'].map((style) => `DejaVuSerif${style}`),
].map((name) => `dejavu-fonts-ttf/ttf/${name}.ttf`);

const compatibleFiles = ['Arimo', 'Tinos', 'Cousine', 'Carlito'].flatMap((family) =>
  ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'].map(
    (style) => `@expo-google-fonts/${family.toLowerCase()}/${style}/${family}_${style}.ttf`,
  ),
);

/** Families with the letter widths of fonts that cannot be distributed, by their names in lower case. */
const compatibleFamilies: ReadonlyMap<string, string> = new Map([
  ...['arial', 'arial unicode ms', 'helvetica', 'helvetica neue', 'liberation sans'].map(
    (name) => [name, 'Arimo'] as const,
  ),
  ...['times', 'times new roman', 'liberation serif'].map((name) => [name, 'Tinos'] as const),
  ...['courier', 'courier new', 'liberation mono'].map((name) => [name, 'Cousine'] as const),
  ['calibri', 'Carlito'],
  ...['sansserif', 'sans-serif', 'dialog', 'verdana'].map((name) => [name, fontFamilies.sans] as const),
  ['serif', fontFamilies.serif],
  ...['monospaced', 'monospace'].map((name) => [name, fontFamilies.mono] as const),
]);

const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '/Library/Fonts', join(homedir(), '.fonts')];
const FOLDER_EXTENSIONS: ReadonlySet<string> = new Set(['.ttf', '.otf', '.ttc', '.otc', '.woff', '.woff2']);

/** Directories with more fonts take too long to start a map. */
const MAX_FONT_FILES = 5_000;

/** A style that a name selects: `Arial Bold` is a family and its weight. */
export interface FontMatch {
  readonly family: string;
  /** Undefined if the name is that of a family only. */
  readonly weight?: number;
  readonly widthPercent?: number;
  readonly isItalic: boolean;
  /** The values of other axes of a variable font. */
  readonly axisValues?: readonly AxisValue[];
}

/** The parts of style names for which all bundled families have a face. */
const plainStyles = [
  ['bold', { weight: BOLD_WEIGHT, isItalic: false }],
  ['italic', { isItalic: true }],
  ['bold italic', { weight: BOLD_WEIGHT, isItalic: true }],
] as const;

export class FontRegistry {
  readonly #faces: readonly RegisteredFace[];
  readonly #byName = new Map<string, FontMatch>();
  readonly #coverages = new Map<string, Coverage>();
  readonly #chosen = new Map<number, string>();

  constructor(faces: readonly RegisteredFace[]) {
    this.#faces = faces;
    for (const { family, cssFamily } of faces) this.#addName(family, { family: cssFamily, isItalic: false });
    for (const { fullName, family, style, cssFamily, weight, widthPercent, isItalic } of faces) {
      const match = { family: cssFamily, weight, widthPercent, isItalic };
      this.#addName(fullName, match);
      this.#addName(`${family} ${style}`, match);
    }
    for (const face of faces)
      for (const instance of face.variations?.instances ?? [])
        this.#addName(`${face.family} ${instance.name}`, matchInstance(face, instance));
    for (const [name, family] of compatibleFamilies) {
      this.#addName(name, { family, isItalic: false });
      for (const [style, match] of plainStyles) this.#addName(`${name} ${style}`, { family, ...match });
    }
  }

  /** Earlier fonts take precedence. */
  #addName(name: string, match: FontMatch): void {
    const key = name.toLowerCase();
    if (!this.#byName.has(key)) this.#byName.set(key, match);
  }

  get faces(): readonly RegisteredFace[] {
    return this.#faces;
  }

  /** Lists the faces of a family that are registered when text first uses them. */
  listSeparateFaces(family: string): readonly RegisteredFace[] {
    return this.#faces.filter(({ cssFamily, separate }) => cssFamily === family && separate !== undefined);
  }

  /** Finds a font by its family, or by family and style, or by its full name. */
  find(name: string): FontMatch | undefined {
    return this.#byName.get(name.trim().replace(/\s+/g, ' ').toLowerCase());
  }

  covers(family: string, codePoint: number): boolean {
    const known =
      this.#coverages.get(family) ?? this.#faces.find(({ cssFamily }) => cssFamily === family)?.loadCoverage();
    if (known === undefined) return false;
    this.#coverages.set(family, known);
    return covers(known, codePoint);
  }

  /** Returns the first family with the character; undefined if no font has it. */
  findFallback(codePoint: number): string | undefined {
    const known = this.#chosen.get(codePoint);
    if (known !== undefined) return known === '' ? undefined : known;
    const families = new Set(this.#faces.map(({ cssFamily }) => cssFamily));
    const found = [...families].find((family) => this.covers(family, codePoint));
    this.#chosen.set(codePoint, found ?? '');
    return found;
  }
}

function matchInstance(
  { cssFamily, weight, widthPercent, isItalic }: RegisteredFace,
  { values }: FontInstance,
): FontMatch {
  const findValue = (tag: string): number | undefined => values.find((each) => each.tag === tag)?.value;
  const others = values.filter(({ tag }) => tag !== 'wght' && tag !== 'wdth');
  return {
    family: cssFamily,
    weight: findValue('wght') ?? weight,
    widthPercent: findValue('wdth') ?? widthPercent,
    isItalic,
    ...(others.length > 0 ? { axisValues: others } : {}),
  };
}

let ownFiles: readonly FontFile[] | undefined;
let current: FontRegistry | undefined;

/** Returns the fonts of folders and of the program. They are read once for each thread. */
export function listOwnFonts(): readonly FontFile[] {
  ownFiles ??= listFontFiles();
  return ownFiles;
}

/**
 * Reads the fonts of folders without blocking this thread for long. Call it at the start: the first request would have
 * to wait for them. Without such fonts, those of the program are read on first use.
 */
export async function readFontFolders(): Promise<void> {
  const found: FontFile[] = [];
  const paths = listFolderPaths();
  if (paths.length === 0) return;
  for (const path of [...paths, ...listProgramPaths()]) {
    found.push(...describeFontFile(path));
    await setImmediate();
  }
  ownFiles = found;
  current = undefined;
}

/** Returns the folder for copies of uploaded fonts. */
export function getFontCopies(): string {
  const { copies } = getFontFolders();
  if (copies !== undefined) return copies;
  temporaryCopies ??= mkdtempSync(join(tmpdir(), 'graticule-fonts-'));
  return temporaryCopies;
}

let temporaryCopies: string | undefined;

/** Returns the fonts that the current map can use. */
export function getFontRegistry(): FontRegistry {
  current ??= new FontRegistry([...uploaded, ...listOwnFonts().map(({ face }) => face)]);
  return current;
}

/** A font file that an administrator has uploaded. The arrays are shared by all threads. */
export interface UploadedFont {
  /** The hash of its bytes. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly faces: readonly DescribedFace[];
}

let uploaded: readonly RegisteredFace[] = [];

/** Sets the uploaded fonts that the next drawings can use. They take precedence over fonts of the same name. */
export function setUploadedFaces(faces: readonly RegisteredFace[]): void {
  if (faces.length === uploaded.length && faces.every((face, index) => face.cssFamily === uploaded[index]?.cssFamily))
    return;
  uploaded = faces;
  current = undefined;
}

/** A face of a font file, with the family under which it is registered. */
export interface FontFile {
  readonly path: string;
  readonly face: RegisteredFace;
}

/** Lists the fonts of the folders, then those of the program. Unreadable files are omitted. */
function listFontFiles(): readonly FontFile[] {
  return [...listFolderPaths(), ...listProgramPaths()].flatMap((path) => describeFontFile(path));
}

function listFolderPaths(): readonly string[] {
  const { folders, hasSystemFonts } = getFontFolders();
  return [...folders, ...(hasSystemFonts ? SYSTEM_FOLDERS : [])].flatMap(listFolder);
}

function listProgramPaths(): readonly string[] {
  return [...compatibleFiles, ...dejavuFiles].map((file) => resolve(file));
}

function getFontFolders(): FontFolders {
  const set: unknown = getEnvironmentData(FOLDERS_KEY);
  if (typeof set !== 'object' || set === null || !('folders' in set) || !Array.isArray(set.folders))
    return { folders: [], hasSystemFonts: false };
  return {
    folders: set.folders.map(String),
    hasSystemFonts: 'hasSystemFonts' in set && set.hasSystemFonts === true,
    ...('copies' in set && typeof set.copies === 'string' ? { copies: set.copies } : {}),
  };
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => FOLDER_EXTENSIONS.has(extname(name).toLowerCase()))
      .sort()
      .slice(0, MAX_FONT_FILES)
      .map((name) => join(folder, name));
  } catch {
    // The folder does not exist.
    return [];
  }
}

function describeFontFile(path: string): readonly FontFile[] {
  try {
    return readFontFile(path, readFontFaces).map((face, index) => ({
      path,
      face: {
        ...face,
        cssFamily: face.family,
        loadCoverage: () => readFontFile(path, (bytes) => readCoverage(bytes, index)),
        ...(index === 0 ? {} : { separate: describeSeparateFace(path, index) }),
      },
    }));
  } catch (error) {
    if (error instanceof InvalidFont || (error instanceof Error && 'code' in error)) return [];
    throw error;
  }
}

/** The copies of faces of folders stay; those of uploaded fonts are deleted with them. */
export const FOLDER_PREFIX = 'folder-';

function describeSeparateFace(path: string, index: number): SeparateFace {
  const { size, mtimeMs } = statSync(path);
  const version = createHash('sha256').update(`${path} ${size} ${mtimeMs}`).digest('hex');
  return {
    copyName: `${FOLDER_PREFIX}${version}-${index}`,
    extract: () => readFontFile(path, (bytes) => extractFace(bytes, index)),
  };
}
