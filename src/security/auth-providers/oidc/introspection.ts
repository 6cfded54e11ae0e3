/** Asks identity providers whether a token is active (RFC 7662). */
import { hash } from 'node:crypto';
import type { AuthProvider } from '../model/auth-provider.ts';
import { discover, getEndpoint } from './discovery.ts';
import { FetchError, fetchJson, type ProviderGate, startFetch, toClaims } from './fetch-json.ts';
import { KeysUnavailable } from './key-sets.ts';
import type { Claims } from './parse-jwt.ts';

export interface IntrospectionOptions {
  readonly urlGate: ProviderGate;
  readonly clock: () => number;
  /** Decrypts the secret of the client; undefined if that fails or if none is stored. */
  readonly openSecret: (provider: AuthProvider) => string | undefined;
}

const DEFAULT_CACHE_SECONDS = 10;
/** A provider that failed is not asked again before. */
const FAILURE_MS = 5_000;
/** Tokens that are asked about within the time of the cache. */
const MAX_REMEMBERED = 10_000;

export function getIntrospectionCacheMs({ settings }: Pick<AuthProvider, 'settings'>): number {
  return (settings.introspectionCacheSeconds ?? DEFAULT_CACHE_SECONDS) * 1_000;
}

export class Introspections {
  readonly #options: IntrospectionOptions;
  readonly #underWay = new Map<string, Promise<Claims | undefined>>();
  readonly #inactive = new Map<string, number>();
  readonly #failedAtMs = new Map<string, number>();

  constructor(options: IntrospectionOptions) {
    this.#options = options;
  }

  /**
   * Returns what the provider states about an active token; undefined for others. Inactive tokens are remembered here,
   * active ones by the caller. Throws `KeysUnavailable` if the provider does not answer.
   */
  async introspect(provider: AuthProvider, token: string): Promise<Claims | undefined> {
    const { clock } = this.#options;
    const key = `${provider.id} ${provider.version} ${hash('sha256', token, 'base64')}`;
    if ((this.#inactive.get(key) ?? 0) > clock()) return undefined;
    const failure = `${provider.id} ${provider.version}`;
    if (clock() - (this.#failedAtMs.get(failure) ?? Number.NEGATIVE_INFINITY) < FAILURE_MS) throw createError(provider);
    // Concurrent requests with one token share one answer.
    const asked = this.#underWay.get(key) ?? this.#ask(provider, token).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    try {
      const claims = await asked;
      if (claims === undefined) this.#rememberInactive(key, clock() + getIntrospectionCacheMs(provider));
      return claims;
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (this.#failedAtMs.size > MAX_REMEMBERED) this.#failedAtMs.clear();
      this.#failedAtMs.set(failure, clock());
      throw createError(provider);
    }
  }

  async #ask(provider: AuthProvider, token: string): Promise<Claims | undefined> {
    const { urlGate, openSecret } = this.#options;
    const { introspectionUri, issuer = '', clientId = '' } = provider.settings;
    const endMs = startFetch();
    const address = introspectionUri ?? getEndpoint(await discover(urlGate, issuer, endMs), 'introspection_endpoint');
    const client = { id: clientId, secret: openSecret(provider) };
    const fields = { token, token_type_hint: 'access_token' };
    const { document } = await fetchJson(urlGate, address, endMs, { fields, client });
    // The endpoint refuses the client of this server, or this token: other tokens are still asked about.
    if (document === undefined) throw createError(provider);
    const claims = toClaims(document);
    return claims['active'] === true ? claims : undefined;
  }

  #rememberInactive(key: string, untilMs: number): void {
    this.#inactive.set(key, untilMs);
    if (this.#inactive.size > MAX_REMEMBERED) this.#inactive.delete(this.#inactive.keys().next().value ?? key);
  }
}

function createError({ name }: AuthProvider): KeysUnavailable {
  return new KeysUnavailable(`The provider ${name} does not answer`);
}
