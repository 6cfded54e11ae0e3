/** The key sets of identity providers, fetched through the URL gate, cached, and kept during an outage. */
import type { AuthProvider } from '../model/auth-provider.ts';
import { type ProviderGate, startFetch } from './fetch-json.ts';
import { discoverKeySet, fetchKeys } from './fetch-keys.ts';
import type { ProviderKey } from './json-web-keys.ts';

export interface KeySetOptions {
  readonly urlGate: ProviderGate;
  readonly clock: () => number;
}

/** Neither new keys nor kept ones are available. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

const MINUTE_MS = 60_000;
const DEFAULT_LIFETIME_MS = 10 * MINUTE_MS;
/** A withdrawn key stays valid for this time at most while the provider is reachable. */
const MAX_LIFETIME_MS = 60 * MINUTE_MS;
/** Keys of the last successful fetch stay valid during an outage. */
const OUTAGE_MS = 24 * 60 * MINUTE_MS;
/** Tokens with invented key ids must not make the server fetch more often. */
const UNKNOWN_KEY_MS = 10_000;
const FAILURE_MS = 5_000;
/** A failed fetch is evidence of an outage for this time. */
const OUTAGE_MEMORY_MS = MINUTE_MS;

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

  /**
   * Returns the keys; fetches them if they are missing, outdated or do not include a wanted one. Only a request that
   * needs the result waits for a fetch: anyone can send tokens with unknown keys, and they must not delay others.
   */
  async find(
    provider: AuthProvider,
    isWanted: (keys: readonly ProviderKey[]) => boolean,
  ): Promise<readonly ProviderKey[]> {
    const set = this.#getSet(provider);
    const nowMs = this.#options.clock();
    const isFresh = nowMs < set.freshUntilMs;
    const hasKey = isWanted(set.keys ?? []);
    const triedAgoMs = nowMs - set.triedAtMs;
    const isPaused = triedAgoMs < (isFresh ? UNKNOWN_KEY_MS : set.hasFailed ? FAILURE_MS : 0);
    if (!(isFresh && hasKey) && !isPaused) this.#startRefresh(provider, set);
    // Outdated keys may be withdrawn. During an outage they stay valid, and the next attempt is not waited for.
    const isOutage = set.hasFailed && triedAgoMs < OUTAGE_MEMORY_MS && nowMs - set.fetchedAtMs <= OUTAGE_MS;
    const isUsable = hasKey && (isFresh || isOutage);
    if (!isUsable) await set.fetching;
    if (set.keys === undefined || this.#options.clock() - set.fetchedAtMs > OUTAGE_MS) {
      throw new KeysUnavailable(`The keys of the provider ${provider.name} are unavailable`);
    }
    return set.keys;
  }

  #startRefresh(provider: AuthProvider, set: KeySet): void {
    set.fetching ??= this.#refresh(provider, set).finally(() => {
      set.fetching = undefined;
    });
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
    const { clock, urlGate } = this.#options;
    set.triedAtMs = clock();
    try {
      const { jwksUri, issuer = '' } = settings;
      const endMs = startFetch();
      const address = jwksUri ?? (await discoverKeySet(urlGate, issuer, endMs));
      const { keys, cacheControl } = await fetchKeys(urlGate, address, endMs);
      set.keys = keys;
      set.fetchedAtMs = clock();
      set.freshUntilMs = set.fetchedAtMs + readLifetimeMs(cacheControl);
      set.hasFailed = false;
    } catch {
      // Kept keys stay valid. Without any, the response is 503 with Retry-After.
      set.hasFailed = true;
    }
  }
}

function readLifetimeMs(cacheControl: string | undefined): number {
  const [, seconds] = /\bmax-age=(\d{1,9})/.exec(cacheControl ?? '') ?? [];
  return seconds === undefined
    ? DEFAULT_LIFETIME_MS
    : Math.min(MAX_LIFETIME_MS, Math.max(MINUTE_MS, Number(seconds) * 1_000));
}
