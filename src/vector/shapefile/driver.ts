/** The shapefile driver: `url` is a .shp file or a folder of them. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { toFileNameKey } from '../../lib/text/file-name.ts';
import type { ConnectionParameters, DriverContext, VectorDriver } from '../port/driver.ts';
import type { VectorSource } from '../port/port.ts';

export const shapefileDriver: VectorDriver = {
  type: 'Shapefile',
  accepts: (parameters) => parameters['url'] !== undefined && isShapefileKind(parameters),
  // All but the first two are parameters that clients of other servers send.
  parameterNames: new Set([
    'url',
    'charset',
    'filetype',
    'fstype',
    'timezone',
    'memory mapped buffer',
    'cache and reuse memory maps',
    'create spatial index',
    'enable spatial index',
    'skipScan',
  ]),
  pathParameters: ['url'],
  validate({ url = '', charset }) {
    if (url.trim() === '') {
      return { parameter: 'url', reason: 'a Shapefile store requires a .shp file or a folder of .shp files' };
    }
    if (/^[a-z][a-z0-9+.-]+:/i.test(url) && !/^file:/i.test(url)) {
      return { parameter: 'url', reason: 'it must be a path or a file: URL' };
    }
    return charset !== undefined && !/^[\w.:() -]{0,40}$/.test(charset)
      ? { parameter: 'charset', reason: 'it is not a known character encoding' }
      : undefined;
  },
  open: (parameters, context) => openNamed(parameters, context),
  uploads: {
    format: 'shp',
    store: 'folder',
    isPartOf: isPartOfShapefile,
    mayBeEmpty: false,
    isMadeForImports: false,
    createParameters: (location, { charset }) => ({ url: location, ...(charset === undefined ? {} : { charset }) }),
  },
  takesImports: false,
};

/** Other store types with a `url` declare their type. */
function isShapefileKind({ dbtype, filetype }: ConnectionParameters): boolean {
  return (
    (dbtype === undefined || dbtype.trim() === '') && (filetype ?? 'shapefile').trim().toLowerCase() === 'shapefile'
  );
}

/**
 * `roads.dbf` and `roads.shp.xml` belong to `roads.shp`; `roads.old.dbf` and `roads.shp.shp` do not. Case is ignored.
 */
function isPartOfShapefile(fileName: string, mainFile: string): boolean {
  const stem = toFileNameKey(mainFile.replace(/\.[^.]*$/, ''));
  const name = toFileNameKey(fileName);
  return name.startsWith(`${stem}.`) && /^(?:[^.]*|shp\..*(?:xml|lock))$/.test(name.slice(stem.length + 1));
}

async function openNamed(parameters: ConnectionParameters, context: DriverContext): Promise<VectorSource> {
  const path = await context.resolvePath(parameters['url'] ?? '');
  const charset = parameters['charset']?.trim();
  const { indexFolder } = context;
  const options = {
    ...(charset === undefined || charset === '' ? {} : { charset }),
    ...(indexFolder === undefined ? {} : { indexFolder }),
  };
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) {
    throw problem('vector-file-missing', { file: basename(path) });
  }
  const { openShapefile, openShapefileDirectory } = await import('./shapefile-source.ts');
  return status.isDirectory()
    ? openShapefileDirectory({ ...options, directory: path })
    : openShapefile({ ...options, path });
}
