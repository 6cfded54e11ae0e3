/** The driver of MySQL and MariaDB; its client library is loaded on first use. */
import { problem } from '../../lib/problems/problem.ts';
import type { VectorDriver } from '../port/driver.ts';
import { mysqlParameterNames, readMysqlSettings, validateMysqlParameters } from './connection/parameters.ts';

export const mysqlDriver: VectorDriver = {
  type: 'MySQL',
  accepts: (parameters) => /^(?:mysql|mariadb)$/i.test(parameters['dbtype']?.trim() ?? ''),
  parameterNames: mysqlParameterNames,
  // A trailing dot does not change the host.
  getHost: (parameters) => readMysqlSettings(parameters).host.toLowerCase().replace(/\.$/, ''),
  validate: validateMysqlParameters,
  async open(parameters, context) {
    const objection = validateMysqlParameters(parameters);
    if (objection !== undefined) throw problem('store-parameter-invalid', objection);
    const settings = readMysqlSettings(parameters);
    if (settings.user === '') {
      throw problem('store-unreachable', { name: settings.database, reason: 'the parameter user is missing' });
    }
    const { openMysql } = await import('./mysql-source.ts');
    return openMysql(settings, context.filterRunner);
  },
  takesImports: true,
};
