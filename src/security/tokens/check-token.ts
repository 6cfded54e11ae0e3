/** Checks API tokens of requests. A token that was checked once is remembered until anything that it depends on changes. */

import { toClientNetwork } from '../../lib/identity/client-network.ts';
import type { TokenCredentials } from '../../lib/identity/credentials.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { getRevisionVersion, getSecurityVersion } from '../core/security-state.ts';
import { findRefusal, type OnSignIn, type SignInResult, UNKNOWN_USER } from '../sign-in-attempt.ts';
import { type ApiToken, apiTokenKind, tokenState } from '../token-records/token.ts';
import { InvalidTokens, RateWindows } from './rate-windows.ts';
import { resolveTokenPrincipal } from './token-principal.ts';
import { hashTokenSecret, isTokenSecret } from './token-secret.ts';
import type { TokenUses } from './token-uses.ts';
import { computeEndMs } from './tokens.ts';

export interface TokenCheckOptions {
  readonly catalog: Pick<Catalog, 'position'> & CatalogReader;
  readonly builtinAdmin: boolean;
  readonly uses: TokenUses;
  readonly clock: () => number;
  /** Whether tokens in URLs are accepted. */
  readonly acceptsQueryKeys: boolean;
  readonly onSignIn: OnSignIn;
}

/** A token that was valid at a state of the catalog. */
interface CheckedToken {
  readonly token: ApiToken;
  readonly principal: Principal;
  /** The versions of the records that the result depends on. */
  readonly version: string;
}

interface ConnectionToken {
  readonly checked: CheckedToken;
  readonly position: number;
}

/** The maximum number of remembered tokens. */
const MAX_REMEMBERED = 20_000;

export type TokenCheck = ReturnType<typeof createTokenCheck>;

export function createTokenCheck(options: TokenCheckOptions) {
  const { catalog, uses, clock } = options;
  const remembered = new Map<string, CheckedToken>();
  const settled = new WeakMap<TokenCredentials, ConnectionToken>();
  const rates = new RateWindows();
  const invalid = new InvalidTokens();

  /** Returns the principal, without reading while nothing was written since the last request of the connection. */
  function check(credentials: TokenCredentials, address: string): Principal | Promise<Principal> {
    const last = settled.get(credentials);
    return last !== undefined && last.position === catalog.position() && last.checked.token.idleMinutes === null
      ? admit(last.checked, address)
      : resolve(credentials, address);
  }

  async function resolve(credentials: TokenCredentials, address: string): Promise<Principal> {
    const position = catalog.position();
    const { secret } = credentials;
    const digest = hashTokenSecret(secret);
    const isKnown = remembered.has(digest);
    const checked = isTokenSecret(secret) ? await find(digest) : 'it is not a token of this server';
    const reason = typeof checked === 'string' ? checked : await findObjection(checked.token, credentials);
    if (typeof checked === 'string' || reason !== undefined) {
      const refusal = refuse(reason ?? '', address, digest);
      report(findRefusal(refusal) ?? 'failure', typeof checked === 'string' ? undefined : checked.token, address);
      throw refusal;
    }
    if (!isKnown) report('success', checked.token, address);
    settled.set(credentials, { checked, position });
    return admit(checked, address);
  }

  function report(result: SignInResult, token: ApiToken | undefined, address: string): void {
    const via = { method: 'token', ...(token === undefined ? {} : { token: token.name }) } as const;
    options.onSignIn({ result, user: token?.user ?? UNKNOWN_USER, address, via });
  }

  async function find(digest: string): Promise<CheckedToken | string> {
    const version = await readVersion(catalog);
    const known = remembered.get(digest);
    if (known?.version === version) {
      return known;
    }
    remembered.delete(digest);
    const [token] = await catalog.findByKey(apiTokenKind, 'hash', digest, 1);
    if (token === undefined) {
      return 'it is unknown or was deleted';
    }
    const principal = await resolveTokenPrincipal(options, token);
    if (typeof principal === 'string') {
      return principal;
    }
    const checked = { token, principal, version };
    remembered.set(digest, checked);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? digest);
    return checked;
  }

  /** Returns why a known token is not accepted. */
  async function findObjection(token: ApiToken, credentials: TokenCredentials): Promise<string | undefined> {
    const { user, isInUrl } = credentials;
    if (user !== undefined && user !== token.user && user !== ANY_USER) {
      return `the user name must be that of the token or '${ANY_USER}'`;
    }
    if (isInUrl && !token.queryKey) {
      return 'it cannot be sent in a URL';
    }
    if (isInUrl && !options.acceptsQueryKeys) {
      return 'this server does not accept tokens in URLs';
    }
    const nowMs = clock();
    if (token.expiresAtMs !== null && token.expiresAtMs <= nowMs) {
      return 'it has expired';
    }
    if (token.idleMinutes === null || computeEndMs(token, uses.findHere(token.name)) > nowMs) {
      return undefined;
    }
    // Other nodes may have served the last requests.
    return computeEndMs(token, await uses.find(token.name)) <= nowMs ? 'it was not used for too long' : undefined;
  }

  function refuse(reason: string, address: string, digest: string): Problem {
    const retryAfterSeconds = invalid.count(toClientNetwork(address), digest, clock());
    return retryAfterSeconds === undefined
      ? problem('token-invalid', { reason })
      : problem('too-many-attempts', { retryAfterSeconds });
  }

  function admit({ token, principal }: CheckedToken, address: string): Principal {
    const nowMs = clock();
    if (token.expiresAtMs !== null && token.expiresAtMs <= nowMs) {
      report('failure', token, address);
      throw problem('token-invalid', { reason: 'it has expired' });
    }
    if (token.ratePerMinute !== null) {
      const retryAfterSeconds = rates.admit(token.name, token.ratePerMinute, nowMs);
      if (retryAfterSeconds !== undefined) {
        throw problem('token-rate', { what: 'requests with this token', retryAfterSeconds });
      }
    }
    uses.record(token.name, { atMs: nowMs, from: address });
    return principal;
  }

  return { check };
}

/** The user name for tokens in Basic credentials, for programs that do not know the user. */
const ANY_USER = 'token';

async function readVersion(catalog: CatalogReader): Promise<string> {
  const [security, tokens] = await Promise.all([getSecurityVersion(catalog), getRevisionVersion(catalog, tokenState)]);
  return `${security} ${tokens}`;
}

/** Checks a token again with the records of a transaction, in which it was valid before. */
export async function checkTokenAgain(
  reader: { readonly catalog: CatalogReader; readonly builtinAdmin: boolean },
  { secret }: TokenCredentials,
): Promise<Principal | undefined> {
  const [token] = await reader.catalog.findByKey(apiTokenKind, 'hash', hashTokenSecret(secret), 1);
  const principal = token && (await resolveTokenPrincipal(reader, token));
  return typeof principal === 'string' ? undefined : principal;
}
