/** The common base of stores: each belongs to a workspace and contains resources. */

import type { Secret } from '../../lib/identity/secret.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { RecordBase } from '../../records/record.ts';
import type { LinkedKind } from '../../records/references.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import type { JsonObject } from '../../storage/port/port.ts';

export interface Store extends RecordBase {
  readonly kind: string;
  readonly description: string | null;
  /** The type, such as `PostGIS`. */
  readonly type: string;
  readonly enabled: boolean;
  /** As the client sent them, without secrets and without `namespace`, which follows the workspace. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The secret parameters, each encrypted. */
  readonly sealedParameters: Readonly<Record<string, Secret>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the store is disabled when its data is unreachable. */
  readonly disableOnConnFailure: boolean;
  /** The file set of its uploads; null for data that it only refers to. */
  readonly fileSet: string | null;
  /**
   * The path of its uploaded files that clients see, relative to the data directory. It is only a name: nothing need
   * exist there.
   */
  readonly filePlace: string | null;
}

/** The uploaded files of a store. */
export type StoreFiles = Pick<Store, 'fileSet' | 'filePlace'>;

export function listStoreFileSets({ fileSet }: Pick<Store, 'fileSet'>): readonly string[] {
  return fileSet === null ? [] : [fileSet];
}

/** Returns the path of the uploaded files as a record key. */
export function listStoreFilePlaces({ fileSet, filePlace }: StoreFiles): readonly string[] {
  return fileSet === null || filePlace === null ? [] : [filePlace];
}

export interface StoreKind<S extends Store = Store> extends LinkedKind<S> {
  /** The collection segment in URLs: `datastores`. */
  readonly collection: string;
  /** The problem for deleting a store that still has resources. */
  readonly createNotEmptyProblem: (details: StoreContents) => Problem;
}

/** The contents that block the deletion of a store: the first of them, and their number. */
export interface StoreContents {
  readonly name: string;
  readonly blockers: readonly string[];
  readonly total: number;
}

/** Widens the kind. Safe as long as records are written with the kind that they were read with. */
export function toAnyStoreKind<S extends Store>(kind: StoreKind<S>): StoreKind {
  return kind as unknown as StoreKind;
}

/**
 * Until version 0.1.0 a store referred to the folder of its uploaded files. Clients still see that path. The file set
 * is named after the folder, since this migration does not read files; the first start creates the set
 * (`migrate-files.ts`).
 */
export function migrateUploadedFolder(body: JsonObject): JsonObject {
  if (!('uploadedFolder' in body)) {
    return body;
  }
  const { uploadedFolder: folder, ...rest } = body;
  return typeof folder === 'string'
    ? { ...rest, fileSet: hashBytes(Buffer.from(`uploaded folder ${folder}`)), filePlace: folder }
    : { ...rest, fileSet: null, filePlace: null };
}
