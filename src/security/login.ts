/** Maps a user name and password to a principal, with throttling and a cache that is never stale. */
import { hash } from 'node:crypto';
import type { Principal, SignIn } from '../lib/identity/principal.ts';
import type { Catalog } from '../records/catalog.ts';
import type { Authenticate, AuthenticatedPrincipal, Credentials } from './authenticate.ts';
import { getSecurityVersion } from './core/security-state.ts';
import type { AttemptOutcome, LoginThrottle } from './login-throttle.ts';
import type { OnSignIn, SignInResult } from './sign-in-attempt.ts';

export interface LoginOptions {
  readonly catalog: Pick<Catalog, 'find' | 'position'>;
  readonly authenticate: Authenticate;
  readonly throttle: LoginThrottle;
  /** Keys the digests of cached credentials; never leaves the process. */
  readonly processSecret: string;
  readonly clock: () => number;
  /** How long a directory result is cached. */
  readonly directoryMemoryMs: number;
  readonly wait: (ms: number) => Promise<void>;
  readonly onSignIn: OnSignIn;
}

interface CachedPrincipal {
  readonly principal: Principal;
  readonly version: number;
  readonly untilMs: number;
}

/** The login result of a connection, and the catalog state it is valid for. */
interface ConnectionLogin {
  readonly known: CachedPrincipal;
  readonly position: number;
}

/** The maximum number of cached principals. */
const MAX_CACHED_PRINCIPALS = 1_000;

/**
 * Verifying a password with argon2 or a directory costs about 20 ms. So the principal is cached under a keyed digest of
 * the credentials, together with the security version that was read before the verification. Every change of a
 * provider, user, group, role or password increments the version and takes effect on the next request: the version is
 * read again as soon as anything was written since the last request of the connection. Directory results are cached for
 * a few seconds at most, since directories do not report changes. Credentials that were correct once are not treated as
 * a guess when they are verified again, so guesses from the same address do not block them.
 */
export function createLogin(options: LoginOptions) {
  const remembered = new Map<string, CachedPrincipal>();
  const underWay = new Map<string, Promise<Principal | undefined>>();
  const digests = new WeakMap<Credentials, string>();
  const settled = new WeakMap<Credentials, ConnectionLogin>();

  /** Computed once per object: the HTTP layer passes the same object for all requests of a connection. */
  function computeDigest(credentials: Credentials): string {
    let digest = digests.get(credentials);
    if (digest === undefined) {
      const { user, password } = credentials;
      digest = hash('sha256', `${options.processSecret} ${user.length} ${user}${password}`, 'base64');
      digests.set(credentials, digest);
    }
    return digest;
  }

  async function verifyCredentials(
    credentials: Credentials,
    digest: string,
    version: number,
    address: string,
  ): Promise<Principal | undefined> {
    const { user } = credentials;
    const isKnown = remembered.has(digest);
    const report = (result: SignInResult, via: SignIn = { method: 'basic' }) =>
      options.onSignIn({ result, user, address, via });
    const attempt = isKnown
      ? options.throttle.beginKnown(user, address)
      : await options.throttle.begin(user, address).catch((error: unknown) => {
          report('throttled');
          throw error;
        });
    let outcome: AttemptOutcome = 'unanswered';
    try {
      if (attempt.delayMs > 0) {
        await options.wait(attempt.delayMs);
      }
      const verdict = await options.authenticate(credentials);
      if (verdict === 'unanswered') {
        report('unavailable');
        return undefined;
      }
      if (verdict === 'refused') {
        outcome = 'wrong';
        remembered.delete(digest);
        report('failure');
        return undefined;
      }
      outcome = 'right';
      if (!isKnown) report('success', verdict.principal.via);
      cachePrincipal(digest, version, verdict);
      return verdict.principal;
    } finally {
      await attempt.end(outcome);
    }
  }

  function cachePrincipal(digest: string, version: number, { principal, isOurs }: AuthenticatedPrincipal): void {
    const untilMs = isOurs ? Number.POSITIVE_INFINITY : options.clock() + options.directoryMemoryMs;
    remembered.delete(digest);
    remembered.set(digest, { principal, version, untilMs });
    if (remembered.size > MAX_CACHED_PRINCIPALS) {
      const [oldest] = remembered.keys();
      remembered.delete(oldest ?? digest);
    }
  }

  /** Returns without reading while nothing was written since the last login. */
  return function login(credentials: Credentials, clientAddress: string): Promise<Principal | undefined> | Principal {
    const position = options.catalog.position();
    const last = settled.get(credentials);
    return last?.position === position && options.clock() < last.known.untilMs
      ? last.known.principal
      : resolvePrincipal(credentials, clientAddress, position);
  };

  async function resolvePrincipal(
    credentials: Credentials,
    clientAddress: string,
    position: number,
  ): Promise<Principal | undefined> {
    const version = await getSecurityVersion(options.catalog);
    const digest = computeDigest(credentials);
    const known = remembered.get(digest);
    if (known?.version === version && options.clock() < known.untilMs) {
      settled.set(credentials, { known, position });
      return known.principal;
    }

    // Concurrent requests with the same credentials share one attempt, so that they do not count as several guesses.
    const attempt = `${version} ${clientAddress} ${digest}`;
    let current = underWay.get(attempt);
    if (current === undefined) {
      current = verifyCredentials(credentials, digest, version, clientAddress).finally(() => underWay.delete(attempt));
      underWay.set(attempt, current);
    }
    return current;
  }
}
