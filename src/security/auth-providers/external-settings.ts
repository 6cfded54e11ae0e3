/** Validates the settings of providers whose users are authenticated elsewhere: OpenID Connect and trusted proxies. */
import { type FieldError, problem } from '../../lib/problems/problem.ts';
import type { ProviderSettings } from './model/auth-provider.ts';
import { areRoles, isAdministratorRole } from './model/external-roles.ts';
import type { ProviderMethod } from './model/provider-classes.ts';
import { formatDiscoveryUrl } from './oidc/discovery.ts';
import { algorithms } from './oidc/json-web-keys.ts';
import { isSecureUrl } from './oidc/secure-url.ts';

/** More than organizations map; they are read at each change of a provider. */
const MAX_MAPPINGS = 1_000;
/** A larger difference of clocks would accept expired tokens. */
const MAX_SKEW_SECONDS = 300;

type Rule = (
  settings: ProviderSettings,
  hasSecret: boolean,
) => readonly (readonly [member: keyof ProviderSettings, message: string])[];

const roleRules: Rule = ({ roleMapping = {}, unmappedRoles, defaultRoles = [] }) => [
  ...(Object.keys(roleMapping).length > MAX_MAPPINGS || !Object.values(roleMapping).every(areRoles)
    ? [['roleMapping', `at most ${MAX_MAPPINGS} claim values with lists of roles were expected`] as const]
    : []),
  ...(unmappedRoles === undefined || unmappedRoles === 'ignore' || unmappedRoles === 'keep'
    ? []
    : [['unmappedRoles', 'ignore or keep was expected'] as const]),
  ...(areRoles(defaultRoles) && !defaultRoles.some(isAdministratorRole)
    ? []
    : [['defaultRoles', 'roles without administrator rights were expected; use roleMapping for these'] as const]),
];

const oidcRules: Rule = ({ issuer, audience = [], jwksUri, allowedAlgorithms, clockSkewSeconds = 0 }) => [
  ...(isSecureUrl(issuer ?? '') && !/[?#]/.test(issuer ?? '')
    ? []
    : [['issuer', 'an https URL without query and fragment was expected'] as const]),
  ...(audience.length > 0 && audience.every((each) => each !== '')
    ? []
    : [['audience', 'is required: the identifier of this server at the identity provider'] as const]),
  ...(jwksUri === undefined || isSecureUrl(jwksUri) ? [] : [['jwksUri', 'an https URL was expected'] as const]),
  ...(allowedAlgorithms === undefined || (allowedAlgorithms.length > 0 && allowedAlgorithms.every(isAlgorithm))
    ? []
    : [['allowedAlgorithms', `some of ${algorithms.join(', ')} were expected`] as const]),
  ...(clockSkewSeconds >= 0 && clockSkewSeconds <= MAX_SKEW_SECONDS
    ? []
    : [['clockSkewSeconds', `a whole number from 0 to ${MAX_SKEW_SECONDS} was expected`] as const]),
];

/** More would accept revoked tokens for too long. */
const MAX_CACHE_SECONDS = 60;
/** Names for users and identifiers of clients. */
const MAX_LABEL_LENGTH = 200;

const clientRules: Rule = (
  { introspection = 'off', introspectionUri, introspectionCacheSeconds = 0, clientId, scopes, browserSignIn, label },
  hasSecret,
) => [
  ...(['off', 'opaque', 'always'].includes(introspection)
    ? []
    : [['introspection', 'off, opaque or always was expected'] as const]),
  ...(introspection === 'off' || (clientId && hasSecret)
    ? []
    : [['introspection', 'requires clientId and clientSecret'] as const]),
  ...(introspectionUri === undefined || isSecureUrl(introspectionUri)
    ? []
    : [['introspectionUri', 'an https URL was expected'] as const]),
  ...(introspectionCacheSeconds >= 0 && introspectionCacheSeconds <= MAX_CACHE_SECONDS
    ? []
    : [['introspectionCacheSeconds', `a whole number from 0 to ${MAX_CACHE_SECONDS} was expected`] as const]),
  ...(browserSignIn && !clientId ? [['browserSignIn', 'requires clientId'] as const] : []),
  ...(scopes === undefined || /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/.test(scopes)
    ? []
    : [['scopes', 'names separated by single blanks were expected'] as const]),
  ...[['clientId', clientId] as const, ['label', label] as const].flatMap(([member, value]) =>
    value === undefined || (value.trim() !== '' && value.length <= MAX_LABEL_LENGTH)
      ? []
      : [[member, `1 to ${MAX_LABEL_LENGTH} characters were expected`] as const],
  ),
];

/** Headers with another meaning. */
const reservedHeaders = ['authorization', 'cookie', 'host', 'forwarded', 'x-forwarded-for'];

const headerRules: Rule = ({ userHeader, rolesHeader, rolesSeparator, claimHeaders = {} }) => [
  ...(['userHeader', 'rolesHeader'] as const).flatMap((member) => {
    const name = { userHeader, rolesHeader }[member];
    return name === undefined || isHeaderName(name) ? [] : [[member, formatHeaderRule()] as const];
  }),
  ...(Object.values(claimHeaders).every(isHeaderName) ? [] : [['claimHeaders', formatHeaderRule()] as const]),
  ...(rolesSeparator === undefined || rolesSeparator.length === 1
    ? []
    : [['rolesSeparator', 'one character was expected'] as const]),
];

function formatHeaderRule(): string {
  return `a header name other than ${reservedHeaders.join(', ')} was expected`;
}

function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && !reservedHeaders.includes(name.toLowerCase());
}

function isAlgorithm(name: string): boolean {
  return (algorithms as readonly string[]).includes(name);
}

export function checkExternalSettings(method: ProviderMethod, settings: ProviderSettings, hasSecret: boolean): void {
  const rules =
    method === 'oidc' ? [oidcRules, clientRules, roleRules] : method === 'header' ? [headerRules, roleRules] : [];
  const complaints: FieldError[] = rules
    .flatMap((rule) => rule(settings, hasSecret))
    .map(([member, message]) => ({ field: `authprovider.${member}`, message }));
  if (complaints.length > 0) {
    throw problem('document-invalid', { complaints, field: complaints[0]?.field ?? 'authprovider' });
  }
}

/** Lists the addresses that the server opens for a provider, with the settings that they come from. */
export function listProviderUrls({
  issuer,
  jwksUri,
  introspection = 'off',
  introspectionUri,
  browserSignIn = false,
}: ProviderSettings): readonly (readonly [member: keyof ProviderSettings, url: string])[] {
  const usesIntrospection = introspection !== 'off';
  const usesDiscovery = jwksUri === undefined || browserSignIn || (usesIntrospection && introspectionUri === undefined);
  return [
    ...(issuer === undefined || !usesDiscovery ? [] : [['issuer', formatDiscoveryUrl(issuer)] as const]),
    ...(jwksUri === undefined ? [] : [['jwksUri', jwksUri] as const]),
    ...(introspectionUri === undefined ? [] : [['introspectionUri', introspectionUri] as const]),
  ];
}
