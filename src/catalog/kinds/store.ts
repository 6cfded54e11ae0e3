/** What all stores have in common, whatever data they connect to: they live in a workspace, and resources live in them. */

import type { Secret } from '../../lib/identity/secret.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { RecordBase } from '../../records/record.ts';
import type { LinkedKind } from '../../records/references.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import type { JsonObject } from '../../storage/port/port.ts';

export interface Store extends RecordBase {
  readonly kind: string;
  readonly description: string | null;
  /** What kind of store it is, such as `PostGIS`. */
  readonly type: string;
  readonly enabled: boolean;
  /** As the client gave them, without secrets and without `namespace`, which follows the workspace. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The secret ones, each sealed. */
  readonly sealedParameters: Readonly<Record<string, Secret>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the store switches itself off when its data cannot be reached. */
  readonly disableOnConnFailure: boolean;
  /** The set of its uploaded files; null for data that it only points at. */
  readonly fileSet: string | null;
  /** Where clients see its uploaded files, relative to the data directory. Nothing need be there: it is only a name. */
  readonly filePlace: string | null;
}

/** Its uploaded files. */
export type StoreFiles = Pick<Store, 'fileSet' | 'filePlace'>;

export function listStoreFileSets({ fileSet }: Pick<Store, 'fileSet'>): readonly string[] {
  return fileSet === null ? [] : [fileSet];
}

/** Where clients see its uploaded files, as the key that it is found by. */
export function listStoreFilePlaces({ fileSet, filePlace }: StoreFiles): readonly string[] {
  return fileSet === null || filePlace === null ? [] : [filePlace];
}

export interface StoreKind<S extends Store = Store> extends LinkedKind<S> {
  /** The collection that addresses have them in: `datastores`. */
  readonly collection: string;
  /** What is said when one of these cannot be deleted because of what is published of it. */
  readonly createNotEmptyProblem: (details: StoreContents) => Problem;
}

/** What stands in the way of deleting a store: the first of it, and how many there are. */
export interface StoreContents {
  readonly name: string;
  readonly blockers: readonly string[];
  readonly total: number;
}

/** A kind of store among others. Right as long as what is written with it was read with it. */
export function toAnyStoreKind<S extends Store>(kind: StoreKind<S>): StoreKind {
  return kind as unknown as StoreKind;
}

/**
 * Until version 0.1.0 a store named the folder of its uploaded files. It still shows that to clients; the set is called
 * after the folder, since its files are not looked at here. Their first start makes it (`take-over-files.ts`).
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
