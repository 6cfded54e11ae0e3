/** User name and password -> principal, with throttling, and with a memory that is never out of date. */
import { hash } from 'node:crypto';
import type { Principal } from '../lib/identity/principal.ts';
import type { Catalog } from '../records/catalog.ts';
import type { Authenticate, AuthenticatedPrincipal, Credentials } from './authenticate.ts';
import { getSecurityVersion } from './core/security-state.ts';
import type { AttemptOutcome, LoginThrottle } from './login-throttle.ts';

export interface LoginOptions {
  readonly catalog: Pick<Catalog, 'find' | 'position'>;
  readonly authenticate: Authenticate;
  readonly throttle: LoginThrottle;
  /** Keys the digests of remembered credentials; never leaves the process. */
  readonly processSecret: string;
  readonly clock: () => number;
  /** How long a directory's word is believed without asking again. */
  readonly directoryMemoryMs: number;
  readonly wait: (ms: number) => Promise<void>;
}

interface CachedPrincipal {
  readonly principal: Principal;
  readonly version: number;
  readonly untilMs: number;
}

/** What a connection's credentials came to, and when that was so. */
interface ConnectionLogin {
  readonly known: CachedPrincipal;
  readonly position: number;
}

/** Credentials remembered at most. */
const MAX_CACHED_PRINCIPALS = 1_000;

/**
 * Asking argon2 or a directory on every request would cost 20 ms each. So who was vouched for is remembered by a keyed
 * digest, with the security version that was read before anybody was asked. Every change of a provider, user, group, role
 * or password makes a new version, and is effective on the very next request: the version is read again as soon as
 * anything at all was written since the last request of the connection. What a directory said is remembered for a few
 * seconds at most, since nobody tells us of its changes. What was right once and has to be asked about again is no guess:
 * others who guess at the same address do not keep it out.
 */
export function createLogin(options: LoginOptions) {
  const remembered = new Map<string, CachedPrincipal>();
  const underWay = new Map<string, Promise<Principal | undefined>>();
  const digests = new WeakMap<Credentials, string>();
  const settled = new WeakMap<Credentials, ConnectionLogin>();

  /** Made once for an object: whoever reads requests gives the same one for all requests of a connection. */
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
    const attempt = remembered.has(digest)
      ? options.throttle.beginKnown(user, address)
      : await options.throttle.begin(user, address);
    let outcome: AttemptOutcome = 'unanswered';
    try {
      if (attempt.delayMs > 0) {
        await options.wait(attempt.delayMs);
      }
      const verdict = await options.authenticate(credentials);
      if (verdict === 'unanswered') {
        return undefined;
      }
      if (verdict === 'refused') {
        outcome = 'wrong';
        remembered.delete(digest);
        return undefined;
      }
      outcome = 'right';
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

  /** At once while nothing was written since. */
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

    // Many requests at once with the same credentials are one attempt, not many guesses.
    const attempt = `${version} ${clientAddress} ${digest}`;
    let current = underWay.get(attempt);
    if (current === undefined) {
      current = verifyCredentials(credentials, digest, version, clientAddress).finally(() => underWay.delete(attempt));
      underWay.set(attempt, current);
    }
    return current;
  }
}
