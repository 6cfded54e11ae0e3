/** The messages between the thread that writes an archive and the main thread. */
import type { ArchivedType, ArchiveKind, ArchiveSummary } from '../../lib/tile-archive/archive-file.ts';
import type { TilePosition } from '../../lib/tile-archive/tile-id.ts';

export interface ArchiveOrder {
  /** The file must not exist. */
  readonly path: string;
  readonly kind: ArchiveKind;
  readonly type: ArchivedType;
}

export type ArchiveRequest =
  | { readonly kind: 'tile'; readonly position: TilePosition; readonly bytes: Uint8Array }
  | { readonly kind: 'finish'; readonly summary: ArchiveSummary };

export type ArchiveReply =
  /** A tile was written. */
  | { readonly kind: 'written'; readonly tileBytes: number; readonly archiveBytes: number }
  | { readonly kind: 'finished' }
  /** The code is that of the operating system, such as ENOSPC. */
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined };
