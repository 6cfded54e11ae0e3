/** Validates connection parameters, which are untrusted client input. */

import { isSecretName } from '../../lib/identity/secret.ts';
import { problem } from '../../lib/problems/problem.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { limitSentences, toPrintable } from '../../lib/text/wording.ts';
import { type ConnectionParameters, secretParameters, type VectorDriver } from './driver.ts';

/** Parameters of every store, which the server fills in or ignores. */
const commonNames: ReadonlySet<string> = new Set(['namespace', 'dbtype']);

/** Patterns that made other servers look up or load foreign code (see CVE-2022-24847 and similar). */
const dangerous = /^\s*(?:jndi|ldaps?|rmi|iiop|corba|dns|nis|nds|jar|netdoc|gopher|php|data|javascript)\s*:/i;
const dangerousNames =
  /^(?:jndiReferenceName|driver|driverClassName|datasource|Session startup SQL|Session close-up SQL)$/i;

/** The name of a connection pool in a Java server. */
const JNDI_NAME = 'jndiReferenceName';
const NO_JNDI = `this server has no JNDI. Replace it with host, port, database, user and passwd`;
export const JNDI_WARNING = `The store is saved, but disabled because of ${JNDI_NAME}: ${NO_JNDI}, and enable the store.`;

/** Returns the driver for the parameters; throws a 400 that lists the alternatives if there is none. */
export function getDriver(drivers: readonly VectorDriver[], parameters: ConnectionParameters): VectorDriver {
  // The other parameters of such a store are not validated, so nothing may open it.
  if (usesJndi(parameters)) {
    throw createParameterProblem(JNDI_NAME, NO_JNDI);
  }
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

/**
 * Rejects parameters that no driver may receive. Parameters that are unknown to this driver are stored, because
 * clients send the same to all stores: each produces a warning, or an error in strict mode.
 */
export function checkParameters(
  driver: VectorDriver,
  parameters: ConnectionParameters,
  options: { readonly isStrict: boolean },
): readonly string[] {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const reason = validateParameter(name, value);
    if (reason !== undefined) {
      throw createParameterProblem(name, reason);
    }
    if (!isKnown(driver, name)) {
      const nearest = findNearestName(name, driver.parameterNames);
      const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
      if (options.isStrict) {
        throw createParameterProblem(name, `${driver.type} stores do not have this parameter${hint.replace('?', '')}`);
      }
      warnings.push(
        `Unknown connection parameter '${toPrintable(name, 60)}' of a ${driver.type} store: it is saved but has no effect${hint || '.'}`,
      );
    }
  }
  const objection = driver.validate(parameters);
  if (objection !== undefined) {
    throw createParameterProblem(objection.parameter, objection.reason);
  }
  return limitSentences(warnings);
}

export function usesJndi(parameters: ConnectionParameters): boolean {
  return parameters[JNDI_NAME] !== undefined;
}

/** Returns the driver of the data that the parameters of a Java server describe. */
export function getDriverWithoutJndi(drivers: readonly VectorDriver[], parameters: ConnectionParameters): VectorDriver {
  const { [JNDI_NAME]: _name, ...others } = parameters;
  return getDriver(drivers, others);
}

/** Accepts the parameters of a store that only a Java server can open. The name of its pool is never looked up. */
export function checkJndiParameters(
  parameters: ConnectionParameters,
  options: { readonly isStrict: boolean },
): readonly string[] {
  for (const [name, value] of Object.entries(parameters)) {
    const isAllowed = name === JNDI_NAME && !options.isStrict;
    const reason = isAllowed ? validateValue(value) : validateParameter(name, value);
    if (reason !== undefined) {
      throw createParameterProblem(name, reason);
    }
  }
  return [JNDI_WARNING];
}

/** Matches values of unknown parameters that look like secrets. */
const secretValue = /:\/\/[^/\s]*:[^/\s]*@|(?:passw(?:or)?d|pwd|token|secret|key|sig(?:nature)?)\s*=/i;

/** Whether a parameter is hidden: secrets of the driver, and unknown parameters that could be secrets. */
export function isSecret(drivers: readonly VectorDriver[], driver: VectorDriver, name: string, value: string): boolean {
  if (secretParameters.has(name) || driver.isSecret?.(name, value) === true) {
    return true;
  }
  // `exposePrimaryKeys` contains "key" but is not a secret.
  const isPlain = isKnown(driver, name) || drivers.some((each) => hasInOtherSpelling(each, name));
  return !isPlain && (isSecretName(name) || secretValue.test(value));
}

function isKnown(driver: VectorDriver, name: string): boolean {
  return commonNames.has(name) || driver.parameterNames.has(name);
}

function hasInOtherSpelling(driver: VectorDriver, name: string): boolean {
  const normalizeName = (text: string): string => text.replaceAll(/[\s_-]/g, '').toLowerCase();
  return [...driver.parameterNames].some(
    (each) => !secretParameters.has(each) && normalizeName(each) === normalizeName(name),
  );
}

function validateParameter(name: string, value: string): string | undefined {
  if (dangerousNames.test(name)) {
    return 'parameters that load code, use JNDI or run SQL statements are not allowed';
  }
  return validateValue(value);
}

function validateValue(value: string): string | undefined {
  if (dangerous.test(value)) {
    return 'JNDI and this URL scheme are not allowed';
  }
  return value.includes('\0') || !value.isWellFormed() ? 'it contains a NUL character or malformed Unicode' : undefined;
}

function createParameterProblem(parameter: string, reason: string) {
  return problem('store-parameter-invalid', {
    parameter,
    reason,
    field: `dataStore.connectionParameters.${parameter}`,
  });
}
