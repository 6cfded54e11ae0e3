/** The GeoPackage driver; its implementation is loaded on first use. */
import type { VectorDriver } from '../port/driver.ts';

export const geopackageDriver: VectorDriver = {
  type: 'GeoPackage',
  accepts: (parameters) => parameters['dbtype']?.trim().toLowerCase() === 'geopkg',
  // All but the first three are parameters that clients of other servers send.
  parameterNames: new Set([
    'database',
    'read_only',
    'Expose primary keys',
    'user',
    'passwd',
    'fetch size',
    'Batch insert size',
    'memory map size',
    'min connections',
    'max connections',
    'Connection timeout',
    'validate connections',
    'Max connection idle time',
    'Evictor run periodicity',
    'Evictor tests per run',
    'Test while idle',
    'contents_only',
  ]),
  pathParameters: ['database'],
  validate(parameters) {
    if ((parameters['database'] ?? '').trim() === '') {
      return { parameter: 'database', reason: 'a GeoPackage store requires the path of its file' };
    }
    const odd = ['read_only', 'Expose primary keys'].find(
      (name) => !/^\s*(?:true|false)?\s*$/i.test(parameters[name] ?? ''),
    );
    return odd === undefined ? undefined : { parameter: odd, reason: 'it must be true or false' };
  },
  async open(parameters, context) {
    const { openGeopackage } = await import('./geopackage-source.ts');
    return openGeopackage(parameters, context);
  },
  uploads: {
    format: 'gpkg',
    store: 'file',
    mayBeEmpty: true,
    isMadeForImports: true,
    createParameters: (location) => ({ dbtype: 'geopkg', database: location }),
  },
  takesImports: true,
};
