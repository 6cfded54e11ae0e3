/** Validates and encrypts connection parameters before they are stored, and decrypts them for the drivers. */

import type { PathGate } from '../../gates/path-gate.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { SealBroken, type Sealer } from '../../security/core/sealer.ts';
import { type ConnectionParameters, isPathParameter, type VectorDriver } from '../../vector/port/driver.ts';
import {
  checkJndiParameters,
  checkParameters,
  getDriverWithoutJndi,
  isSecret,
  usesJndi,
} from '../../vector/port/parameters.ts';
import type { DataStore } from '../kinds/data-store.ts';
import type { AcceptContext, AcceptedParameters, CheckedParameters } from './store-parameters.ts';

export interface ParameterCheckContext {
  readonly drivers: readonly VectorDriver[];
  readonly sealer: Sealer;
  /** For paths that clients send. */
  readonly clientPaths: PathGate;
  /** The hosts that workspace administrators may connect to. */
  readonly databaseHosts: ReadonlySet<string>;
}

const PARTIAL =
  'The connection parameters do not determine the type of the store. They were combined with the current ones.';

/** Whether these are only some parameters of a store, such as a new password. */
function isIncomplete(drivers: readonly VectorDriver[], sent: ConnectionParameters): boolean {
  return Object.keys(sent).length > 0 && !drivers.some((driver) => driver.accepts(sent));
}

/** Validates the parameters, determines the store type, and encrypts the secret ones. */
export async function acceptParameters(
  { drivers, sealer, clientPaths, databaseHosts }: ParameterCheckContext,
  given: Readonly<Record<string, string>>,
  { principal, current, isStrict }: AcceptContext,
): Promise<CheckedParameters> {
  // The namespace follows the workspace; clients only send back the value that they read.
  const { namespace: _namespace, ...sent } = given;
  const isPartial = !isStrict && current !== undefined && isIncomplete(drivers, sent);
  const parameters = isPartial ? { ...current.parameters, ...sent } : sent;
  const driver = getDriverWithoutJndi(drivers, parameters);
  const isForeign = usesJndi(parameters);
  const check = isForeign
    ? checkJndiParameters(parameters, { isStrict })
    : checkParameters(driver, parameters, { isStrict });
  const warnings = [...(isPartial ? [PARTIAL] : []), ...check];
  if (!isForeign) {
    checkDatabaseHost(driver, parameters, { allowed: databaseHosts, principal, current });
    await driver.checkAccess?.(parameters);
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (isPathParameter(driver, name, value) && value !== current?.parameters[name]) {
      await clientPaths.resolveAllowed(value, principal);
    }
  }
  const entries = Object.entries(parameters);
  const secrets = entries.filter(([name, value]) => isSecret(drivers, driver, name, value));
  return {
    type: isForeign ? `${driver.type} (JNDI)` : driver.type,
    isForeign,
    parameters: Object.fromEntries(entries.filter((entry) => !secrets.includes(entry))),
    sealedParameters: Object.fromEntries(secrets.map(([name, value]) => [name, sealer.seal(value)])),
    warnings,
  };
}

/**
 * A connection reveals whether a service listens on a host and port, and uses the server's own address. So only full
 * administrators may connect to any host; workspace administrators may use the allowed hosts and those that their
 * stores already have.
 */
function checkDatabaseHost(
  driver: VectorDriver,
  parameters: ConnectionParameters,
  {
    allowed,
    principal,
    current,
  }: { readonly allowed: ReadonlySet<string>; readonly principal: Principal; readonly current: DataStore | undefined },
): void {
  const host = driver.getHost?.(parameters);
  if (host === undefined || isAdministrator(principal) || allowed.has(host)) {
    return;
  }
  const isKept =
    current?.type === driver.type &&
    driver.getHost?.(current.parameters) === host &&
    ['port', 'data_store'].every((name) => current.parameters[name] === parameters[name]);
  if (!isKept) {
    throw problem('database-host-refused', { host, field: 'dataStore.connectionParameters.host' });
  }
}

/** Returns the parameters for drivers, with secrets decrypted. */
export function decryptStoreParameters(
  sealer: Sealer,
  name: string,
  { parameters, sealedParameters }: Pick<AcceptedParameters, 'parameters' | 'sealedParameters'>,
): ConnectionParameters {
  try {
    const secrets = Object.entries(sealedParameters).map(([key, sealed]) => [key, sealer.open(sealed)]);
    return { ...parameters, ...Object.fromEntries(secrets) };
  } catch (error) {
    throw error instanceof SealBroken
      ? problem('store-unreachable', {
          name,
          reason: 'its password was encrypted with a keystore that is lost. Set the password again',
        })
      : error;
  }
}
