/** What all stores have in common, whatever data they connect to: they live in a workspace, and resources live in them. */

import type { Secret } from '../../lib/secret.ts';
import type { RecordBase } from '../../records/record.ts';
import type { LinkedKind } from '../../records/references.ts';

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
  /** Where its uploaded files are, relative to the data directory; null for data that the server did not put there. */
  readonly uploadedFolder: string | null;
}

export interface StoreKind<S extends Store = Store> extends LinkedKind<S> {
  /** The collection that addresses have them in: `datastores`. */
  readonly collection: string;
}

/** A kind of store among others. Right as long as what is written with it was read with it. */
export function anyStoreKind<S extends Store>(kind: StoreKind<S>): StoreKind {
  return kind as unknown as StoreKind;
}
