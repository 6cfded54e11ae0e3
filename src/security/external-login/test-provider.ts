/** Tests an authentication provider, stored or not, step by step. Nothing is stored or remembered. */
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { AuthProvider } from '../auth-providers/model/auth-provider.ts';
import { getProviderMethod } from '../auth-providers/model/provider-classes.ts';
import { FetchError, type ProviderGate, startFetch } from '../auth-providers/oidc/fetch-json.ts';
import { discoverKeySet, fetchKeys } from '../auth-providers/oidc/fetch-keys.ts';
import { type IntrospectionOptions, Introspections } from '../auth-providers/oidc/introspection.ts';
import type { ProviderKey } from '../auth-providers/oidc/json-web-keys.ts';
import { KeysUnavailable } from '../auth-providers/oidc/key-sets.ts';
import { isOpaqueToken, parseJwt } from '../auth-providers/oidc/parse-jwt.ts';
import { type ValidToken, validateIntrospection, validateToken } from '../auth-providers/oidc/validate-token.ts';
import type { createDirectoryTest, createProviderCheck } from '../authenticate.ts';
import type { AttemptOutcome, LoginThrottle } from '../login-throttle.ts';
import { createTokenPrincipal, RESERVED_NAME } from './check-bearer.ts';
import { identifyByHeaders } from './check-headers.ts';

export type TestCredentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'headers'; readonly headers: ReadonlyMap<string, readonly string[]> };

export const testSteps = ['discovery', 'keys', 'token', 'headers', 'connection', 'bind', 'credentials'] as const;

export interface TestStep {
  readonly step: (typeof testSteps)[number];
  readonly ok: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly keys?: readonly Pick<ProviderKey, 'kid' | 'kty' | 'alg'>[];
}

export interface ProviderTestResult {
  readonly steps: readonly TestStep[];
  readonly principal: Principal | undefined;
}

export interface ProviderTestOptions {
  readonly catalog: CatalogReader;
  readonly builtinAdmin: boolean;
  readonly urlGate: ProviderGate;
  readonly clock: () => number;
  readonly throttle: Pick<LoginThrottle, 'begin'>;
  readonly checkPassword: ReturnType<typeof createProviderCheck>;
  readonly testDirectory: ReturnType<typeof createDirectoryTest>;
  readonly wait: (ms: number) => Promise<void>;
  readonly openSecret: IntrospectionOptions['openSecret'];
}

export type TestProvider = (
  provider: AuthProvider,
  credentials: TestCredentials | undefined,
  address: string,
) => Promise<ProviderTestResult>;

const credentialKinds = { oidc: 'token', header: 'headers', password: 'password', ldap: 'password' } as const;

export function createProviderTest(options: ProviderTestOptions): TestProvider {
  return async (provider, credentials, address) => {
    const method = getProviderMethod(provider.className);
    const expected = credentialKinds[method];
    if (credentials !== undefined && credentials.kind !== expected) {
      const members = expected === 'password' ? 'user and password' : expected;
      const message = `${members} were expected for a provider of this class`;
      throw problem('document-invalid', { complaints: [{ field: 'credentials', message }], field: 'credentials' });
    }
    if (method === 'oidc') {
      return testIssuer(options, provider, credentials?.kind === 'token' ? credentials.token : undefined);
    }
    switch (credentials?.kind) {
      case 'headers':
        return testHeaders(options, provider, credentials.headers);
      case 'password':
        return testPassword(options, provider, credentials, address);
      default:
        return { steps: method === 'ldap' ? await testConnection(options, provider) : [], principal: undefined };
    }
  };
}

async function testIssuer(
  options: ProviderTestOptions,
  provider: AuthProvider,
  token: string | undefined,
): Promise<ProviderTestResult> {
  const { jwksUri, issuer = '' } = provider.settings;
  const steps: TestStep[] = [];
  let keys: readonly ProviderKey[];
  try {
    const endMs = startFetch();
    let address = jwksUri;
    if (address === undefined) {
      address = await discoverKeySet(options.urlGate, issuer, endMs);
      steps.push({ step: 'discovery', ok: true });
    }
    ({ keys } = await fetchKeys(options.urlGate, address, endMs));
    steps.push({ step: 'keys', ok: true, keys });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const step = jwksUri === undefined && steps.length === 0 ? 'discovery' : 'keys';
    return { steps: [...steps, { step, ok: false, code: error.code, message: error.message }], principal: undefined };
  }
  if (token === undefined) return { steps, principal: undefined };
  const result = await testToken(options, provider, keys, token);
  return 'name' in result
    ? { steps: [...steps, { step: 'token', ok: true }], principal: result }
    : { steps: [...steps, { step: 'token', ok: false, ...result }], principal: undefined };
}

/** Asks the issuer about a token; nothing is remembered, because the cache belongs to this call. */
async function testIntrospection(
  { urlGate, clock, openSecret }: ProviderTestOptions,
  provider: AuthProvider,
  token: string,
): Promise<ValidToken | { readonly error: string; readonly message: string }> {
  try {
    const claims = await new Introspections({ urlGate, clock, openSecret }).introspect(provider, token);
    return claims === undefined
      ? { error: 'claim', message: 'its issuer does not accept it' }
      : validateIntrospection(claims, provider.settings, clock());
  } catch (error) {
    if (!(error instanceof KeysUnavailable)) throw error;
    return { error: 'unreachable', message: 'its issuer did not answer, or it refuses clientId and clientSecret' };
  }
}

async function testToken(
  options: ProviderTestOptions,
  provider: AuthProvider,
  keys: readonly ProviderKey[],
  token: string,
): Promise<Principal | { readonly code: string; readonly message: string }> {
  const refuse = (code: string, reason: string) => ({ code, message: `The token is invalid: ${reason}.` });
  const jwt = parseJwt(token);
  const { introspection = 'off', issuer } = provider.settings;
  const isAsked = introspection === 'always' || (introspection === 'opaque' && isOpaqueToken(token));
  if (jwt === undefined && !(isAsked && isOpaqueToken(token))) return refuse('malformed', 'it is malformed');
  // The keys of another issuer do not fit, which would hide the reason.
  if (jwt !== undefined && jwt.claims['iss'] !== issuer) return refuse('issuer', 'it is of another issuer');
  const signed = jwt && validateToken(jwt, provider.settings, keys, options.clock());
  if (signed !== undefined && 'error' in signed) return refuse(signed.error, signed.message);
  const asked = isAsked ? await testIntrospection(options, provider, token) : undefined;
  if (asked !== undefined && 'error' in asked) return refuse(asked.error, asked.message);
  const valid = signed ?? asked;
  if (valid === undefined) return refuse('malformed', 'it is malformed');
  return (await createTokenPrincipal(options, provider, valid)) ?? refuse('user-name', RESERVED_NAME);
}

async function testHeaders(
  options: ProviderTestOptions,
  provider: AuthProvider,
  headers: ReadonlyMap<string, readonly string[]>,
): Promise<ProviderTestResult> {
  const step = 'headers';
  const sender = {
    address: '',
    isTrustedProxy: () => true,
    // Node passes each byte of a header as one character.
    listHeaders: (name: string) =>
      (headers.get(name) ?? []).map((value) => Buffer.from(value, 'utf8').toString('latin1')),
  };
  try {
    const principal = await identifyByHeaders(options, provider, sender);
    const missing = { step, ok: false, code: 'user-name', message: 'The user header is absent or empty.' } as const;
    return { steps: [principal === undefined ? missing : { step, ok: true }], principal };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { steps: [{ step, ok: false, code: 'user-name', message: error.message }], principal: undefined };
  }
}

/** The bind uses the account that the provider has for searches. */
async function testConnection(options: ProviderTestOptions, provider: AuthProvider): Promise<readonly TestStep[]> {
  const result = await options.testDirectory(provider);
  if (!result.isReached) {
    const message = `The directory did not answer: ${result.reason}.`;
    return [{ step: 'connection', ok: false, code: 'unreachable', message }];
  }
  const message = 'The directory rejects the user and password of the provider.';
  const bind: TestStep = result.accepts
    ? { step: 'bind', ok: true }
    : { step: 'bind', ok: false, code: 'credentials', message };
  return [{ step: 'connection', ok: true }, ...(provider.settings.user ? [bind] : [])];
}

/** Counts as a guess: a test must not be a way around the throttle. */
async function testPassword(
  options: ProviderTestOptions,
  provider: AuthProvider,
  credentials: TestCredentials & { readonly kind: 'password' },
  address: string,
): Promise<ProviderTestResult> {
  const step = 'credentials';
  const attempt = await options.throttle.begin(credentials.user, address);
  let outcome: AttemptOutcome = 'unanswered';
  try {
    if (attempt.delayMs > 0) await options.wait(attempt.delayMs);
    const result = await options.checkPassword(provider, credentials);
    if (typeof result === 'object') {
      outcome = 'right';
      return { steps: [{ step, ok: true }], principal: result.principal };
    }
    if (result === 'unanswered') {
      const message = 'The directory did not answer. The log of the server has the reason.';
      return { steps: [{ step, ok: false, code: 'unreachable', message }], principal: undefined };
    }
    outcome = 'wrong';
    const message = 'The user is unknown or disabled, or the password is wrong.';
    return { steps: [{ step, ok: false, code: 'credentials', message }], principal: undefined };
  } finally {
    await attempt.end(outcome);
  }
}
