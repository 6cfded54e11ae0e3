/** Checks tokens of identity providers. Accepted tokens are remembered until they or their provider change. */
import { hash } from 'node:crypto';
import { toClientNetwork } from '../../lib/identity/client-network.ts';
import type { BearerCredentials } from '../../lib/identity/credentials.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { listActiveProviders } from '../auth-providers/auth-providers.ts';
import type { AuthProvider } from '../auth-providers/model/auth-provider.ts';
import { resolveExternalRoles } from '../auth-providers/model/external-roles.ts';
import { getProviderMethod } from '../auth-providers/model/provider-classes.ts';
import { getIntrospectionCacheMs, type Introspections } from '../auth-providers/oidc/introspection.ts';
import { findKey } from '../auth-providers/oidc/json-web-keys.ts';
import { type KeySets, KeysUnavailable } from '../auth-providers/oidc/key-sets.ts';
import { isOpaqueToken, type ParsedJwt, parseJwt } from '../auth-providers/oidc/parse-jwt.ts';
import {
  checkHeader,
  type RefusedToken,
  type ValidToken,
  validateIntrospection,
  validateToken,
} from '../auth-providers/oidc/validate-token.ts';
import { ADMINISTRATOR } from '../core/administrator.ts';
import { getSecurityVersion } from '../core/security-state.ts';
import { findRefusal, type OnSignIn, UNKNOWN_USER } from '../sign-in-attempt.ts';
import { InvalidTokens } from '../tokens/rate-windows.ts';

export interface BearerCheckOptions {
  readonly catalog: Pick<Catalog, 'position'> & CatalogReader;
  readonly builtinAdmin: boolean;
  readonly keySets: Pick<KeySets, 'find'>;
  readonly introspections: Pick<Introspections, 'introspect'>;
  readonly clock: () => number;
  readonly onSignIn: OnSignIn;
}

interface AcceptedToken {
  readonly principal: Principal;
  readonly version: number;
  readonly untilMs: number;
}

interface SettledToken {
  readonly accepted: AcceptedToken;
  readonly position: number;
}

/** Changes at the identity provider take effect after this time at the latest. */
const MEMORY_MS = 300_000;
const MAX_REMEMBERED = 10_000;
const RETRY_SECONDS = 5;

export function createBearerCheck(options: BearerCheckOptions) {
  const { catalog, clock } = options;
  const remembered = new Map<string, AcceptedToken>();
  const settled = new WeakMap<BearerCredentials, SettledToken>();
  const invalid = new InvalidTokens();

  return function check(credentials: BearerCredentials, address: string): Principal | Promise<Principal> {
    const last = settled.get(credentials);
    return last !== undefined && last.position === catalog.position() && clock() < last.accepted.untilMs
      ? last.accepted.principal
      : resolve(credentials, address);
  };

  async function resolve(credentials: BearerCredentials, address: string): Promise<Principal> {
    const position = catalog.position();
    const version = await getSecurityVersion(catalog);
    const digest = hash('sha256', credentials.token, 'base64');
    const known = remembered.get(digest);
    let accepted = known;
    if (accepted?.version !== version || clock() >= accepted.untilMs) {
      accepted = { ...(await validateAndReport(credentials.token, address, known !== undefined)), version };
      remembered.delete(digest);
      remembered.set(digest, accepted);
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? digest);
    }
    settled.set(credentials, { accepted, position });
    return accepted.principal;
  }

  async function validateAndReport(
    token: string,
    address: string,
    isKnown: boolean,
  ): Promise<Omit<AcceptedToken, 'version'>> {
    try {
      const accepted = await validate(token, address);
      const { name: user, via } = accepted.principal;
      if (!isKnown && via !== undefined) options.onSignIn({ result: 'success', user, address, via });
      return accepted;
    } catch (error) {
      const result = findRefusal(error);
      // Nothing that an invalid token states is true, so that its user is not reported.
      if (result !== undefined) options.onSignIn({ result, user: UNKNOWN_USER, address, via: { method: 'oidc' } });
      throw error;
    }
  }

  async function validate(token: string, address: string): Promise<Omit<AcceptedToken, 'version'>> {
    const network = toClientNetwork(address);
    const digest = hash('sha256', token, 'base64');
    const jwt = parseJwt(token);
    const isOpaque = jwt === undefined && isOpaqueToken(token);
    // The server cannot recognize an invented opaque token, and each would cause a request to the provider.
    const waitSeconds = isOpaque ? invalid.findWait(network, digest, clock()) : undefined;
    if (waitSeconds !== undefined) throw problem('too-many-attempts', { retryAfterSeconds: waitSeconds });
    const providers = (await listActiveProviders(catalog)).filter(({ className, settings }) => {
      if (getProviderMethod(className) !== 'oidc') return false;
      return jwt === undefined
        ? isOpaque && (settings.introspection ?? 'off') !== 'off'
        : settings.issuer === jwt.claims['iss'];
    });
    let reason = jwt === undefined && !isOpaque ? 'it is malformed' : 'no identity provider accepts it';
    let isUnavailable = false;
    for (const provider of providers) {
      const verdict = await validateWith(provider, token, jwt);
      if (typeof verdict === 'object') return verdict;
      if (verdict === 'unavailable') isUnavailable = true;
      else reason = verdict;
    }
    if (isUnavailable) throw problem('provider-unavailable', { retryAfterSeconds: RETRY_SECONDS });
    const retryAfterSeconds = invalid.count(network, digest, clock());
    throw retryAfterSeconds === undefined
      ? problem('token-invalid', { reason })
      : problem('too-many-attempts', { retryAfterSeconds });
  }

  /** Returns the accepted token, or the reason for the refusal. */
  async function validateWith(
    provider: AuthProvider,
    token: string,
    jwt: ParsedJwt | undefined,
  ): Promise<Omit<AcceptedToken, 'version'> | string> {
    let valid: ValidToken | RefusedToken;
    try {
      valid =
        jwt === undefined ? await introspect(provider, token) : await validateSigned(options, provider, token, jwt);
    } catch (error) {
      if (error instanceof KeysUnavailable) return 'unavailable';
      throw error;
    }
    if ('error' in valid) return valid.message;
    const principal = await createTokenPrincipal(options, provider, valid);
    if (principal === undefined) return RESERVED_NAME;
    const isAsked = jwt === undefined || provider.settings.introspection === 'always';
    const memoryMs = isAsked ? getIntrospectionCacheMs(provider) : MEMORY_MS;
    return { principal, untilMs: Math.min(clock() + memoryMs, valid.expiresAtMs ?? Number.POSITIVE_INFINITY) };
  }

  async function introspect(provider: AuthProvider, token: string): Promise<ValidToken | RefusedToken> {
    const claims = await options.introspections.introspect(provider, token);
    return claims === undefined ? inactive : validateIntrospection(claims, provider.settings, clock());
  }
}

const inactive: RefusedToken = { error: 'claim', message: 'its issuer does not accept it' };

/** Validates a signed token, and asks its issuer about it if the provider says so. */
async function validateSigned(
  { keySets, introspections, clock }: Pick<BearerCheckOptions, 'keySets' | 'introspections' | 'clock'>,
  provider: AuthProvider,
  token: string,
  jwt: ParsedJwt,
): Promise<ValidToken | RefusedToken> {
  const head = checkHeader(jwt, provider.settings);
  if ('error' in head) return head;
  const keys = await keySets.find(provider, (each) => findKey(each, head) !== undefined);
  const valid = validateToken(jwt, provider.settings, keys, clock());
  if ('error' in valid || provider.settings.introspection !== 'always') return valid;
  return (await introspections.introspect(provider, token)) === undefined ? inactive : valid;
}

export const RESERVED_NAME = 'its user name is that of the built-in administrator';

/** Returns undefined if the user name is reserved. */
export async function createTokenPrincipal(
  { catalog, builtinAdmin }: { readonly catalog: CatalogReader; readonly builtinAdmin: boolean },
  { id: providerId, name: provider, settings }: Pick<AuthProvider, 'id' | 'name' | 'settings'>,
  { user, roles, claims, expiresAtMs }: ValidToken,
): Promise<Principal | undefined> {
  if (user === ADMINISTRATOR && builtinAdmin) return undefined;
  return {
    name: user,
    roles: await resolveExternalRoles(catalog, settings, user, roles),
    account: { kind: 'directory', providerId },
    via: { method: 'oidc', provider },
    claims,
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
}
