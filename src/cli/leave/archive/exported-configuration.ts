/** The exported configuration of a server: its resources, secrets and stored files. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';

export interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: JsonObject;
}

export interface ExportedConfiguration {
  readonly hash: string;
  readonly resources: readonly Resource[];
  /** Whether the archive contains the stored file. */
  hasFile(sha256: string): boolean;
  /** Streams a stored file. */
  openFile(sha256: string): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function readText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether the value stands for a secret that the server keeps. */
export function isKeptSecret(value: Json | undefined): boolean {
  return isObject(value) && value['$secret'] === 'kept';
}

/** The decoded segments of a configuration path. */
export function splitPath(path: string): readonly string[] {
  return path.split('/').slice(1).map(decodeURIComponent);
}

export function createPath(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}
