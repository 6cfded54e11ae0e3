/** Reads a tile of an archive as it is stored, in a thread. */
import { statSync } from 'node:fs';
import type { RangeChannel } from '../../remote/channel.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import { openMbtiles } from '../../vector/tile-archives/mbtiles.ts';
import {
  type ArchivedTilePosition,
  type TileArchive,
  TileArchiveError,
} from '../../vector/tile-archives/model/tile-archive.ts';
import { detectPictureFormat, unpackTile } from '../../vector/tile-archives/model/unpack-tile.ts';
import { openPmtiles } from '../../vector/tile-archives/pmtiles/pmtiles.ts';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';
import { openRemoteRasterFile } from '../geotiff/remote-raster-file.ts';
import { openRasterFile } from '../port/raster-file.ts';
import { readPictureSize } from '../support/picture-library.ts';
import { toRasterProblem } from './raster-problem.ts';

export interface StoredPictureRequest {
  readonly type: string;
  /** Or a URL. */
  readonly path: string;
  readonly position: ArchivedTilePosition;
  /** Reads the URL. */
  readonly channel?: RangeChannel;
}

export interface StoredPicture {
  readonly bytes: Uint8Array;
  readonly format: 'png' | 'jpeg' | 'webp' | 'avif';
  readonly width: number;
  readonly height: number;
}

const module = import.meta.url;

export const readStoredPictureTask: Task<StoredPictureRequest, StoredPicture | undefined> = {
  module,
  name: 'readStoredPicture',
  work: readStoredPicture,
};

/** Returns undefined if the archive has no image there. */
export async function readStoredPicture(request: StoredPictureRequest): Promise<StoredPicture | undefined> {
  const url = parseRemoteUrl(request.path);
  try {
    if (url === undefined) return await readFrom(getLocalArchive(request), request.position);
    if (request.channel === undefined) throw new Error('A remote archive was read without a channel.');
    const archive = openPmtiles(openRemoteRasterFile(url, request.channel));
    try {
      return await readFrom(archive, request.position);
    } finally {
      archive.close();
    }
  } catch (error) {
    throw toRasterProblem(error, request.path.split('/').at(-1) ?? '');
  }
}

async function readFrom(archive: TileArchive, position: ArchivedTilePosition): Promise<StoredPicture | undefined> {
  const { format, minZoom, maxZoom } = archive.info;
  if (format === 'mvt' || position.zoom < minZoom || position.zoom > maxZoom) return undefined;
  const stored = archive.readTile(position);
  if (stored === undefined || stored.bytes.length === 0) return undefined;
  // A copy of its own, which can be transferred.
  const bytes = new Uint8Array(unpackTile(stored));
  const found = detectPictureFormat(bytes);
  if (found === undefined) throw new TileArchiveError('one of its tiles is not a PNG, JPEG, WebP or AVIF image');
  const size = await readPictureSize(bytes).catch(() => undefined);
  return size && markTransferable({ bytes, format: found, ...size }, [bytes.buffer]);
}

/** Open archives of this thread, by path. The directories that they have read make further tiles cheap. */
const opened = new Map<string, { readonly stamp: string; readonly archive: TileArchive }>();

/** Each has an open file. */
const MAX_OPENED = 16;

/** A file that was replaced or changed is opened again. */
function getLocalArchive({ type, path }: StoredPictureRequest): TileArchive {
  const status = statSync(path, { throwIfNoEntry: false });
  const stamp = status === undefined ? '' : `${status.ino} ${status.size} ${status.mtimeMs}`;
  const known = opened.get(path);
  if (known !== undefined) {
    opened.delete(path);
    if (known.stamp === stamp) {
      opened.set(path, known);
      return known.archive;
    }
    known.archive.close();
  }
  const archive = type === 'MBTiles' ? openMbtiles(path) : openPmtiles(openRasterFile(path));
  const [oldest] = opened.keys();
  if (oldest !== undefined && opened.size >= MAX_OPENED) {
    opened.get(oldest)?.archive.close();
    opened.delete(oldest);
  }
  opened.set(path, { stamp, archive });
  return archive;
}
