/** The configuration documents of identity providers, cached. */
import type { AuthProvider } from '../model/auth-provider.ts';
import { type Discovery, discover } from './discovery.ts';
import { type ProviderGate, startFetch } from './fetch-json.ts';
import { KeysUnavailable } from './key-sets.ts';

/** Endpoints change rarely, and users who sign in wait for the document. */
const LIFETIME_MS = 600_000;
/** A failed fetch is not repeated before. */
const FAILURE_MS = 5_000;

interface CachedDiscovery {
  /** The version of the provider record: any change drops the document. */
  readonly version: number;
  readonly found: Promise<Discovery | undefined>;
  untilMs: number;
}

export class Discoveries {
  readonly #cached = new Map<string, CachedDiscovery>();
  readonly #options: { readonly urlGate: ProviderGate; readonly clock: () => number };

  constructor(options: { readonly urlGate: ProviderGate; readonly clock: () => number }) {
    this.#options = options;
  }

  /** Throws `KeysUnavailable` if the document cannot be fetched. */
  async find(provider: AuthProvider): Promise<Discovery> {
    const { id, version, name } = provider;
    let cached = this.#cached.get(id);
    if (cached?.version !== version || this.#options.clock() >= cached.untilMs) {
      cached = this.#load(provider);
      this.#cached.set(id, cached);
    }
    const found = await cached.found;
    if (found === undefined) throw new KeysUnavailable(`The provider ${name} does not answer`);
    return found;
  }

  #load({ version, settings: { issuer = '' } }: AuthProvider): CachedDiscovery {
    const { urlGate, clock } = this.#options;
    const found = discover(urlGate, issuer, startFetch()).catch(() => {
      cached.untilMs = clock() + FAILURE_MS;
      return undefined;
    });
    const cached: CachedDiscovery = { version, found, untilMs: clock() + LIFETIME_MS };
    return cached;
  }
}
