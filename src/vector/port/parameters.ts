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

/** Returns the driver for the parameters; throws a 400 that lists the alternatives if there is none. */
export function getDriver(drivers: readonly VectorDriver[], parameters: ConnectionParameters): VectorDriver {
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
