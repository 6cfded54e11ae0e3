/** The drivers of archives with vector tiles: `database` is an MBTiles file, and `pmtiles` a PMTiles file. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import type { ConnectionParameters, DriverContext, VectorDriver } from '../port/driver.ts';
import type { VectorSource } from '../port/port.ts';
import type { TileArchive } from './model/tile-archive.ts';

export const mbtilesVectorDriver: VectorDriver = {
  type: 'MBTiles with vector tiles',
  accepts: ({ database, dbtype = '' }) => database !== undefined && dbtype.trim().toLowerCase() === 'mbtiles',
  parameterNames: new Set(['database']),
  pathParameters: ['database'],
  validate: (parameters) => validatePath(parameters, 'database', 'an MBTiles store requires an .mbtiles file'),
  open: async (parameters, context) => {
    const { openMbtiles } = await import('./mbtiles.ts');
    return openSource(await resolveFile(parameters, 'database', context), openMbtiles);
  },
  uploads: {
    format: 'mbtiles',
    store: 'file',
    mayBeEmpty: false,
    isMadeForImports: false,
    createParameters: (location) => ({ dbtype: 'mbtiles', database: location }),
  },
  takesImports: false,
};

export const pmtilesVectorDriver: VectorDriver = {
  type: 'PMTiles',
  accepts: ({ pmtiles }) => pmtiles !== undefined,
  parameterNames: new Set(['pmtiles', 'dbtype']),
  pathParameters: ['pmtiles'],
  validate: (parameters) => validatePath(parameters, 'pmtiles', 'a PMTiles store requires a .pmtiles file'),
  open: async (parameters, context) => {
    const [{ openPmtiles }, { openByteFile }] = await Promise.all([
      import('./pmtiles/pmtiles.ts'),
      import('./model/byte-file.ts'),
    ]);
    return openSource(await resolveFile(parameters, 'pmtiles', context), (path) => openPmtiles(openByteFile(path)));
  },
  uploads: {
    format: 'pmtiles',
    store: 'file',
    mayBeEmpty: false,
    isMadeForImports: false,
    createParameters: (location) => ({ pmtiles: location }),
  },
  takesImports: false,
};

function validatePath(parameters: ConnectionParameters, parameter: string, missing: string) {
  const value = parameters[parameter] ?? '';
  if (value.trim() === '') return { parameter, reason: missing };
  return /^[a-z][a-z0-9+.-]+:/i.test(value) && !/^file:/i.test(value)
    ? { parameter, reason: 'it must be a path or a file: URL' }
    : undefined;
}

async function resolveFile(
  parameters: ConnectionParameters,
  parameter: string,
  context: DriverContext,
): Promise<string> {
  const path = await context.resolvePath(parameters[parameter] ?? '');
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) throw problem('vector-file-missing', { file: basename(path) });
  return path;
}

async function openSource(path: string, open: (path: string) => TileArchive): Promise<VectorSource> {
  const { TileArchiveSource } = await import('./tile-archive-source.ts');
  return new TileArchiveSource({ fileName: basename(path), openArchive: () => open(path) });
}
