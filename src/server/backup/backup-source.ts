/** What a backup reads, in one state. */
import type { GranuleReader } from '../../raster/granules/copy/granule-copies.ts';
import type { CopySource, Shelf } from '../../storage/copy/tables.ts';

export interface BackupSource {
  readonly rows: Pick<CopySource, 'readHead' | 'readRows' | 'listBlobs' | 'read'>;
  /** The folder of stored files, if they are files; otherwise `rows` reads them. */
  readonly blobFolder: ((shelf: Shelf) => string) | undefined;
  readGranules<T>(work: (origin: GranuleReader | undefined) => Promise<T>): Promise<T>;
  /** Files of the data directory. */
  readonly entries: readonly DirectoryEntry[];
  close(): Promise<void>;
}

/** An entry of the data directory, by its path with slashes. Node.js cannot open a name that is not valid UTF-8. */
export type DirectoryEntry =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'invalid name'; readonly path: string }
  /** `file` is where the bytes are: the file itself, or a copy of a database. */
  | { readonly kind: 'file'; readonly path: string; readonly file: string };
