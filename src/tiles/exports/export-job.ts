/** A tile export, as recorded for all nodes: its order never changes, and its progress is a note of its own. */
import type { ArchiveKind, ArchiveMetadata } from '../../lib/tile-archive/archive-file.ts';
import type { DegreeBox, ZoomTiles } from '../../lib/tile-archive/exported-tiles.ts';
import type { JobTiles } from '../seeding/seed-job.ts';

/** What a client asks for; absent members have defaults. */
export interface ExportRequest {
  /** Set if the path names it. */
  readonly workspace?: string | undefined;
  readonly layer: string;
  readonly archive: ArchiveKind;
  readonly format?: string | undefined;
  readonly style?: string | undefined;
  readonly zoomStart?: number | undefined;
  readonly zoomStop: number;
  readonly bounds?: DegreeBox | undefined;
}

export interface ExportOrder extends JobTiles {
  /** The name of the layer or group without its workspace, which the file has too. */
  readonly localName: string;
  /** The id of the workspace of the layer or group; null for a global group. */
  readonly workspace: string | null;
  /** The ids of the workspaces whose layers are drawn. Their administrators can see and use the export. */
  readonly workspaces: readonly string[];
  /** The name of the style, for documents; undefined for the default style. */
  readonly styleName?: string;
  readonly archive: ArchiveKind;
  readonly zooms: readonly ZoomTiles[];
  readonly bounds: DegreeBox;
  readonly metadata: ArchiveMetadata;
  readonly createdBy: string;
}

export interface ExportJob extends ExportOrder {
  readonly id: string;
  readonly createdAtMs: number;
  /** Changes when it begins again. */
  readonly restart?: number;
}

export type ExportState = 'pending' | 'running' | 'finished' | 'failed' | 'cancelled';

export interface ExportProgress {
  readonly state: ExportState;
  /** How often a node has begun; more than once if a node died. */
  readonly attempts: number;
  readonly startedAtMs?: number;
  readonly finishedAtMs?: number;
  /** Drawn tiles, including empty ones. */
  readonly done: number;
  /** Tiles in the archive. */
  readonly written: number;
  /** Tiles without the features that could not be read in time. */
  readonly incomplete: number;
  /** Whether the layer changed between two tiles; absent in records of former releases. */
  readonly hasChanged?: boolean;
  readonly bytes: number;
  /** Why it failed. */
  readonly problem?: string;
  /** The file set of a finished archive. */
  readonly fileSet?: string;
}

export interface ExportStatus extends ExportProgress {
  readonly job: ExportJob;
  /** When it is deleted; undefined until it has ended. */
  readonly expiresAtMs?: number;
}

export const pendingExport: ExportProgress = {
  state: 'pending',
  attempts: 0,
  done: 0,
  written: 0,
  incomplete: 0,
  bytes: 0,
};

export function isUnfinished({ state }: Pick<ExportProgress, 'state'>): boolean {
  return state === 'pending' || state === 'running';
}

/** The name of the file in its set, and of the download. */
export function formatArchiveName({ localName, archive }: Pick<ExportOrder, 'localName' | 'archive'>): string {
  const safe = localName.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_').replace(/^\.+/, '_');
  return `${safe.slice(0, MAX_NAME_LETTERS) || 'tiles'}.${archive}`;
}

/** With the extension, and four bytes for a letter, shorter than the names that file systems accept. */
const MAX_NAME_LETTERS = 60;
