/** The FlatGeobuf driver: `file` is a .fgb file or a folder of them. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import type { VectorDriver } from '../port/driver.ts';

export const flatgeobufDriver: VectorDriver = {
  type: 'FlatGeobuf',
  accepts: ({ file, dbtype = '' }) => file !== undefined && dbtype.trim().toLowerCase() === 'fgb',
  parameterNames: new Set(['file']),
  pathParameters: ['file'],
  validate({ file = '' }) {
    if (file.trim() === '')
      return { parameter: 'file', reason: 'a FlatGeobuf store requires a .fgb file or a folder of .fgb files' };
    return /^[a-z][a-z0-9+.-]+:/i.test(file) && !/^file:/i.test(file)
      ? { parameter: 'file', reason: 'it must be a path or a file: URL' }
      : undefined;
  },
  async open(parameters, context) {
    const path = await context.resolvePath(parameters['file'] ?? '');
    const status = await stat(path).catch(() => undefined);
    if (status === undefined) throw problem('vector-file-missing', { file: basename(path) });
    const { openFlatgeobufFile, openFlatgeobufFolder } = await import('./flatgeobuf-source.ts');
    return status.isDirectory() ? openFlatgeobufFolder(path) : openFlatgeobufFile(path);
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
