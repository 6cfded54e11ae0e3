/** A NetCDF file of any version: variables on named dimensions, and attributes. */
import { problem } from '../../lib/problems/problem.ts';
import type { RasterFile } from '../port/raster-file.ts';
import type { Samples, SampleType } from '../port/samples.ts';

export type AttributeValue = string | readonly (number | bigint)[];

export interface NetcdfVariable {
  readonly name: string;
  /** Undefined for texts and other types that are not numeric. */
  readonly type: SampleType | undefined;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** The chunk sizes, if it is chunked: chunks are read as a whole. */
  readonly chunks?: readonly number[];
  /** The unsupported compression method, if there is one. */
  readonly unreadable?: string;
}

export interface NetcdfFile {
  readonly name: string;
  readonly variables: readonly NetcdfVariable[];
  /** Reads a part of a numeric variable; the last dimension varies fastest. */
  read(variable: NetcdfVariable, start: readonly number[], count: readonly number[]): Samples;
  /** Reads the values of a text variable along its first dimension. */
  readTexts(variable: NetcdfVariable): readonly string[];
  close(): void;
}

/** More than any model has. */
export const MAX_VARIABLES = 10_000;

export function createDamagedError(file: Pick<RasterFile, 'name'>, reason: string): Error {
  return problem('raster-file-malformed', { file: file.name, reason });
}

/** Texts have a fixed length in these files and are padded with NUL characters, which PostgreSQL does not store. */
export function cutAtNul(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** Returns a numeric attribute; undefined if it is missing. */
export function findNumbers(variable: NetcdfVariable, name: string): readonly (number | bigint)[] | undefined {
  const value = variable.attributes.get(name);
  return value === undefined || typeof value === 'string' ? undefined : value;
}

export function findNumber(variable: NetcdfVariable, name: string): number | undefined {
  const [value] = findNumbers(variable, name) ?? [];
  return value === undefined || !Number.isFinite(Number(value)) ? undefined : Number(value);
}

export function findText(variable: NetcdfVariable, name: string): string | undefined {
  const value = variable.attributes.get(name);
  return typeof value === 'string' ? cutAtNul(value).trim() : undefined;
}
