/** What a client asks for with an upload, checked as far as that goes without looking at the data. */
import { checkFileName } from '../../gates/path-gate.ts';
import type { Precondition } from '../../lib/precondition.ts';
import { problem } from '../../lib/problem.ts';
import { printableName } from '../names.ts';

export const uploadMethods = ['file', 'url', 'external'] as const;
export type UploadMethod = (typeof uploadMethods)[number];

export const uploadFormats = ['shp', 'gpkg'] as const;
export type UploadFormat = (typeof uploadFormats)[number];

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
  readonly body: UploadBody;
  readonly precondition: Precondition;
}

export interface UploadRequest extends Omit<WrittenUpload, 'method' | 'format' | 'target' | 'filename'> {
  readonly method: UploadMethod;
  readonly format: UploadFormat;
  /** What the uploaded file is called, unless it is an archive. */
  readonly fileName: string;
}

/** `First`, `ALL` and the like; whatever is none of them publishes one type, as clients expect of a server of this kind. */
export function readConfigure(text: string): Configure {
  const lower = text.trim().toLowerCase();
  return lower === 'none' || lower === 'all' ? lower : 'first';
}

export function readUploadRequest(written: WrittenUpload): UploadRequest {
  const { method: writtenMethod, format: writtenFormat, target, filename, ...rest } = written;
  const method = uploadMethods.find((each) => each === writtenMethod.toLowerCase());
  if (method === undefined) {
    throw problem('upload-method-unknown', { method: printableName(writtenMethod) });
  }
  const format = uploadFormats.find((each) => each === writtenFormat.toLowerCase());
  if (format === undefined) {
    throw problem('upload-format-unknown', { format: printableName(writtenFormat), known: uploadFormats });
  }
  if (target !== null && target.toLowerCase() !== format) {
    throw problem('upload-target-unsupported', { format, target: printableName(target), field: 'target' });
  }
  if (filename !== null) {
    checkFileName(filename);
  }
  return { ...rest, method, format, fileName: fileNameOf(filename, written.store, format) };
}

/** Drivers know files by their endings. */
function fileNameOf(filename: string | null, store: string, format: UploadFormat): string {
  const name = filename ?? encodeURIComponent(store);
  return name.toLowerCase().endsWith(`.${format}`) ? name : `${name}.${format}`;
}
