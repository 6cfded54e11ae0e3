/** The GeoParquet driver: `uri` is a .parquet file, a folder of them, or the URL of one. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import type { VectorDriver } from '../port/driver.ts';
import { findLocationFault } from '../support/remote-location.ts';

export const geoparquetDriver: VectorDriver = {
  type: 'GeoParquet',
  accepts: ({ uri, dbtype = '' }) => uri !== undefined && dbtype.trim().toLowerCase() === 'geoparquet',
  parameterNames: new Set(['uri']),
  pathParameters: ['uri'],
  parseRemoteUrl,
  validate({ uri = '' }) {
    if (uri.trim() === '') {
      return { parameter: 'uri', reason: 'a GeoParquet store requires a .parquet file or a folder of .parquet files' };
    }
    const reason = findLocationFault(uri);
    return reason === undefined ? undefined : { parameter: 'uri', reason };
  },
  async open(parameters, context) {
    const sources = await import('./geoparquet-source.ts');
    const url = parseRemoteUrl(parameters['uri'] ?? '');
    if (url !== undefined) return sources.openRemoteGeoparquet(url, context.ranges);
    const path = await context.resolvePath(parameters['uri'] ?? '');
    const status = await stat(path).catch(() => undefined);
    if (status === undefined) throw problem('vector-file-missing', { file: basename(path) });
    return status.isDirectory() ? sources.openGeoparquetFolder(path) : sources.openGeoparquetFile(path);
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
