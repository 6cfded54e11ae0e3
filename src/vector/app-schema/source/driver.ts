/** The driver for app-schema mappings: `url` is the main mapping. */
import { stat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import { problem } from '../../../lib/problems/problem.ts';
import type { VectorDriver } from '../../port/driver.ts';
import type { SchemaSources } from './collect-schemas.ts';
import type { CompiledOutcome, MappingLocation } from './compile-mapping.ts';
import { COPIES_FOLDER } from './schema-cache.ts';

export interface AppSchemaServices {
  /** The drivers for source stores of mappings. */
  readonly drivers: readonly VectorDriver[];
  /** Compiles the documents of a mapping, which can be slow. */
  readonly compile: (place: MappingLocation, signal: AbortSignal) => Promise<CompiledOutcome>;
  /** The folder with copies of remote schemas. */
  readonly cache?: string;
  /** Downloads a schema into this folder; absent without network access. */
  readonly download?: NonNullable<SchemaSources['download']>;
  /** The file with the operator's properties for placeholders, such as passwords. */
  readonly properties?: string;
  /** The time limit for source stores that are not essential; shorter than that of the mapping itself. */
  readonly patienceMs: number;
}

export function createAppSchemaDriver(services: AppSchemaServices): VectorDriver {
  const { drivers, compile, cache, download, properties, patienceMs } = services;
  return {
    type: 'Application Schema DataAccess',
    accepts: ({ dbtype = '' }) => dbtype.trim().toLowerCase() === 'app-schema',
    parameterNames: new Set(['url']),
    pathParameters: ['url'],
    validate: ({ url = '' }) => {
      if (url.trim() === '')
        return { parameter: 'url', reason: 'an app-schema store requires the path of its main mapping' };
      return /^[a-z][a-z0-9+.-]+:/i.test(url) && !/^file:/i.test(url)
        ? { parameter: 'url', reason: 'it must be a path or a file: URL' }
        : undefined;
    },
    async open({ url = '' }, context) {
      const path = await context.resolvePath(url);
      const status = await stat(path).catch(() => undefined);
      if (status === undefined || !status.isFile()) throw problem('vector-file-missing', { file: basename(path) });
      const uploadFolder = await context.findFolder?.(url);
      const folder = uploadFolder ?? dirname(path);
      const main = relative(folder, path).replaceAll(sep, '/');
      const operatorProperties = context.mayUseSecrets === true ? properties : undefined;
      const place = { folder, main, cache, operatorProperties, outside: new Map<string, string>() };
      const { openAppSchema } = await import('./app-schema-source.ts');
      const own = uploadFolder === undefined ? context : { ...context, uploadFolder };
      return openAppSchema({ place, drivers, context: own, compile, download, patienceMs });
    },
    uploads: {
      format: 'appschema',
      store: 'file',
      mayBeEmpty: false,
      isMadeForImports: false,
      isMapping: true,
      copiesFolder: COPIES_FOLDER,
      createParameters: (location) => ({ dbtype: 'app-schema', url: location }),
    },
    takesImports: false,
  };
}
