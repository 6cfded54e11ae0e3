/** What every upload has in common, whatever data it brings: how it comes, and what its files are called. */
import { checkFileName } from '../../gates/path-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import { MAX_FILE_NAME_BYTES } from '../../lib/text/file-name.ts';
import { formatPrintableName } from '../../records/names.ts';
import { toStoredName } from '../stores/uploaded-files.ts';

export const uploadMethods = ['file', 'url', 'external'] as const;
export type UploadMethod = (typeof uploadMethods)[number];

/** The body, not read yet. */
export interface UploadBody {
  readonly mediaType: string | undefined;
  saveTo(file: string): Promise<number>;
  text(): Promise<string>;
}

/** How data of one kind comes in files. */
export interface UploadedFormat {
  /** What the addresses of its uploads end with: `shp`. */
  readonly format: string;
  /** What the names of its main files end with, in small letters and without the dot; the first is the usual one. */
  readonly endings: readonly string[];
  /** Whether a store is a folder of such files, or one file. */
  readonly store: 'folder' | 'file';
}

/** What has to be known of an upload to bring its files to where they can be looked at. */
export interface StagedUpload {
  readonly method: UploadMethod;
  readonly uploaded: UploadedFormat;
  /** What the uploaded file is called, unless it is an archive. */
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

/** Room for the endings of files that come to lie beside it, such as the `-journal` of a database. */
const MAX_STORED_NAME_BYTES = MAX_FILE_NAME_BYTES - 15;

/** Drivers know files by their endings. */
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

/** With the dot. */
export function getDefaultExtension({ endings }: UploadedFormat): string {
  return `.${endings[0] ?? ''}`;
}

/** `.png, .jpg or .tif`, for messages. */
export function formatExtensions({ endings }: UploadedFormat): string {
  const words = endings.map((ending) => `.${ending}`);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
