/** What a client asks for with an upload, checked as far as that goes without looking at the data. */
import { type UploadDriver, uploadDriversOf, type VectorDriver } from '../../data/vector/driver.ts';
import { checkFileName } from '../../gates/path-gate.ts';
import { MAX_FILE_NAME_BYTES } from '../../lib/file-name.ts';
import type { Precondition } from '../../lib/precondition.ts';
import { problem } from '../../lib/problem.ts';
import { printableName } from '../../records/names.ts';
import { storedName } from '../stores/uploaded-files.ts';

export const uploadMethods = ['file', 'url', 'external'] as const;
export type UploadMethod = (typeof uploadMethods)[number];

/** Which of the types in the data are published. */
export type Configure = 'first' | 'none' | 'all';

/** The body, not read yet. */
export interface UploadBody {
  readonly mediaType: string | undefined;
  saveTo(file: string): Promise<number>;
  text(): Promise<string>;
}

/** As it stands in the address. */
export interface WrittenUpload {
  readonly workspace: string;
  readonly store: string;
  readonly method: string;
  readonly format: string;
  readonly configure: Configure;
  readonly charset: string | null;
  readonly filename: string | null;
  readonly target: string | null;
  readonly update: string | null;
  readonly body: UploadBody;
  readonly precondition: Precondition;
}

export interface UploadRequest extends Omit<WrittenUpload, 'method' | 'format' | 'update' | 'filename'> {
  readonly method: UploadMethod;
  /** The kind of data that is uploaded. */
  readonly driver: UploadDriver;
  /** What becomes of the rows of a table that the data is imported into. */
  readonly mode: 'append' | 'overwrite';
  /** What the uploaded file is called, unless it is an archive. */
  readonly fileName: string;
}

/** `First`, `ALL` and the like; whatever is none of them publishes one type, as clients expect of a server of this kind. */
export function readConfigure(text: string): Configure {
  const lower = text.trim().toLowerCase();
  return lower === 'none' || lower === 'all' ? lower : 'first';
}

export function readUploadRequest(drivers: readonly VectorDriver[], written: WrittenUpload): UploadRequest {
  const { method: writtenMethod, format: writtenFormat, update, filename, ...rest } = written;
  const method = uploadMethods.find((each) => each === writtenMethod.toLowerCase());
  if (method === undefined) {
    throw problem('upload-method-unknown', { method: printableName(writtenMethod) });
  }
  const driver = driverOfFormat(drivers, writtenFormat);
  if (driver === undefined) {
    throw problem('upload-format-unknown', { format: printableName(writtenFormat), known: uploadFormatsOf(drivers) });
  }
  const mode = update?.trim().toLowerCase() === 'overwrite' ? 'overwrite' : 'append';
  return { ...rest, method, driver, mode, fileName: fileNameOf(filename, written.store, driver.uploads.format) };
}

/** The formats that can be uploaded. */
export function uploadFormatsOf(drivers: readonly VectorDriver[]): readonly string[] {
  return uploadDriversOf(drivers).map(({ uploads }) => uploads.format);
}

/** However it is written. */
export function driverOfFormat(drivers: readonly VectorDriver[], format: string): UploadDriver | undefined {
  return uploadDriversOf(drivers).find(({ uploads }) => uploads.format === format.trim().toLowerCase());
}

/** Room for the endings of files that come to lie beside it, such as the `-journal` of a database. */
const MAX_STORED_NAME_BYTES = MAX_FILE_NAME_BYTES - 15;

/** Drivers know files by their endings. */
function fileNameOf(filename: string | null, store: string, format: string): string {
  const ending = `.${format}`;
  if (filename !== null) {
    checkFileName(filename, MAX_STORED_NAME_BYTES - ending.length);
  }
  const name = filename ?? storedName(store);
  return name.toLowerCase().endsWith(ending) ? name : `${name}${ending}`;
}
