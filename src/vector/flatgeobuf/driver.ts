/** The FlatGeobuf driver: `file` is a .fgb file, a folder of them, or the URL of one. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import type { VectorDriver } from '../port/driver.ts';
import { findLocationFault } from '../support/remote-location.ts';

export const flatgeobufDriver: VectorDriver = {
  type: 'FlatGeobuf',
  accepts: ({ file, dbtype = '' }) => file !== undefined && dbtype.trim().toLowerCase() === 'fgb',
  parameterNames: new Set(['file']),
  pathParameters: ['file'],
  parseRemoteUrl,
  validate({ file = '' }) {
    if (file.trim() === '')
      return { parameter: 'file', reason: 'a FlatGeobuf store requires a .fgb file or a folder of .fgb files' };
    const reason = findLocationFault(file);
    return reason === undefined ? undefined : { parameter: 'file', reason };
  },
  async open(parameters, context) {
    const sources = await import('./flatgeobuf-source.ts');
    const url = parseRemoteUrl(parameters['file'] ?? '');
    if (url !== undefined) return sources.openRemoteFlatgeobuf(url, context.ranges);
    const path = await context.resolvePath(parameters['file'] ?? '');
    const status = await stat(path).catch(() => undefined);
    if (status === undefined) throw problem('vector-file-missing', { file: basename(path) });
    return status.isDirectory() ? sources.openFlatgeobufFolder(path) : sources.openFlatgeobufFile(path);
  },
  uploads: {
    format: 'fgb',
    store: 'folder',
    mayBeEmpty: false,
    isMadeForImports: false,
    createParameters: (location) => ({ dbtype: 'fgb', file: location }),
  },
  takesImports: false,
};
