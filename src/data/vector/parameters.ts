/** Connection parameters are text from clients: what must never reach a driver is stopped here. */
import { problem } from '../../lib/problem.ts';
import type { ConnectionParameters, VectorDriver } from './driver.ts';

/** Parameters every store may carry, whatever its driver: the server fills in or ignores them. */
const commonNames: ReadonlySet<string> = new Set(['namespace', 'dbtype']);

/** Ways in which other servers were made to look up or load foreign code (see CVE-2022-24847 and its kin). */
const dangerous = /^\s*(?:jndi|ldaps?|rmi|iiop|corba|dns|nis|nds|jar|netdoc|gopher|php|data|javascript)\s*:/i;
const dangerousNames =
  /^(?:jndiReferenceName|driver|driverClassName|datasource|Session startup SQL|Session close-up SQL)$/i;

/** The driver that these parameters mean; a 400 that says what was expected when there is none. */
export function driverFor(drivers: readonly VectorDriver[], parameters: ConnectionParameters): VectorDriver {
  const driver = drivers.find((each) => each.accepts(parameters));
  if (driver === undefined) {
    throw problem('store-kind-unknown', {
      dbtype: parameters['dbtype'] ?? '',
      kinds: drivers.map((each) => each.type),
      field: 'dataStore.connectionParameters',
    });
  }
  return driver;
}

/** Refuses what no driver may be given, and what this one does not understand. */
export function checkParameters(driver: VectorDriver, parameters: ConnectionParameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    const reason = objectionTo(driver, name, value);
    if (reason !== undefined) {
      throw refusal(name, reason);
    }
  }
  const objection = driver.objection(parameters);
  if (objection !== undefined) {
    throw refusal(objection.parameter, objection.reason);
  }
}

function objectionTo(driver: VectorDriver, name: string, value: string): string | undefined {
  if (dangerousNames.test(name)) {
    return 'a store may not name code to load, a naming service, or statements to run';
  }
  if (dangerous.test(value)) {
    return 'a store may not name a naming service or a scheme of this kind';
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    return 'it is not plain text';
  }
  if (!commonNames.has(name) && !driver.parameterNames.has(name)) {
    return `a ${driver.type} store has no such parameter`;
  }
  return undefined;
}

function refusal(parameter: string, reason: string) {
  return problem('store-parameter-invalid', {
    parameter,
    reason,
    field: `dataStore.connectionParameters.${parameter}`,
  });
}
