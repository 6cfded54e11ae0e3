/** The command that exports the tiles of a layer as an archive. */
import { open, rename, rm } from 'node:fs/promises';
import { explainFileError } from '../../lib/problems/file-error.ts';
import { computeTileId } from '../../lib/tile-archive/tile-id.ts';
import { type Command, CommandError, type Task } from '../client/command.ts';
import { countTiles, type ExportOrder, listTiles, parseBounds, parseZooms } from '../tiles/export-order.ts';
import {
  type DownloadOptions,
  downloadTiles,
  type ExportFormat,
  type LayerInfo,
  PARALLEL_TILES,
  readLayerInfo,
} from '../tiles/tile-download.ts';

/** How often the command reports its progress. */
const PROGRESS_MS = 5_000;

const WORLD = '-180,-85.0511287798066,180,85.0511287798066';

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
    const isPmtiles = /\.pmtiles$/i.test(file);
    if (!isPmtiles && !/\.mbtiles$/i.test(file)) {
      throw new CommandError(`Invalid file name '${file}'. Use the extension .pmtiles or .mbtiles.`);
    }
    const zooms = parseZooms(text('zooms'));
    const server = await task.server();
    const connections = await server.openConnections(PARALLEL_TILES);
    try {
      const download = {
        server,
        layer: operand('LAYER'),
        format: (text('format') ?? 'png') as ExportFormat,
        connections,
      };
      const info = await readLayerInfo(download);
      const bounds = parseBounds(text('bounds') ?? info.bounds?.join(',') ?? WORLD);
      const order = { ...zooms, bounds };
      const total = countTiles(order);
      const report = createProgress(task, total);
      const written = await (isPmtiles ? writePmtiles : writeMbtiles)(task, { download, info, order, report });
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

interface Export {
  readonly download: DownloadOptions;
  readonly info: LayerInfo;
  readonly order: ExportOrder;
  /** Called for each tile. */
  readonly report: () => void;
}

async function writePmtiles({ world, operand }: Task, { download, info, order, report }: Export): Promise<number> {
  const { HEAD_BYTES, PmtilesWriter } = await import('../../lib/tile-archive/pmtiles-writer.ts');
  const writer = new PmtilesWriter(download.format);
  let count = 0;
  let head: Uint8Array = new Uint8Array();
  async function* writePieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(HEAD_BYTES);
    for await (const { position, bytes } of downloadTiles(download, listTiles(order))) {
      report();
      if (bytes.length === 0) continue;
      count += 1;
      const piece = writer.add(computeTileId(position), bytes);
      if (piece !== undefined) yield piece;
    }
    const finished = writer.finish({ ...order, type: download.format, metadata: createMetadata(info) });
    head = finished.head;
    yield finished.tail;
  }
  await world.writeFile(operand('FILE'), writePieces(), {
    // The head refers to what follows it.
    check: async (path) => {
      const written = await open(path, 'r+');
      try {
        await written.write(head, 0, head.length, 0);
        await written.sync();
      } finally {
        await written.close();
      }
    },
  });
  return count;
}

async function writeMbtiles({ world, operand }: Task, { download, info, order, report }: Export): Promise<number> {
  const { MbtilesWriter } = await import('../../lib/tile-archive/mbtiles-writer.ts');
  const path = world.resolvePath(operand('FILE'));
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  const writer = openWriter(() => new MbtilesWriter(partial, { isVector: download.format === 'mvt' }), operand('FILE'));
  let count = 0;
  try {
    for await (const { position, bytes } of downloadTiles(download, listTiles(order))) {
      report();
      if (bytes.length === 0) continue;
      count += 1;
      writer.add(position, bytes);
    }
    const { vector_layers: layers, ...texts } = createMetadata(info);
    writer.finish({
      ...texts,
      format: download.format === 'mvt' ? 'pbf' : download.format === 'jpeg' ? 'jpg' : download.format,
      minzoom: String(order.minZoom),
      maxzoom: String(order.maxZoom),
      bounds: order.bounds.join(','),
      ...(layers === undefined ? {} : { json: JSON.stringify({ vector_layers: layers }) }),
    });
    await rename(partial, path);
  } finally {
    writer.close();
    await rm(partial, { force: true });
  }
  return count;
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
