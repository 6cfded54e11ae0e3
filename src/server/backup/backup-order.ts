/** The messages between the server and the thread that writes a backup. */
import type { ChunkRing } from './chunk-ring.ts';
import type { DirectorySourceOptions } from './directory-source.ts';
import type { PostgresSourceOptions } from './postgres-source.ts';

export interface BackupOrder {
  readonly source:
    | ({ readonly kind: 'directory' } & DirectorySourceOptions)
    | ({ readonly kind: 'postgres' } & PostgresSourceOptions);
  readonly passphrase: string | undefined;
  readonly base: BackupBase | undefined;
  /** The known checksums of stored files, see `encodeChecksums`. */
  readonly checksums: Uint8Array;
  readonly version: string;
  readonly createdAt: string;
  readonly ring: ChunkRing;
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
  /** The next chunk of the ring has this size. */
  | { readonly kind: 'chunk'; readonly bytes: number }
  | {
      readonly kind: 'done';
      readonly id: string;
      readonly objects: Uint8Array;
      readonly checksums: Uint8Array;
      readonly damaged: readonly string[];
      /** Files of the data directory that the backup lacks, because their names are invalid. */
      readonly omitted: readonly string[];
    };
