/** Fetches the key set of an identity provider through the URL gate. */
import { text } from 'node:stream/consumers';
import type { UrlGate } from '../../../gates/url-gate.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { type ProviderKey, parseKeySet } from './json-web-keys.ts';
import type { Json } from './parse-jwt.ts';
import { isSecureUrl } from './secure-url.ts';

export type ProviderGate = Pick<UrlGate, 'open'>;

/** Why an identity provider cannot be used. */
export type FetchErrorCode = 'unreachable' | 'url-refused' | 'issuer' | 'malformed';

export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Requests with a token wait for the keys: for discovery and the key set together. */
const FETCH_MS = 5_000;
/** More than 100 keys with certificates take. */
const MAX_BYTES = 524_288;

/** When the requests that belong to one fetch end, on the clock of `performance`. */
export function startFetch(): number {
  return performance.now() + FETCH_MS;
}

export interface FetchedKeys {
  readonly keys: readonly ProviderKey[];
  readonly cacheControl: string | undefined;
}

/** Returns the address of the key set. The issuer must call itself by the same name. */
export async function discoverKeySet(gate: ProviderGate, issuer: string, endMs: number): Promise<string> {
  const { document } = await loadJson(gate, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, endMs);
  const found = typeof document === 'object' && document !== null ? (document as Readonly<Record<string, Json>>) : {};
  if (found['issuer'] !== issuer) {
    throw new FetchError('issuer', 'The configuration of the issuer has another issuer.');
  }
  if (typeof found['jwks_uri'] !== 'string') {
    throw new FetchError('malformed', 'The configuration of the issuer has no jwks_uri.');
  }
  if (!isSecureUrl(found['jwks_uri'])) {
    throw new FetchError('malformed', 'The jwks_uri of the issuer is not an https URL.');
  }
  return found['jwks_uri'];
}

export async function fetchKeys(gate: ProviderGate, address: string, endMs: number): Promise<FetchedKeys> {
  const { document, cacheControl } = await loadJson(gate, address, endMs);
  const keys = parseKeySet(document);
  if (keys === undefined) throw new FetchError('malformed', 'The document is not a key set.');
  return { keys, cacheControl };
}

async function loadJson(gate: ProviderGate, address: string, endMs: number) {
  const timeoutMs = Math.max(1, Math.ceil(endMs - performance.now()));
  const opening = { timeoutMs, maxBytes: MAX_BYTES, maxRedirects: 0, accept: 'application/json' };
  let body: string;
  let cacheControl: string | undefined;
  try {
    const opened = await gate.open(address, opening);
    cacheControl = opened.cacheControl;
    body = await text(opened.body);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new FetchError(error.code === 'url-refused' ? 'url-refused' : 'unreachable', error.message);
  }
  try {
    return { document: JSON.parse(body) as Json, cacheControl };
  } catch {
    throw new FetchError('malformed', `The document at ${address} is not JSON.`);
  }
}
