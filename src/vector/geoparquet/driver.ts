/** The GeoParquet driver: `uri` is a .parquet file or a folder of them. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import type { VectorDriver } from '../port/driver.ts';

export const geoparquetDriver: VectorDriver = {
  type: 'GeoParquet',
  accepts: ({ uri, dbtype = '' }) => uri !== undefined && dbtype.trim().toLowerCase() === 'geoparquet',
  parameterNames: new Set(['uri']),
  pathParameters: ['uri'],
  validate({ uri = '' }) {
    if (uri.trim() === '') {
      return { parameter: 'uri', reason: 'a GeoParquet store requires a .parquet file or a folder of .parquet files' };
    }
    return /^[a-z][a-z0-9+.-]+:/i.test(uri) && !/^file:/i.test(uri)
      ? { parameter: 'uri', reason: 'it must be a path or a file: URL' }
      : undefined;
  },
  async open(parameters, context) {
    const path = await context.resolvePath(parameters['uri'] ?? '');
    const status = await stat(path).catch(() => undefined);
    if (status === undefined) throw problem('vector-file-missing', { file: basename(path) });
    const { openGeoparquetFile, openGeoparquetFolder } = await import('./geoparquet-source.ts');
    return status.isDirectory() ? openGeoparquetFolder(path) : openGeoparquetFile(path);
  },
  uploads: {
    format: 'parquet',
    store: 'folder',
    mayBeEmpty: false,
    isMadeForImports: false,
    createParameters: (location) => ({ dbtype: 'geoparquet', uri: location }),
  },
  takesImports: false,
};
