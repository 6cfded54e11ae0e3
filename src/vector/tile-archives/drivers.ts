/** The drivers of archives with vector tiles: `database` is an MBTiles file, and `pmtiles` a PMTiles file or its URL. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { getRemoteFileName, parseRemoteUrl } from '../../remote/remote-url.ts';
import type { ConnectionParameters, DriverContext, VectorDriver } from '../port/driver.ts';
import type { VectorSource } from '../port/port.ts';
import { findLocationFault } from '../support/remote-location.ts';
import type { TileArchive } from './model/tile-archive.ts';

export const mbtilesVectorDriver: VectorDriver = {
  type: 'MBTiles with vector tiles',
  accepts: ({ database, dbtype = '' }) => database !== undefined && dbtype.trim().toLowerCase() === 'mbtiles',
  parameterNames: new Set(['database']),
  pathParameters: ['database'],
  validate({ database = '' }) {
    if (database.trim() === '') return { parameter: 'database', reason: 'an MBTiles store requires an .mbtiles file' };
    return /^[a-z][a-z0-9+.-]+:/i.test(database) && !/^file:/i.test(database)
      ? { parameter: 'database', reason: 'it must be a path or a file: URL' }
      : undefined;
  },
  open: async (parameters, context) => {
    const { openMbtiles } = await import('./mbtiles.ts');
    const path = await resolveFile(parameters, 'database', context);
    return openSource(basename(path), () => openMbtiles(path));
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
  parseRemoteUrl,
  validate({ pmtiles = '' }) {
    if (pmtiles.trim() === '') return { parameter: 'pmtiles', reason: 'a PMTiles store requires a .pmtiles file' };
    const reason = findLocationFault(pmtiles);
    return reason === undefined ? undefined : { parameter: 'pmtiles', reason };
  },
  open: async (parameters, context) => {
    const { openPmtiles } = await import('./pmtiles/pmtiles.ts');
    const url = parseRemoteUrl(parameters['pmtiles'] ?? '');
    if (url !== undefined) {
      const { openRemoteByteFile } = await import('./remote-byte-file.ts');
      return openSource(getRemoteFileName(url), () => {
        if (context.ranges === undefined) throw new Error('A remote archive is read in a thread.');
        return openPmtiles(openRemoteByteFile(url, context.ranges));
      });
    }
    const { openByteFile } = await import('./model/byte-file.ts');
    const path = await resolveFile(parameters, 'pmtiles', context);
    return openSource(basename(path), () => openPmtiles(openByteFile(path)));
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

async function openSource(fileName: string, openArchive: () => TileArchive): Promise<VectorSource> {
  const { TileArchiveSource } = await import('./tile-archive-source.ts');
  return new TileArchiveSource({ fileName, openArchive });
}
