/** Drivers for exchange files: GeoJSON, CSV and KML. Uploads of these are imported. */
import type { VectorDriver } from '../port/driver.ts';
import { type InterchangeFormat, interchangeFormats } from './interchange-formats.ts';

const titles: Readonly<Record<InterchangeFormat, string>> = {
  geojson: 'GeoJSON',
  csv: 'CSV',
  kml: 'KML',
};

export const interchangeDrivers: readonly VectorDriver[] = interchangeFormats.map(
  (format): VectorDriver => ({
    type: titles[format],
    accepts: ({ dbtype = '', file }) => file !== undefined && dbtype.trim().toLowerCase() === format,
    parameterNames: new Set(['file', 'charset']),
    pathParameters: ['file'],
    validate: ({ file = '' }) =>
      file.trim() === '' || (/^[a-z][a-z0-9+.-]+:/i.test(file) && !/^file:/i.test(file))
        ? { parameter: 'file', reason: `it must be the path or the file: URL of a .${format} file` }
        : undefined,
    async open(parameters, context) {
      const { openInterchange } = await import('./interchange-source.ts');
      const path = await context.resolvePath(parameters['file'] ?? '');
      return openInterchange(path, format, parameters['charset']);
    },
    uploads: {
      format,
      store: 'folder',
      mayBeEmpty: false,
      isMadeForImports: false,
      isImported: true,
      createParameters: (location, { charset }) => ({
        dbtype: format,
        file: location,
        ...(charset === undefined ? {} : { charset }),
      }),
    },
    takesImports: false,
  }),
);
