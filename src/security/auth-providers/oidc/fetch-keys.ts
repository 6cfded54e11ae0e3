/** Fetches the key set of an identity provider. */
import { discover, getEndpoint } from './discovery.ts';
import { FetchError, fetchJson, type ProviderGate } from './fetch-json.ts';
import { type ProviderKey, parseKeySet } from './json-web-keys.ts';

export interface FetchedKeys {
  readonly keys: readonly ProviderKey[];
  readonly cacheControl: string | undefined;
}

/** Returns the address of the key set. */
export async function discoverKeySet(gate: ProviderGate, issuer: string, endMs: number): Promise<string> {
  return getEndpoint(await discover(gate, issuer, endMs), 'jwks_uri');
}

export async function fetchKeys(gate: ProviderGate, address: string, endMs: number): Promise<FetchedKeys> {
  const { document, cacheControl } = await fetchJson(gate, address, endMs);
  const keys = document === undefined ? undefined : parseKeySet(document);
  if (keys === undefined) throw new FetchError('malformed', 'The document is not a key set.');
  return { keys, cacheControl };
}
