/** A style: an entry with a name, and a file in the same folder with its content. */

import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { StyleLanguage } from '../../styling/content/style-format.ts';
import { isFontName } from '../../styling/fonts/font-file.ts';
import { listUnverifiedKeys, type Unverified } from './unverified.ts';

/** The language and version of a style, as stored. */
export interface WrittenFormat {
  readonly language: StyleLanguage;
  readonly version: '1.0.0' | '1.1.0';
}

/** A legend image; stored for clients and never opened. */
export interface LegendPicture {
  readonly width: number | null;
  readonly height: number | null;
  readonly format: string | null;
  readonly onlineResource: string | null;
}

/** Its parent is its workspace; a global style has none. */
export interface Style extends RecordBase {
  readonly kind: 'style';
  /** The file with its content. It may be missing, and several styles can share it. */
  readonly filename: string;
  /** The format of the future content; once content exists, the content determines the format. */
  readonly format: WrittenFormat;
  readonly legend: LegendPicture | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Set for content that is stored although it is invalid: it is drawn as the generic style. */
  readonly unverified?: Unverified;
}

export const styleKind: LinkedKind<Style> = createLinkedKind(
  {
    kind: 'style',
    keys: {
      file: ({ parent, filename }) => [formatStyleFileKey(formatFolder(parent), filename)],
      unverified: listUnverifiedKeys,
    },
    secrets: {},
  },
  { livesIn: [workspaceKind.kind], references: [] },
);

/**
 * A file in the folder of a workspace or in the global folder: the content of styles, or an image. It outlives the
 * styles that refer to it, unless they are purged.
 */
export interface StyleFile extends RecordBase {
  readonly kind: 'styleFile';
  /** The id of the workspace; empty for the global folder. */
  readonly folder: string;
  /** Its path in the folder: `roads.sld`, `icons/tree.svg`. */
  readonly path: string;
  /** The hash of its bytes. */
  readonly content: string;
  readonly sizeBytes: number;
  /** The size of a font in memory, if its file is compressed. */
  readonly unpackedBytes?: number;
  /** Null for an image. */
  readonly written: WrittenContent | null;
}

/** Metadata of a content. */
export interface WrittenContent {
  readonly format: WrittenFormat;
  /** The declared charset, for content that does not declare it itself. */
  readonly charset: string | null;
  /** The images from the same package. */
  readonly packaged: readonly string[];
  /**
   * The images in its folder that it refers to, existing or not; `*` if they depend on the data or are unknown, with
   * patterns such as `icons/*.svg` for the known parts of their paths.
   */
  readonly graphics: readonly string[];
}

/** Matches every image of a folder. */
export const ANY_IMAGE = '*';

/** The folder of palettes in the global folder; clients also know it as `palettes`. */
export const PALETTE_FOLDER = 'palettes';

export function isPalettePath(path: string): boolean {
  return path.startsWith(`${PALETTE_FOLDER}/`);
}

/** The key of all fonts in the global folder. */
export const EVERY_FONT = 'font';

export const styleFileKind: LinkedKind<StyleFile> = createLinkedKind(
  {
    kind: 'styleFile',
    keys: {
      content: ({ content }) => [content],
      font: ({ folder, path }) => (folder === '' && isFontName(path) ? [EVERY_FONT] : []),
      uses: ({ folder, written }) =>
        written === null ? [] : [...listImagePaths(written)].map((path) => formatStyleFileKey(folder, path)),
    },
    secrets: {},
    files: ({ content }) => [content],
  },
  {
    livesIn: [],
    // The files are deleted with their workspace and do not block the deletion.
    references: [{ to: workspaceKind.kind, key: 'folder', ids: ({ folder }) => [folder], onDelete: 'cascades' }],
  },
);

/** Lists the images that a content may draw. */
export function listImagePaths({
  packaged,
  graphics,
}: Pick<WrittenContent, 'packaged' | 'graphics'>): ReadonlySet<string> {
  return new Set([...packaged, ...graphics]);
}

/** Returns whether the path of an image has the fixed beginning and end of an address that depends on the data. */
export function matchesImagePattern({ graphics }: Pick<WrittenContent, 'graphics'>, path: string): boolean {
  return graphics.some((pattern) => {
    const [start = '', end] = pattern.split('*');
    if (end === undefined || pattern === ANY_IMAGE) return false;
    return path.length >= start.length + end.length && path.startsWith(start) && path.endsWith(end);
  });
}

/** Returns the folder for the files of styles with this parent. */
export function formatFolder(parent: string | null): string {
  return parent ?? '';
}

/**
 * Returns the record name of a file. These records have no parent, so that files of deleted styles do not block
 * deletions.
 */
export function formatStyleFileKey(folder: string, path: string): string {
  return `${folder}/${path}`;
}

/**
 * The name of a built-in style, which never changes; otherwise the id of the record, so that a rename keeps the
 * reference.
 */
export type StyleReference = string;
