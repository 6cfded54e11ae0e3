/** Parses and validates an upload request, as far as possible without reading the data. */

import type { Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { formatPrintableName } from '../../records/names.ts';
import { listUploadDrivers, type UploadDriver, type VectorDriver } from '../../vector/port/driver.ts';
import { formatUploadedFileName, readUploadMethod, type StagedUpload, type UploadBody } from './uploaded-format.ts';

/** Which types of the data are published. */
export type Configure = 'first' | 'none' | 'all';

/** As in the URL. */
export interface UploadInput {
  readonly workspace: string;
  readonly store: string;
  readonly method: string;
  readonly format: string;
  readonly configure: Configure;
  readonly charset: string | null;
  readonly filename: string | null;
  readonly target: string | null;
  readonly update: string | null;
  /** The reference system of types whose data declares none. */
  readonly srs: string | null;
  /** Whether `all` includes the types of included files. */
  readonly publishesIncluded: boolean;
  /** Whether the result contains counts and sample values. */
  readonly hasDetails: boolean;
  readonly body: UploadBody;
  readonly precondition: Precondition;
}

export interface UploadRequest extends StagedUpload, Omit<UploadInput, 'method' | 'format' | 'update' | 'filename'> {
  /** The driver of the uploaded data. */
  readonly driver: UploadDriver;
  /** Whether existing rows of an import table are kept. */
  readonly mode: 'append' | 'overwrite';
}

/** Parses `First`, `ALL` and the like; any other word means `first`, for compatibility with GeoServer. */
export function readConfigure(text: string): Configure {
  const lower = text.trim().toLowerCase();
  return lower === 'none' || lower === 'all' ? lower : 'first';
}

export function readUploadRequest(drivers: readonly VectorDriver[], written: UploadInput): UploadRequest {
  const { method: writtenMethod, format: writtenFormat, update, filename, ...rest } = written;
  const method = readUploadMethod(writtenMethod);
  const driver = findUploadDriver(drivers, writtenFormat);
  if (driver === undefined) {
    throw problem('upload-format-unknown', {
      format: formatPrintableName(writtenFormat),
      known: listUploadFormats(drivers),
    });
  }
  const mode = update?.trim().toLowerCase() === 'overwrite' ? 'overwrite' : 'append';
  const { format, store } = driver.uploads;
  const uploaded = { format, store, endings: [format] };
  return {
    ...rest,
    method,
    driver,
    mode,
    uploaded,
    fileName: formatUploadedFileName(filename, written.store, uploaded),
  };
}

/** Lists the formats that can be uploaded. */
export function listUploadFormats(drivers: readonly VectorDriver[]): readonly string[] {
  return listUploadDrivers(drivers).map(({ uploads }) => uploads.format);
}

/** Finds a driver by format, in any case. */
export function findUploadDriver(drivers: readonly VectorDriver[], format: string): UploadDriver | undefined {
  return listUploadDrivers(drivers).find(({ uploads }) => uploads.format === format.trim().toLowerCase());
}
