/** Opens authentication: for requests, and again for the operations of a transaction. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { UrlGate } from '../gates/url-gate.ts';
import type { Authenticate } from '../http/auth/auth.ts';
import type { AppOptions } from '../http/context/app-options.ts';
import type { Services } from '../interface/common/services.ts';
import type { LoginAttempts } from '../lib/identity/login-attempts.ts';
import { FIRST_PROVISIONAL_VERSION } from '../lib/values/provisional-version.ts';
import { AttemptsInMemory } from '../security/attempts-in-memory.ts';
import { openBindPassword } from '../security/auth-providers/auth-providers.ts';
import { openDirectories } from '../security/auth-providers/ldap/ldap-session.ts';
import type { AuthProvider } from '../security/auth-providers/model/auth-provider.ts';
import { Discoveries } from '../security/auth-providers/oidc/discoveries.ts';
import { Introspections } from '../security/auth-providers/oidc/introspection.ts';
import { KeySets } from '../security/auth-providers/oidc/key-sets.ts';
import { createAuthenticate, createDirectoryTest, createProviderCheck } from '../security/authenticate.ts';
import { createDecoyHash } from '../security/core/passwords.ts';
import type { Security } from '../security/core/security.ts';
import { getSecurityVersion } from '../security/core/security-state.ts';
import { createWarnOnce } from '../security/core/warn-once.ts';
import { BrowserSignIn } from '../security/external-login/browser-sign-in.ts';
import { createBearerCheck } from '../security/external-login/check-bearer.ts';
import { createHeaderCheck } from '../security/external-login/check-headers.ts';
import { createProviderTest, type TestProvider } from '../security/external-login/test-provider.ts';
import { createLogin } from '../security/login.ts';
import { LoginThrottle } from '../security/login-throttle.ts';
import type { OnSignIn, SignInResult } from '../security/sign-in-attempt.ts';
import { checkTokenAgain, createTokenCheck } from '../security/tokens/check-token.ts';
import { RateWindows } from '../security/tokens/rate-windows.ts';
import { TokenUses } from '../security/tokens/token-uses.ts';
import type { TokenServices } from '../security/tokens/tokens.ts';
import type { Notes } from '../storage/port/port.ts';
import type { Environment } from './environment.ts';
import { limits } from './settings/limits.ts';
import { readDirectoryAuthorities } from './settings/operator-files.ts';
import type { Settings } from './settings/settings.ts';

export interface Login {
  readonly authenticate: Authenticate;
  readonly authenticateAgain: AppOptions<Services>['authenticateAgain'];
  readonly tokens: TokenServices;
  readonly testProvider: TestProvider;
  readonly browserSignIn: BrowserSignIn;
  readonly countSignIns: () => Readonly<Record<SignInResult, number>>;
  readonly close: () => Promise<void>;
}

export interface LoginEnvironment extends Pick<Environment, 'clock' | 'logAudit'> {
  readonly attempts?: LoginAttempts | undefined;
  readonly notes: Notes;
  readonly urlGate: UrlGate;
}

export async function openLogin(
  security: Security,
  settings: Settings,
  { clock, attempts, notes, urlGate, logAudit }: LoginEnvironment,
): Promise<Login> {
  const counts: Record<SignInResult, number> = { success: 0, failure: 0, throttled: 0, unavailable: 0 };
  const onSignIn: OnSignIn = (attempt) => {
    counts[attempt.result] += 1;
    logAudit?.({ event: 'sign-in', ...attempt });
  };
  const authorities = await readDirectoryAuthorities(settings.ldapCaFile);
  const directories = openDirectories({
    timeoutMs: settings.ldapTimeoutMs,
    pool: limits.ldap,
    ...(authorities === undefined ? {} : { authorities }),
  });
  const vouching = { directories, decoyHash: createDecoyHash(randomBytes) };
  const vouch = createAuthenticate(security, vouching);
  const throttle = new LoginThrottle(limits.login, attempts ?? new AttemptsInMemory(clock));
  const login = createLogin({
    catalog: security.catalog,
    authenticate: vouch,
    throttle,
    processSecret: randomBytes(32).toString('base64'),
    clock,
    directoryMemoryMs: settings.ldapMemoryMs,
    wait,
    onSignIn,
  });
  const uses = new TokenUses({
    notes,
    flushMs: limits.tokenUseMs,
    onError: (reason) => security.warn('the last use of tokens could not be written', { err: reason }),
  });
  const { catalog, builtinAdmin } = security;
  const acceptsQueryKeys = settings.queryKeys === 'on';
  const keySets = new KeySets({ urlGate, clock });
  const openSecret = ({ sealedPassword }: AuthProvider) =>
    sealedPassword === null ? undefined : openBindPassword(security, sealedPassword);
  const introspections = new Introspections({ urlGate, clock, openSecret });
  const checkBearer = createBearerCheck({ catalog, builtinAdmin, keySets, introspections, clock, onSignIn });
  const checkHeaders = createHeaderCheck({
    catalog,
    builtinAdmin,
    warnOnce: createWarnOnce(security.warn),
    onSignIn,
  });
  const tokens = createTokenCheck({ catalog, builtinAdmin, uses, clock, acceptsQueryKeys, onSignIn });
  return {
    authenticate(credentials, sender) {
      const { address } = sender;
      switch (credentials?.kind) {
        case undefined:
          return checkHeaders(sender);
        case 'password':
          return login(credentials, address);
        case 'token':
          return tokens.check(credentials, address);
        case 'bearer':
          return checkBearer(credentials, address);
      }
    },
    // The principal stays valid until the transaction changes data that authentication depends on.
    async authenticateAgain(services, principal, credentials) {
      if (credentials.kind === 'token') return checkTokenAgain(services.security, credentials);
      if (credentials.kind === 'bearer') return principal;
      if ((await getSecurityVersion(services.catalog)) < FIRST_PROVISIONAL_VERSION) return principal;
      const verdict = await createAuthenticate(services.security, vouching)(credentials);
      return typeof verdict === 'string' ? undefined : verdict.principal;
    },
    browserSignIn: new BrowserSignIn({
      urlGate,
      clock,
      discoveries: new Discoveries({ urlGate, clock }),
      openSecret,
      checkToken: async (token, address) => checkBearer({ kind: 'bearer', token }, address),
    }),
    testProvider: createProviderTest({
      catalog,
      builtinAdmin,
      urlGate,
      clock,
      throttle,
      wait,
      checkPassword: createProviderCheck(security, vouching),
      openSecret,
      testDirectory: createDirectoryTest(security, vouching),
    }),
    countSignIns: () => counts,
    tokens: { clock, maxDays: settings.tokenMaxDays, uses, creations: new RateWindows(), searches: new RateWindows() },
    async close() {
      directories.close();
      await uses.close();
    },
  };
}
