/** Connection parameters on their way in, checked and sealed, and on their way to the data, opened. */

import type { PathGate } from '../../gates/path-gate.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { SealBroken, type Sealer } from '../../security/core/sealer.ts';
import type { ConnectionParameters, VectorDriver } from '../../vector/port/driver.ts';
import { checkParameters, getDriver, isSecret } from '../../vector/port/parameters.ts';
import type { DataStore } from '../kinds/data-store.ts';
import type { AcceptContext, AcceptedParameters, CheckedParameters } from './store-parameters.ts';

export interface ParameterCheckContext {
  readonly drivers: readonly VectorDriver[];
  readonly sealer: Sealer;
  /** For paths that clients name. */
  readonly clientPaths: PathGate;
  /** Hosts that administrators of a workspace may connect to. */
  readonly databaseHosts: ReadonlySet<string>;
}

/** Checks what a client says, tells the kind of store it means, and seals what is secret. */
export async function acceptParameters(
  { drivers, sealer, clientPaths, databaseHosts }: ParameterCheckContext,
  given: Readonly<Record<string, string>>,
  { principal, current, isStrict }: AcceptContext,
): Promise<CheckedParameters> {
  // The namespace follows the workspace; what a client says of it is what it once read.
  const { namespace: _namespace, ...parameters } = given;
  const driver = getDriver(drivers, parameters);
  const warnings = checkParameters(driver, parameters, { isStrict });
  checkDatabaseHost(driver, parameters, databaseHosts, principal, current);
  await driver.checkAccess?.(parameters);
  for (const [name, value] of Object.entries(parameters)) {
    const isPath = driver.pathParameters?.includes(name) === true || driver.isPath?.(name, value) === true;
    if (isPath && value !== current?.parameters[name]) {
      await clientPaths.resolveAllowed(value, principal);
    }
  }
  const entries = Object.entries(parameters);
  const secrets = entries.filter(([name, value]) => isSecret(drivers, driver, name, value));
  return {
    type: driver.type,
    parameters: Object.fromEntries(entries.filter((entry) => !secrets.includes(entry))),
    sealedParameters: Object.fromEntries(secrets.map(([name, value]) => [name, sealer.seal(value)])),
    warnings,
  };
}

/**
 * A connection tells whether something answers at a host and port, and speaks to it with the server's own address: that is
 * for full administrators. Others choose among hosts that were named for them, and keep those their stores have already.
 */
function checkDatabaseHost(
  driver: VectorDriver,
  parameters: ConnectionParameters,
  allowed: ReadonlySet<string>,
  principal: Principal,
  current: DataStore | undefined,
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

/** The parameters as drivers are given them, secrets opened. */
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
          reason: 'its password was sealed with a keystore that is lost; set it anew',
        })
      : error;
  }
}
