/**
 * The format of a backup: a tar archive of objects named by their SHA-256, lists of what they belong to (`index/`), and
 * a manifest at the end with the hashes of these lists. An incremental backup omits the objects of its base.
 */

/** The first entry, so that the kind of file and its version are known at once. */
export const HEADER_ENTRY = 'graticule-backup.json';
export const OBJECT_FOLDER = 'objects/';
export const INDEX_FOLDER = 'index/';
/** The last entry: an archive without it is incomplete. */
export const MANIFEST_ENTRY = 'manifest.json';

export const FORMAT = 'graticule-backup/1';

/** The media type of responses. */
export const BACKUP_TYPE = 'application/vnd.graticule.backup';

/** Files that can change are cut into objects of this size, so that an incremental backup contains only changed parts. */
export const OBJECT_BYTES = 4 * 1024 * 1024;

export interface BackupHeader {
  readonly format: string;
  /** The version of the server. */
  readonly version: string;
  readonly createdAt: string;
  /** The id of the base of an incremental backup. */
  readonly since: string | null;
}

export interface BackupManifest extends BackupHeader {
  /** The number of the last change. */
  readonly position: number;
  readonly objects: number;
  /** The bytes of the objects in this archive. */
  readonly bytes: number;
  /** The hashes of the entries in `index/`, in their order. */
  readonly index: readonly string[];
}

/** A line of the index, in JSON. Hashes refer to objects. */
export type IndexLine =
  | { readonly kind: 'head'; readonly sequence: number; readonly atMs: number; readonly announced: number }
  /** Some rows of a table, one JSON array per line; the parts of a table are in order. */
  | { readonly kind: 'rows'; readonly table: string; readonly rows: number; readonly object: string }
  /** The versions of the granules of all mosaics. */
  | { readonly kind: 'granule versions'; readonly object: string }
  /** Some granules of an index; the parts of an index follow each other. */
  | { readonly kind: 'granules'; readonly mosaic: string; readonly schema: unknown; readonly object: string }
  /** A stored file; `bytes` is null if it was purged. The content of a damaged one does not match its hash. */
  | {
      readonly kind: 'blob';
      readonly shelf: string;
      readonly hash: string;
      readonly bytes: number | null;
      readonly isDamaged?: true;
    }
  /** A file of the data directory. */
  | { readonly kind: 'file'; readonly path: string; readonly objects: readonly string[] }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** Returns the objects that a line refers to. */
export function listObjects(line: IndexLine): readonly string[] {
  switch (line.kind) {
    case 'rows':
    case 'granule versions':
    case 'granules':
      return [line.object];
    case 'blob':
      return line.bytes === null ? [] : [line.hash];
    case 'file':
      return line.objects;
    case 'head':
    case 'folder':
    case 'link':
      return [];
  }
}
