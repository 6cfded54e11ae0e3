/** The PostGIS driver; its client library is loaded on first use. */
import { problem } from '../../lib/problems/problem.ts';
import type { VectorDriver } from '../port/driver.ts';
import { postgisParameterNames, readPostgisSettings, validatePostgisParameters } from './connection/parameters.ts';

export const postgisDriver: VectorDriver = {
  type: 'PostGIS',
  accepts: (parameters) => parameters['dbtype']?.trim().toLowerCase() === 'postgis',
  parameterNames: postgisParameterNames,
  // A trailing dot does not change the host.
  getHost: (parameters) => readPostgisSettings(parameters).host.toLowerCase().replace(/\.$/, ''),
  validate: validatePostgisParameters,
  async open(parameters, context) {
    const objection = validatePostgisParameters(parameters);
    if (objection !== undefined) throw problem('store-parameter-invalid', objection);
    const settings = readPostgisSettings(parameters);
    if (settings.user === '') {
      // The client library would default to the user of the server process.
      throw problem('store-unreachable', { name: settings.database, reason: 'the parameter user is missing' });
    }
    const { openPostgis } = await import('./postgis-source.ts');
    return openPostgis(settings, context.filterRunner);
  },
  takesImports: true,
};
