/** The documents of tile exports, and their paths. */
import { rest } from '../../../rest/client.ts';

export type ExportState = 'pending' | 'running' | 'finished' | 'failed' | 'cancelled';
export type ArchiveKind = 'pmtiles' | 'mbtiles';

/** An export in a listing. */
export interface TileExport {
  /** The id. */
  readonly name: string;
  /** With its workspace. */
  readonly layer: string;
  readonly state: ExportState;
  readonly bytes: number;
  readonly created: string;
  readonly createdBy: string;
  readonly archive: ArchiveKind;
  readonly format: string;
  readonly tilesTotal: number;
  readonly tilesDone: number;
  /** Tiles without the features that could not be read in time. */
  readonly tilesIncomplete: number;
  /** Whether the archive has tiles from before and after a change. */
  readonly layerChanged: boolean;
  readonly problem?: string;
}

export interface TileExportList {
  readonly tileExports: '' | { readonly tileExport: readonly TileExport[] };
}

export interface TileExportDocument {
  readonly tileExport: { readonly id: string; readonly tilesTotal: number };
}

/** What a user asks for. Texts are sent as they are, so that the server explains what is wrong with them. */
export interface ExportOrder {
  readonly layer: string;
  readonly archive: string;
  readonly format: string;
  readonly zoomStart: number | string;
  readonly zoomStop: number | string;
  readonly bounds?: readonly (number | string)[];
}

/** Of one workspace, or all that the user may see. */
export function getExportsPath(workspace: string | undefined): string {
  return workspace === undefined ? '/tileexports' : rest`/workspaces/${workspace}/tileexports`;
}

export function getExportPath(workspace: string | undefined, id: string): string {
  return `${getExportsPath(workspace)}${rest`/${id}`}`;
}

export function isUnfinished({ state }: TileExport): boolean {
  return state === 'pending' || state === 'running';
}
