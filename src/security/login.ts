/** User name and password -> principal, with throttling, constant time and an always current answer. */
import { hash } from 'node:crypto';
import type { CatalogReader } from '../catalog/catalog.ts';
import { type Principal, ROLE_ADMINISTRATOR } from '../lib/principal.ts';
import { ADMINISTRATOR, findAdministrator } from './administrator.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { verifyPassword } from './passwords.ts';

export interface LoginOptions {
  readonly catalog: CatalogReader;
  readonly throttle: LoginThrottle;
  /** Keys the digests of remembered credentials; never leaves the process. */
  readonly processSecret: string;
  /** A hash of a password nobody has, verified for unknown users so that they take as long as known ones. */
  readonly decoyHash: Promise<string>;
  readonly wait: (ms: number) => Promise<void>;
}

/** Credentials remembered at most. */
const MAX_REMEMBERED = 1_000;

const administratorPrincipal: Principal = { name: ADMINISTRATOR, roles: new Set([ROLE_ADMINISTRATOR]) };

/**
 * Verifying argon2 on every request would cost 20 ms each. So a verified pair is remembered by a keyed digest together
 * with the version of the account record it was verified against; the record is read on every request, and a password
 * change, which makes a new version, is effective on the very next one.
 */
export function createLogin(options: LoginOptions) {
  const verifiedVersions = new Map<string, number>();

  return async function login(
    credentials: { readonly user: string; readonly password: string },
    clientAddress: string,
  ): Promise<Principal | undefined> {
    const { user, password } = credentials;
    const account = user === ADMINISTRATOR ? await findAdministrator(options.catalog) : undefined;
    const digest = hash('sha256', `${options.processSecret}\0${user}\0${password}`, 'base64');
    if (account !== undefined && verifiedVersions.get(digest) === account.version) {
      return administratorPrincipal;
    }

    const { delayMs } = options.throttle.begin(user, clientAddress);
    if (delayMs > 0) {
      await options.wait(delayMs);
    }
    const right = await verifyPassword(account?.passwordHash ?? (await options.decoyHash), password);
    if (!right || account === undefined) {
      return undefined;
    }
    options.throttle.succeeded(user, clientAddress);
    remember(verifiedVersions, digest, account.version);
    return administratorPrincipal;
  };
}

function remember(versions: Map<string, number>, digest: string, version: number): void {
  versions.set(digest, version);
  if (versions.size > MAX_REMEMBERED) {
    const [oldest] = versions.keys();
    versions.delete(oldest ?? digest);
  }
}
