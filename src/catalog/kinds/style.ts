/** A style as the catalog knows it: an entry with a name, and the file in the same folder that holds its content. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';

/** The language of a style and its version, as records keep it. */
export interface WrittenFormat {
  readonly language: 'sld' | 'css';
  readonly version: '1.0.0' | '1.1.0';
}

/** A picture that stands for the style, drawn elsewhere; kept for clients and never opened. */
export interface LegendPicture {
  readonly width: number | null;
  readonly height: number | null;
  readonly format: string | null;
  readonly onlineResource: string | null;
}

/** Its parent is its workspace; a global one has none. */
export interface Style extends RecordBase {
  readonly kind: 'style';
  /** The file with its content, which need not be there, and which several styles may share. */
  readonly filename: string;
  /** What its content is going to be; as soon as there is a content, that decides. */
  readonly format: WrittenFormat;
  readonly legend: LegendPicture | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export const styleKind: LinkedKind<Style> = createLinkedKind(
  {
    kind: 'style',
    keys: { file: ({ parent, filename }) => [formatStyleFileKey(formatFolder(parent), filename)] },
    secrets: {},
  },
  { livesIn: [workspaceKind.kind], references: [] },
);

/**
 * A file in the folder of a workspace, or in the global one: the content of styles, or an image that they draw. It
 * outlives the styles that name it, unless they are purged.
 */
export interface StyleFile extends RecordBase {
  readonly kind: 'styleFile';
  /** The id of the workspace; empty for the global folder. */
  readonly folder: string;
  /** Its path in the folder: `roads.sld`, `icons/tree.svg`. */
  readonly path: string;
  /** The hash of its bytes, by which they are found. */
  readonly content: string;
  readonly sizeBytes: number;
  /** Null for an image. */
  readonly written: WrittenContent | null;
}

/** What is known of a content beside its bytes. */
export interface WrittenContent {
  readonly format: WrittenFormat;
  /** The charset that was declared beside bytes that do not tell it themselves. */
  readonly charset: string | null;
  /** The images that came with it in a package. */
  readonly packaged: readonly string[];
  /** The images in its folder that it refers to, there or not; `*` if they depend on the data, or nobody knows. */
  readonly graphics: readonly string[];
}

/** Stands for every image of a folder. */
export const ANY_IMAGE = '*';

export const styleFileKind: LinkedKind<StyleFile> = createLinkedKind(
  {
    kind: 'styleFile',
    keys: {
      content: ({ content }) => [content],
      uses: ({ folder, written }) =>
        written === null ? [] : [...listImagePaths(written)].map((path) => formatStyleFileKey(folder, path)),
    },
    secrets: {},
    files: ({ content }) => [content],
  },
  {
    livesIn: [],
    // The folder goes with its workspace, and is in nobody's way.
    references: [{ to: workspaceKind.kind, key: 'folder', ids: ({ folder }) => [folder], onDelete: 'cascades' }],
  },
);

/** The images a content may draw. */
export function listImagePaths({
  packaged,
  graphics,
}: Pick<WrittenContent, 'packaged' | 'graphics'>): ReadonlySet<string> {
  return new Set([...packaged, ...graphics]);
}

/** The folder that styles of this parent have their files in. */
export function formatFolder(parent: string | null): string {
  return parent ?? '';
}

/** The name of a file's record. They have no parent, so that what is left of deleted styles is in nobody's way. */
export function formatStyleFileKey(folder: string, path: string): string {
  return `${folder}/${path}`;
}

/** A built-in style by its name, which never changes; any other by the id of its record, so that it may be renamed. */
export type StyleReference = string;
