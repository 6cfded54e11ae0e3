/** Draws the tiles of an export and writes its archive. */
import { setTimeout as wait } from 'node:timers/promises';
import { mapInOrder } from '../../lib/async/map-in-order.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { ArchivedType } from '../../lib/tile-archive/archive-file.ts';
import { listExportedTiles } from '../../lib/tile-archive/exported-tiles.ts';
import type { TilePosition } from '../../lib/tile-archive/tile-id.ts';
import type { TileAddress } from '../tile-matrix-set.ts';
import { ArchiveThread } from './archive-thread.ts';
import type { ExportJob, ExportProgress } from './export-job.ts';

export interface ExportedTile {
  /** Empty for a tile without content. */
  readonly bytes: Uint8Array;
  readonly isIncomplete: boolean;
  /** Changes with the layer, its style and its data. */
  readonly version: string;
}

/** Returns undefined if the layer does not exist any more. */
export type DrawExportedTile = (
  job: ExportJob,
  address: TileAddress,
  signal: AbortSignal,
) => Promise<ExportedTile | undefined>;

export type ExportCounts = Pick<ExportProgress, 'done' | 'written' | 'incomplete' | 'bytes' | 'hasChanged'>;

export const noTiles: ExportCounts = { done: 0, written: 0, incomplete: 0, bytes: 0 };

export interface ExportWriting {
  readonly job: ExportJob;
  /** The path of the new file. */
  readonly path: string;
  readonly maxBytes: number;
  readonly draw: DrawExportedTile;
  /** Whether the storage can be read: if not, a failed tile is drawn again until it can. */
  readonly isStorageReadable: () => Promise<boolean>;
  readonly retryMs: number;
  /** Called after each tile. */
  readonly report: (counts: ExportCounts) => void;
  readonly signal: AbortSignal;
}

/** Images are drawn in blocks of 16 tiles, which are neighbours in the order of an export. */
const IMAGES_AT_ONCE = 16;

/** Each reads the features of its layers. */
const VECTOR_TILES_AT_ONCE = 4;

/** A tile can fail because a queue is full or a database is restarting. */
const MAX_ATTEMPTS = 3;

/** The writer compresses while tiles are drawn; the size is checked before the end. */
export async function writeExport(writing: ExportWriting): Promise<void> {
  const { job, path, maxBytes, report, signal } = writing;
  const type = toArchivedType(job.format);
  const thread = new ArchiveThread({ path, kind: job.archive, type });
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  let counts = noTiles;
  let version: string | undefined;
  try {
    const atOnce = type === 'mvt' ? VECTOR_TILES_AT_ONCE : IMAGES_AT_ONCE;
    const drawOne = async (position: TilePosition) => ({ position, tile: await drawTile(writing, position, ended) });
    for await (const { position, tile } of mapInOrder(listExportedTiles(job.zooms), atOnce, drawOne)) {
      ended.throwIfAborted();
      const isEmpty = tile.bytes.length === 0;
      if (!isEmpty) await thread.add(position, tile.bytes);
      version ??= tile.version;
      counts = {
        done: counts.done + 1,
        written: counts.written + (isEmpty ? 0 : 1),
        incomplete: counts.incomplete + (tile.isIncomplete ? 1 : 0),
        hasChanged: counts.hasChanged === true || tile.version !== version,
        bytes: thread.bytes,
      };
      checkSize(counts.bytes, maxBytes);
      report(counts);
    }
    await thread.finish({
      minZoom: job.zooms[0]?.zoom ?? 0,
      maxZoom: job.zooms.at(-1)?.zoom ?? 0,
      bounds: job.bounds,
      metadata: job.metadata,
    });
  } finally {
    // Before waiting for other tiles, which are not needed any more.
    stop.abort(new Error('The export has ended'));
    await thread.close();
  }
}

export function checkSize(bytes: number, limitBytes: number): void {
  if (bytes > limitBytes) throw problem('tile-export-beyond-limit', { limitBytes });
}

async function drawTile(
  { job, draw, isStorageReadable, retryMs }: ExportWriting,
  { zoom: level, row, column }: TilePosition,
  signal: AbortSignal,
): Promise<ExportedTile> {
  const name = `${level}/${column}/${row}`;
  for (let attempt = 1; ; ) {
    signal.throwIfAborted();
    try {
      const drawn = await draw(job, { level, row, column }, signal);
      if (drawn !== undefined) return drawn;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem && error.code === 'tile-export-refused') throw error;
      if (await isStorageReadable()) {
        if (attempt >= MAX_ATTEMPTS) throw createTileProblem(name, error);
        attempt += 1;
      }
      await wait(retryMs, undefined, { signal, ref: false });
      continue;
    }
    const reason = 'it was deleted, renamed or disabled, or its style or tile settings have changed';
    throw problem('tile-export-refused', { layer: job.name, reason });
  }
}

/** Only problems are for users. The others are in the log. */
function createTileProblem(tile: string, error: unknown): Error {
  if (!(error instanceof Problem)) return error instanceof Error ? error : new Error(String(error));
  const failed = problem('tile-export-failed', { tile, reason: error.message });
  failed.cause = error;
  return failed;
}

/** The formats that archives can contain, by the name of the tile format. */
const archivedTypes: Readonly<Record<string, ArchivedType>> = {
  png: 'png',
  png8: 'png',
  jpeg: 'jpeg',
  webp: 'webp',
  mvt: 'mvt',
};

export function isArchivedFormat(format: string): boolean {
  return Object.hasOwn(archivedTypes, format);
}

function toArchivedType(format: string): ArchivedType {
  const type = archivedTypes[format];
  if (type === undefined) throw new Error(`Archives cannot contain tiles in the format ${format}`);
  return type;
}
