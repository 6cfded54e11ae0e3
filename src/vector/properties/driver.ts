/** The driver for property files: `directory` is a folder of them. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import type { VectorDriver } from '../port/driver.ts';

export const propertiesDriver: VectorDriver = {
  type: 'Properties',
  accepts: ({ directory, url, dbtype = '' }) =>
    directory !== undefined && url === undefined && /^(?:|properties)$/i.test(dbtype.trim()),
  parameterNames: new Set(['directory']),
  pathParameters: ['directory'],
  validate: ({ directory = '' }) => {
    if (directory.trim() === '') {
      return { parameter: 'directory', reason: 'a Properties store requires a folder of .properties files' };
    }
    return /^[a-z][a-z0-9+.-]+:/i.test(directory) && !/^file:/i.test(directory)
      ? { parameter: 'directory', reason: 'it must be a path or a file: URL' }
      : undefined;
  },
  async open(parameters, context) {
    const path = await context.resolvePath(parameters['directory'] ?? '');
    const status = await stat(path).catch(() => undefined);
    if (status === undefined) throw problem('vector-file-missing', { file: basename(path) });
    const { openPropertyDirectory, openPropertyFile } = await import('./properties-source.ts');
    return status.isDirectory() ? openPropertyDirectory(path) : openPropertyFile(path);
  },
  uploads: {
    format: 'properties',
    store: 'folder',
    mayBeEmpty: false,
    isMadeForImports: false,
    createParameters: (location) => ({ directory: location }),
  },
  takesImports: false,
};
