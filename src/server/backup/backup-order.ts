/** The messages between the server and the thread that writes a backup. */
import type { DirectorySourceOptions } from './directory-source.ts';
import type { PostgresSourceOptions } from './postgres-source.ts';

export interface BackupOrder {
  readonly source:
    | ({ readonly kind: 'directory' } & DirectorySourceOptions)
    | ({ readonly kind: 'postgres' } & PostgresSourceOptions);
  readonly passphrase: string | undefined;
  readonly base: BackupBase | undefined;
  /** The checksums of stored files that were intact in an earlier backup. */
  readonly checksums: Uint8Array | undefined;
  readonly version: string;
  readonly createdAt: string;
  /** The number of chunks that the server has passed on, as an Int32. */
  readonly consumed: SharedArrayBuffer;
}

export interface BackupBase {
  readonly id: string;
  /** The beginnings of the hashes of its objects. */
  readonly objects: Uint8Array;
}

/** `opened`: the state is taken. The thread continues with a message from the server. */
export type BackupMessage =
  | { readonly kind: 'opened' }
  /** Another program keeps this file of the data directory locked. */
  | { readonly kind: 'locked'; readonly path: string }
  | { readonly kind: 'chunk'; readonly chunk: Uint8Array }
  | {
      readonly kind: 'done';
      readonly id: string;
      readonly objects: Uint8Array;
      readonly checksums: Uint8Array;
      readonly damaged: readonly string[];
    };

/** The chunks in memory, of one megabyte each. */
export const MAX_WAITING_CHUNKS = 4;
