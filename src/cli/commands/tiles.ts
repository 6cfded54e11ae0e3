/** The command that exports the tiles of a layer as an archive. */
import { open, rename, rm } from 'node:fs/promises';
import { explainFileError } from '../../lib/problems/file-error.ts';
import type { ArchivedType, ArchiveKind } from '../../lib/tile-archive/archive-file.ts';
import {
  countExportedTiles,
  listExportedTiles,
  WORLD_BOUNDS,
  type ZoomTiles,
} from '../../lib/tile-archive/exported-tiles.ts';
import { type Command, CommandError, type Task } from '../client/command.ts';
import { type ExportOrder, listZooms, parseBounds, parseZooms } from '../tiles/export-order.ts';
import {
  type DownloadOptions,
  downloadTiles,
  type LayerInfo,
  PARALLEL_TILES,
  readLayerInfo,
} from '../tiles/tile-download.ts';

/** How often the command reports its progress. */
const PROGRESS_MS = 5_000;

export const tilesCommand: Command = {
  usage: 'export LAYER FILE --zooms MIN-MAX [--bounds=W,S,E,N] [--format png]',
  summary:
    'Exports the tiles of a layer in Web Mercator to a PMTiles or MBTiles file, as --user sees them. The extension of FILE ' +
    'selects the archive format. --bounds is in degrees; the default is the extent of the layer.',
  operands: ['export', 'LAYER', 'FILE'],
  options: { zooms: 'text', bounds: 'text', format: ['png', 'jpeg', 'webp', 'mvt'] },
  async run(task) {
    const { operand, text, world } = task;
    if (operand('export') !== 'export') {
      throw new CommandError(`Unknown action '${operand('export')}'. Use graticule tiles export LAYER FILE.`);
    }
    const file = operand('FILE');
    const kind = findArchiveKind(file);
    if (kind === undefined) {
      throw new CommandError(`Invalid file name '${file}'. Use the extension .pmtiles or .mbtiles.`);
    }
    const zooms = parseZooms(text('zooms'));
    const server = await task.server();
    const connections = await server.openConnections(PARALLEL_TILES);
    try {
      const download = {
        server,
        layer: operand('LAYER'),
        format: (text('format') ?? 'png') as ArchivedType,
        connections,
      };
      const info = await readLayerInfo(download);
      checkZooms(info, zooms);
      const bounds = parseBounds(text('bounds') ?? info.bounds?.join(',') ?? WORLD_BOUNDS.join(','));
      const order = { ...zooms, bounds };
      const tiles = listZooms(order);
      const total = countExportedTiles(tiles);
      const report = createProgress(task, total);
      const written = await writeArchive(task, { kind, download, info, order, zooms: tiles, report });
      world.print(
        task.flag('json')
          ? `${JSON.stringify({ tiles: written, requested: total })}\n`
          : `Exported ${written} of ${total} tiles to ${file}; the others are empty.\n`,
      );
      return 0;
    } finally {
      connections.destroy();
    }
  },
};

/** Layers of archives, for example, have the zooms of their tiles. */
function checkZooms(
  { minzoom = 0, maxzoom = Number.POSITIVE_INFINITY }: LayerInfo,
  { minZoom, maxZoom }: Pick<ExportOrder, 'minZoom' | 'maxZoom'>,
): void {
  if (minZoom >= minzoom && maxZoom <= maxzoom) return;
  throw new CommandError(
    `The layer has no tiles of all zooms from ${minZoom} to ${maxZoom}. It offers the zooms ${minzoom} to ${maxzoom}.`,
  );
}

interface Export {
  readonly kind: ArchiveKind;
  readonly download: DownloadOptions;
  readonly info: LayerInfo;
  readonly order: ExportOrder;
  readonly zooms: readonly ZoomTiles[];
  /** Called for each tile. */
  readonly report: () => void;
}

/** Returns the number of tiles in the archive. */
async function writeArchive({ world, operand }: Task, options: Export): Promise<number> {
  const { kind, download, info, order, zooms, report } = options;
  const { createArchiveFile } = await import('../../lib/tile-archive/archive-file.ts');
  const path = world.resolvePath(operand('FILE'));
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  const archive = openWriter(() => createArchiveFile(partial, kind, download.format), operand('FILE'));
  let count = 0;
  try {
    for await (const { position, bytes } of downloadTiles(download, listExportedTiles(zooms))) {
      report();
      if (bytes.length === 0) continue;
      count += 1;
      archive.add(position, bytes);
    }
    archive.finish({ ...order, metadata: createMetadata(info) });
    await syncFile(partial);
    await rename(partial, path);
  } finally {
    archive.close();
    await rm(partial, { force: true });
  }
  return count;
}

/** A file gets its name when it is on disk. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function findArchiveKind(file: string): ArchiveKind | undefined {
  const extension = /\.(pmtiles|mbtiles)$/i.exec(file)?.[1]?.toLowerCase();
  return extension === 'pmtiles' || extension === 'mbtiles' ? extension : undefined;
}

function openWriter<T>(open: () => T, file: string): T {
  try {
    return open();
  } catch (error) {
    throw new CommandError(`Cannot use the file '${file}': ${explainFileError(error)}.`);
  }
}

function createMetadata({ name, description, attribution, vector_layers }: LayerInfo) {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(attribution === undefined ? {} : { attribution }),
    ...(vector_layers === undefined ? {} : { vector_layers }),
  };
}

function createProgress({ world, flag }: Task, total: number): () => void {
  let done = 0;
  let lastMs = Date.now();
  return () => {
    done += 1;
    if (flag('json') || Date.now() - lastMs < PROGRESS_MS) return;
    lastMs = Date.now();
    world.printError(`${done} of ${total} tiles\n`);
  };
}
