/** What the catalog asks of whoever knows drivers, secrets and paths before connection parameters are stored. */
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { DataStore } from '../kinds/data-store.ts';
import type { StoreFiles } from '../kinds/store.ts';

export interface AcceptedParameters {
  /** The kind of store that the parameters mean. */
  readonly type: string;
  /** Those that may be shown. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The secret ones, each sealed. */
  readonly sealedParameters: Readonly<Record<string, Secret>>;
}

/** Parameters as they are stored, and what the client should know of them. */
export interface CheckedParameters extends AcceptedParameters {
  readonly warnings: readonly string[];
}

export interface AcceptContext {
  readonly principal: Principal;
  /** Whether parameters that mean nothing are refused. */
  readonly isStrict: boolean;
  /** The store that is being changed: what it has already need not be asked for again. */
  readonly current?: DataStore;
}

export interface StoreParameters {
  /** Checks the parameters, tells the kind of store they mean, and seals the secret ones. */
  accept(parameters: Readonly<Record<string, string>>, context: AcceptContext): Promise<CheckedParameters>;
  /** Opens what the parameters mean and lets go of it again; a problem says why that is not possible. */
  checkConnection(name: string, parameters: AcceptedParameters & Partial<StoreFiles>): Promise<void>;
  /** Why what the parameters mean cannot be opened right now; undefined if it can. It does not take long. */
  findConnectionProblem(
    name: string,
    parameters: AcceptedParameters & Partial<StoreFiles>,
  ): Promise<Problem | undefined>;
  /** Tells whoever runs the server of a store that was saved although its data cannot be opened. */
  reportUnreachable(store: DataStore, why: Problem): Promise<void>;
  /** Whether parameters of a store still mean its uploaded files. */
  hasUploadedFiles(store: DataStore, accepted: AcceptedParameters): boolean;
}

/**
 * A password that was not sent is kept: replies never show it, so a read document sent back has none. Not so for another
 * kind of store, nor when somebody who may not see all sends the password of others to another host.
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

/** The server that a parameter leads to: by its host or its port, or with an address. */
function findServer(name: string, value: string | undefined): string | undefined {
  if (name === 'host' || name === 'port') {
    return value;
  }
  return value !== undefined && /^\s*https?:/i.test(value) ? (URL.parse(value.trim())?.origin ?? value) : undefined;
}
