/** The interface to drivers, secrets and path checks for connection parameters. */
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { DetailedTypeSummary } from '../../vector/port/port.ts';
import type { DataStore } from '../kinds/data-store.ts';
import type { StoreFiles } from '../kinds/store.ts';

export interface AcceptedParameters {
  /** The type that the parameters determine. */
  readonly type: string;
  /** The parameters without secrets. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The secret parameters, each encrypted. */
  readonly sealedParameters: Readonly<Record<string, Secret>>;
}

/** Parameters in their stored form, with warnings for the client. */
export interface CheckedParameters extends AcceptedParameters {
  /** Whether the store is saved for other servers only: disabled, because this one cannot open it. */
  readonly isForeign: boolean;
  readonly warnings: readonly string[];
}

export interface AcceptContext {
  readonly principal: Principal;
  /** Whether unknown parameters are rejected. */
  readonly isStrict: boolean;
  /** The store that is being changed; its existing hosts and paths need no new permission. */
  readonly current?: DataStore;
}

export interface StoreParameters {
  /** Validates the parameters, determines the store type, and encrypts the secret ones. */
  accept(parameters: Readonly<Record<string, string>>, context: AcceptContext): Promise<CheckedParameters>;
  /** Opens and closes the data, and lists its types; throws a problem if that fails. */
  checkConnection(
    name: string,
    parameters: AcceptedParameters & Partial<StoreFiles>,
  ): Promise<readonly DetailedTypeSummary[]>;
  /** Returns why the data cannot be opened; undefined if it can. Has a short timeout. */
  findConnectionProblem(
    name: string,
    parameters: AcceptedParameters & Partial<StoreFiles>,
  ): Promise<Problem | undefined>;
  /** Logs that a store was saved although its data cannot be opened. */
  reportUnreachable(store: DataStore, why: Problem): Promise<void>;
  /** Returns whether parameters of a store still refer to its uploaded files. */
  hasUploadedFiles(store: DataStore, accepted: AcceptedParameters): boolean;
}

/**
 * Keeps a password that was not sent: responses never contain it, so a document that is read and sent back lacks it.
 * Not for another store type, nor when a caller without full administrator rights would send it to another host.
 */
export function keepSecrets(
  store: DataStore,
  { type, parameters, sealedParameters }: AcceptedParameters,
  principal: Principal,
): AcceptedParameters {
  const accepted = { type, parameters, sealedParameters };
  const names = [...Object.keys(store.parameters), ...Object.keys(parameters), 'host', 'port'];
  const isElsewhere = names.some(
    (name) => findServer(name, store.parameters[name]) !== findServer(name, parameters[name]),
  );
  if (accepted.type !== store.type || (isElsewhere && !isAdministrator(principal))) {
    return accepted;
  }
  return { ...accepted, sealedParameters: { ...store.sealedParameters, ...accepted.sealedParameters } };
}

/** Returns the server that a parameter refers to: a host, a port or a URL. */
function findServer(name: string, value: string | undefined): string | undefined {
  if (name === 'host' || name === 'port') {
    return value;
  }
  return value !== undefined && /^\s*https?:/i.test(value) ? (URL.parse(value.trim())?.origin ?? value) : undefined;
}
