/** Signs in users of browsers: redeems the authorization code that an identity provider gave to the console. */
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { listActiveProviders } from '../auth-providers/auth-providers.ts';
import type { AuthProvider } from '../auth-providers/model/auth-provider.ts';
import { getProviderMethod } from '../auth-providers/model/provider-classes.ts';
import type { Discoveries } from '../auth-providers/oidc/discoveries.ts';
import { type EndpointName, getEndpoint } from '../auth-providers/oidc/discovery.ts';
import { FetchError, fetchJson, type ProviderGate, startFetch, toClaims } from '../auth-providers/oidc/fetch-json.ts';
import type { IntrospectionOptions } from '../auth-providers/oidc/introspection.ts';
import { KeysUnavailable } from '../auth-providers/oidc/key-sets.ts';
import type { Claims } from '../auth-providers/oidc/parse-jwt.ts';
import { RateWindows } from '../tokens/rate-windows.ts';

export interface BrowserSignInOptions {
  readonly urlGate: ProviderGate;
  readonly clock: () => number;
  readonly discoveries: Pick<Discoveries, 'find'>;
  readonly openSecret: IntrospectionOptions['openSecret'];
  /** Validates an access token as in a request. */
  readonly checkToken: (token: string, address: string) => Promise<Principal>;
}

/** What a browser needs to begin a sign-in. */
export interface OfferedProvider {
  readonly name: string;
  readonly label: string;
  readonly authorizationUrl: string;
  readonly clientId: string;
  readonly scopes: string;
}

export interface AuthorizationCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export interface IssuedToken {
  readonly accessToken: string;
  /** Null if the provider does not state it. */
  readonly expiresIn: number | null;
}

/** A person signs in a few times a minute at most; several people can share an address. */
const MAX_PER_MINUTE = 30;
const RETRY_SECONDS = 5;
const DEFAULT_SCOPES = 'openid';

export class BrowserSignIn {
  readonly #options: BrowserSignInOptions;
  readonly #rates = new RateWindows();

  constructor(options: BrowserSignInOptions) {
    this.#options = options;
  }

  /** Lists the enabled providers for browsers that answer. */
  async listProviders(catalog: CatalogReader): Promise<readonly OfferedProvider[]> {
    const offered = await Promise.all(
      (await listActiveProviders(catalog)).filter(isForBrowsers).map(async (provider) => {
        const { clientId = '', scopes = DEFAULT_SCOPES, label = provider.name } = provider.settings;
        const authorizationUrl = await this.#findEndpoint(provider, 'authorization_endpoint').catch(
          (error: unknown) => {
            if (error instanceof KeysUnavailable) return undefined;
            throw error;
          },
        );
        return authorizationUrl === undefined
          ? []
          : [{ name: provider.name, label, authorizationUrl, clientId, scopes }];
      }),
    );
    return offered.flat();
  }

  /** The server keeps nothing between the begin of a sign-in and its end, so that any node can finish it. */
  async redeemCode(
    catalog: CatalogReader,
    name: string,
    sent: AuthorizationCode,
    address: string,
  ): Promise<IssuedToken> {
    const retryAfterSeconds = this.#rates.admit(address, MAX_PER_MINUTE, this.#options.clock());
    if (retryAfterSeconds !== undefined) throw problem('token-rate', { what: 'sign-ins', retryAfterSeconds });
    const provider = (await listActiveProviders(catalog)).find((each) => each.name === name && isForBrowsers(each));
    if (provider === undefined) throw problem('auth-provider-unknown', { name });
    const issued = await this.#requestToken(provider, sent);
    const { access_token: accessToken, expires_in: expiresIn } = issued ?? {};
    if (typeof accessToken !== 'string') {
      throw problem('sign-in-refused', { reason: 'the identity provider does not accept the code' });
    }
    const principal = await this.#options.checkToken(accessToken, address);
    if (principal.via?.provider !== name) {
      throw problem('sign-in-refused', { reason: 'the token belongs to another authentication provider' });
    }
    return { accessToken, expiresIn: typeof expiresIn === 'number' ? expiresIn : null };
  }

  /** Returns undefined if the provider refuses the code. */
  async #requestToken(provider: AuthProvider, sent: AuthorizationCode): Promise<Claims | undefined> {
    const { urlGate, openSecret } = this.#options;
    try {
      const endpoint = await this.#findEndpoint(provider, 'token_endpoint');
      const { document } = await fetchJson(urlGate, endpoint, startFetch(), {
        fields: {
          grant_type: 'authorization_code',
          code: sent.code,
          code_verifier: sent.codeVerifier,
          redirect_uri: sent.redirectUri,
        },
        client: { id: provider.settings.clientId ?? '', secret: openSecret(provider) },
      });
      return document === undefined ? undefined : toClaims(document);
    } catch (error) {
      if (error instanceof FetchError || error instanceof KeysUnavailable) {
        throw problem('provider-unavailable', { retryAfterSeconds: RETRY_SECONDS });
      }
      throw error;
    }
  }

  async #findEndpoint(provider: AuthProvider, name: EndpointName): Promise<string> {
    try {
      return getEndpoint(await this.#options.discoveries.find(provider), name);
    } catch (error) {
      throw error instanceof FetchError ? new KeysUnavailable(error.message) : error;
    }
  }
}

function isForBrowsers({ className, settings }: AuthProvider): boolean {
  return getProviderMethod(className) === 'oidc' && settings.browserSignIn === true;
}
