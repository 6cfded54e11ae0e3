/** Validates an access token of an identity provider: header, key, signature, times and claims. */

import type { ProviderSettings } from '../model/auth-provider.ts';
import { areRoles, isUserName } from '../model/external-roles.ts';
import { defaultAlgorithms, findKey, isSignedBy, type ProviderKey } from './json-web-keys.ts';
import { type Claims, findClaim, type ParsedJwt } from './parse-jwt.ts';

export type TokenError =
  | 'malformed'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'expired'
  | 'not-yet-valid'
  | 'issuer'
  | 'audience'
  | 'claim'
  | 'user-name';

export interface RefusedToken {
  readonly error: TokenError;
  readonly message: string;
}

export interface ValidToken {
  readonly user: string;
  readonly roles: readonly string[];
  readonly claims: Claims;
  /** Undefined if the issuer does not state the end of an opaque token. */
  readonly expiresAtMs: number | undefined;
}

const DEFAULT_SKEW_SECONDS = 60;
/** The last time of a calendar date; some issuers write the end in microseconds. */
const MAX_TIME_MS = 8.64e15;

/** Checks the header before a key is looked up. Returns the algorithm and the key id. */
export function checkHeader(
  { header }: ParsedJwt,
  { allowedAlgorithms = defaultAlgorithms, requireAccessTokenType }: ProviderSettings,
): { readonly alg: string; readonly kid: string | undefined } | RefusedToken {
  const { alg, kid, typ } = header;
  if (['crit', 'b64', 'zip', 'enc'].some((name) => Object.hasOwn(header, name))) {
    return refuse('malformed', 'its header has an unsupported extension');
  }
  if (typeof alg !== 'string' || !allowedAlgorithms.includes(alg)) {
    return refuse('algorithm', `its algorithm is not one of ${allowedAlgorithms.join(', ')}`);
  }
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
  const types = requireAccessTokenType === true ? ['at+jwt'] : [undefined, 'jwt', 'at+jwt'];
  if (!types.includes(type as string | undefined)) {
    return refuse('claim', 'its type is not that of an access token');
  }
  if (kid !== undefined && typeof kid !== 'string') {
    return refuse('malformed', 'its key id is not a text');
  }
  return { alg, kid };
}

/** `keys` are those of the provider; a token names none of them by address. */
export function validateToken(
  jwt: ParsedJwt,
  settings: ProviderSettings,
  keys: readonly ProviderKey[],
  nowMs: number,
): ValidToken | RefusedToken {
  const head = checkHeader(jwt, settings);
  if ('error' in head) return head;
  const key = findKey(keys, head);
  if (key === undefined) return refuse('key', 'its key is unknown');
  if (!isSignedBy(jwt, key, head.alg)) return refuse('signature', 'its signature is wrong');
  return checkTimes(jwt.claims, settings, nowMs) ?? checkClaims(jwt.claims, settings);
}

/** Validates what the issuer states about an active token. The end of the token is optional there. */
export function validateIntrospection(
  claims: Claims,
  settings: ProviderSettings,
  nowMs: number,
): ValidToken | RefusedToken {
  const { iss = settings.issuer ?? '', exp = Number.POSITIVE_INFINITY } = claims;
  return checkTimes({ ...claims, exp }, settings, nowMs) ?? checkClaims({ ...claims, iss }, settings);
}

function checkTimes({ exp, nbf, iat }: Claims, settings: ProviderSettings, nowMs: number): RefusedToken | undefined {
  const skew = settings.clockSkewSeconds ?? DEFAULT_SKEW_SECONDS;
  const now = nowMs / 1_000;
  if (typeof exp !== 'number' || exp + skew <= now) return refuse('expired', 'it has expired or has no end');
  const isFuture = [nbf, iat].some((time) => time !== undefined && (typeof time !== 'number' || time - skew > now));
  return isFuture ? refuse('not-yet-valid', 'it is not valid yet') : undefined;
}

function checkClaims(claims: Claims, settings: ProviderSettings): ValidToken | RefusedToken {
  const { issuer, audience = [], userNameClaim = 'sub', roleClaim, requiredClaims = {} } = settings;
  if (claims['iss'] !== issuer) return refuse('issuer', 'it is of another issuer');
  const audiences = Array.isArray(claims['aud']) ? claims['aud'] : [claims['aud']];
  if (!audiences.some((each) => typeof each === 'string' && audience.includes(each))) {
    return refuse('audience', 'it is for another audience');
  }
  if (Object.hasOwn(claims, 'cnf')) return refuse('claim', 'it is bound to a key of its sender');
  const missing = Object.entries(requiredClaims).find(([name, value]) => findClaim(claims, name) !== value);
  if (missing !== undefined) return refuse('claim', `the claim '${missing[0]}' does not have the required value`);
  const user = findClaim(claims, userNameClaim);
  if (!isUserName(user)) return refuse('user-name', `the claim '${userNameClaim}' is not a user name`);
  const roles = roleClaim === undefined ? [] : readRoles(findClaim(claims, roleClaim));
  if (roles === undefined || !areRoles(roles)) return refuse('claim', 'its roles are invalid');
  const { exp } = claims;
  const expiresAtMs = exp === undefined ? undefined : Math.min(Number(exp) * 1_000, MAX_TIME_MS);
  return { user, roles, claims, expiresAtMs };
}

/** A list of texts, or one text with blanks. */
function readRoles(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split(' ').filter((each) => each !== '');
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;
}

function refuse(error: TokenError, message: string): RefusedToken {
  return { error, message };
}
