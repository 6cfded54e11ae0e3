/** Definitions for uploads of any data: their transport and their file names. */
import { checkFileName } from '../../gates/path-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import { MAX_FILE_NAME_BYTES } from '../../lib/text/file-name.ts';
import { toStoredName } from '../../lib/text/file-place.ts';
import { formatPrintableName } from '../../records/names.ts';

export const uploadMethods = ['file', 'url', 'external'] as const;
export type UploadMethod = (typeof uploadMethods)[number];

export interface SaveBodyOptions {
  readonly maxBytes?: number;
  /** Called with the number of bytes that are in the file so far. */
  readonly onWritten?: (bytes: number) => void;
}

/** The body, not read yet. */
export interface UploadBody {
  readonly mediaType: string | undefined;
  saveTo(file: string, options?: SaveBodyOptions): Promise<number>;
  text(): Promise<string>;
}

/** The files of one data format. */
export interface UploadedFormat {
  /** The format in the URLs of its uploads: `shp`. */
  readonly format: string;
  /** The extensions of its main files, in lower case and without the dot; the first is the default. */
  readonly endings: readonly string[];
  /** Whether a store is a folder of such files, or one file. */
  readonly store: 'folder' | 'file';
}

/** The properties of an upload that staging needs. */
export interface StagedUpload {
  readonly method: UploadMethod;
  readonly uploaded: UploadedFormat;
  /** The name of the uploaded file, unless it is an archive. */
  readonly fileName: string;
  readonly body: UploadBody;
}

export function readUploadMethod(written: string): UploadMethod {
  const method = uploadMethods.find((each) => each === written.toLowerCase());
  if (method === undefined) {
    throw problem('upload-method-unknown', { method: formatPrintableName(written) });
  }
  return method;
}

/** Leaves space for the suffixes of companion files, such as the `-journal` of a database. */
const MAX_STORED_NAME_BYTES = MAX_FILE_NAME_BYTES - 15;

/** Returns a file name with a valid extension, since drivers identify files by extension. */
export function formatUploadedFileName(filename: string | null, store: string, uploaded: UploadedFormat): string {
  const ending = getDefaultExtension(uploaded);
  if (filename !== null) {
    checkFileName(filename, MAX_STORED_NAME_BYTES - ending.length);
  }
  const name = filename ?? toStoredName(store);
  return hasExtension(name, uploaded) ? name : `${name}${ending}`;
}

export function hasExtension(name: string, { endings }: UploadedFormat): boolean {
  return endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
}

/** Returns the default extension with its dot. */
export function getDefaultExtension({ endings }: UploadedFormat): string {
  return `.${endings[0] ?? ''}`;
}

/** Formats the extensions for messages: `.png, .jpg or .tif`. */
export function formatExtensions({ endings }: UploadedFormat): string {
  const words = endings.map((ending) => `.${ending}`);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
