/** The key sets of identity providers, fetched through the URL gate, cached, and kept during an outage. */
import { text } from 'node:stream/consumers';
import type { UrlGate } from '../../../gates/url-gate.ts';
import type { AuthProvider } from '../model/auth-provider.ts';
import { type ProviderKey, parseKeySet } from './json-web-keys.ts';
import type { Json } from './parse-jwt.ts';

export interface KeySetOptions {
  readonly urlGate: Pick<UrlGate, 'open'>;
  readonly clock: () => number;
}

/** Neither new keys nor kept ones are available. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

const FETCH_MS = 5_000;
const MAX_BYTES = 524_288;
const MINUTE_MS = 60_000;
const DEFAULT_LIFETIME_MS = 10 * MINUTE_MS;
const MAX_LIFETIME_MS = 60 * MINUTE_MS;
/** Keys of the last successful fetch stay valid during an outage. */
const OUTAGE_MS = 24 * 60 * MINUTE_MS;
/** Tokens with invented key ids must not make the server fetch more often. */
const UNKNOWN_KEY_MS = 10_000;
const FAILURE_MS = 5_000;

interface KeySet {
  /** The version of the provider record: any change drops the keys. */
  readonly version: number;
  keys: readonly ProviderKey[] | undefined;
  fetchedAtMs: number;
  freshUntilMs: number;
  triedAtMs: number;
  hasFailed: boolean;
  fetching: Promise<void> | undefined;
}

export class KeySets {
  readonly #options: KeySetOptions;
  readonly #sets = new Map<string, KeySet>();

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** Returns the keys; fetches them if they are missing, outdated or do not include a wanted one. */
  async find(
    provider: AuthProvider,
    isWanted: (keys: readonly ProviderKey[]) => boolean,
  ): Promise<readonly ProviderKey[]> {
    const set = this.#getSet(provider);
    const nowMs = this.#options.clock();
    const isFresh = set.keys !== undefined && nowMs < set.freshUntilMs;
    const lacksKey = isFresh && !isWanted(set.keys ?? []) && nowMs - set.triedAtMs >= UNKNOWN_KEY_MS;
    const isPaused = set.hasFailed && nowMs - set.triedAtMs < FAILURE_MS;
    if (set.fetching !== undefined || ((!isFresh || lacksKey) && !isPaused)) {
      set.fetching ??= this.#refresh(provider, set).finally(() => {
        set.fetching = undefined;
      });
      await set.fetching;
    }
    if (set.keys === undefined || this.#options.clock() - set.fetchedAtMs > OUTAGE_MS) {
      throw new KeysUnavailable(`The keys of the provider ${provider.name} are unavailable`);
    }
    return set.keys;
  }

  #getSet({ id, version }: AuthProvider): KeySet {
    const known = this.#sets.get(id);
    if (known?.version === version) return known;
    const set: KeySet = {
      version,
      keys: undefined,
      fetchedAtMs: 0,
      freshUntilMs: 0,
      triedAtMs: 0,
      hasFailed: false,
      fetching: undefined,
    };
    this.#sets.set(id, set);
    return set;
  }

  async #refresh({ settings }: AuthProvider, set: KeySet): Promise<void> {
    const { clock } = this.#options;
    set.triedAtMs = clock();
    try {
      const { jwksUri, issuer = '' } = settings;
      const address = jwksUri ?? (await this.#discover(issuer));
      const { document, lifetimeMs } = await this.#loadJson(address);
      const keys = parseKeySet(document);
      if (keys === undefined) throw new Error('The document is not a key set.');
      set.keys = keys;
      set.fetchedAtMs = clock();
      set.freshUntilMs = set.fetchedAtMs + lifetimeMs;
      set.hasFailed = false;
    } catch {
      // Kept keys stay valid; requests without any are told to retry.
      set.hasFailed = true;
    }
  }

  async #discover(issuer: string): Promise<string> {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { document } = await this.#loadJson(address);
    const found = typeof document === 'object' && document !== null ? (document as Readonly<Record<string, Json>>) : {};
    if (found['issuer'] !== issuer || typeof found['jwks_uri'] !== 'string') {
      throw new Error('The configuration of the issuer has another issuer or no key set.');
    }
    return found['jwks_uri'];
  }

  async #loadJson(address: string): Promise<{ readonly document: Json; readonly lifetimeMs: number }> {
    const opened = await this.#options.urlGate.open(address, {
      timeoutMs: FETCH_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      accept: 'application/json',
    });
    const document = JSON.parse(await text(opened.body)) as Json;
    return { document, lifetimeMs: readLifetimeMs(opened.cacheControl) };
  }
}

function readLifetimeMs(cacheControl: string | undefined): number {
  const [, seconds] = /\bmax-age=(\d{1,9})/.exec(cacheControl ?? '') ?? [];
  return seconds === undefined
    ? DEFAULT_LIFETIME_MS
    : Math.min(MAX_LIFETIME_MS, Math.max(MINUTE_MS, Number(seconds) * 1_000));
}
