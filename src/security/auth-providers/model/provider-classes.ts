/** The supported provider classes: a fixed list; nothing is loaded by name. */
import { problem } from '../../../lib/problems/problem.ts';
import { type ClassPair, findClassPair, findClassRole, listExpectedNames } from '../../core/class-names.ts';
import type { ProviderSettings } from './auth-provider.ts';

/** How a provider verifies credentials. */
export type ProviderMethod = 'password' | 'ldap' | 'oidc' | 'header';

type ProviderClass = ClassPair & { readonly method: ProviderMethod };

export const providerClasses: readonly ProviderClass[] = [
  {
    method: 'password',
    className: 'security.auth.UsernamePasswordAuthenticationProvider',
    configClassName: 'security.config.UsernamePasswordAuthenticationProviderConfig',
  },
  {
    method: 'ldap',
    className: 'security.auth.LdapAuthenticationProvider',
    configClassName: 'security.config.LdapAuthenticationProviderConfig',
  },
  // The names that GeoServer uses for the same method.
  {
    method: 'ldap',
    className: 'security.ldap.LDAPAuthenticationProvider',
    configClassName: 'security.ldap.LDAPSecurityServiceConfig',
  },
  {
    method: 'oidc',
    className: 'security.auth.OpenIdConnectAuthenticationProvider',
    configClassName: 'security.config.OpenIdConnectAuthenticationProviderConfig',
  },
  {
    method: 'header',
    className: 'security.auth.RequestHeaderAuthenticationProvider',
    configClassName: 'security.config.RequestHeaderAuthenticationProviderConfig',
  },
];

const passwordSettings: readonly (keyof ProviderSettings)[] = ['userGroupServiceName'];

const ldapSettings: readonly (keyof ProviderSettings)[] = [
  'userGroupServiceName',
  'serverURL',
  'groupSearchBase',
  'groupSearchFilter',
  'useTLS',
  'useNestedParentGroups',
  'maxGroupSearchLevel',
  'nestedGroupSearchFilter',
  'bindBeforeGroupSearch',
  'adminGroup',
  'groupAdminGroup',
  'rolePrefix',
  'convertToUpperCase',
  'userDnPattern',
  'userFilter',
  'userFormat',
  'user',
];

const externalRoleSettings: readonly (keyof ProviderSettings)[] = [
  'roleMapping',
  'unmappedRoles',
  'defaultRoles',
  'useLocalRoles',
];

const settingsByMethod: Readonly<Record<ProviderMethod, readonly (keyof ProviderSettings)[]>> = {
  password: passwordSettings,
  ldap: ldapSettings,
  oidc: [
    'issuer',
    'audience',
    'jwksUri',
    'allowedAlgorithms',
    'userNameClaim',
    'roleClaim',
    'requiredClaims',
    'clockSkewSeconds',
    'requireAccessTokenType',
    'introspection',
    'introspectionUri',
    'introspectionCacheSeconds',
    'clientId',
    'scopes',
    'browserSignIn',
    'label',
    ...externalRoleSettings,
  ],
  header: ['userHeader', 'rolesHeader', 'rolesSeparator', 'claimHeaders', ...externalRoleSettings],
};

export function getProviderMethod(className: string): ProviderMethod {
  const found = providerClasses.find((each) => findClassPair([each], { className }) !== undefined);
  if (found === undefined) {
    throw new Error(`Unknown provider class '${className}'`);
  }
  return found.method;
}

export function listProviderSettings(method: ProviderMethod): readonly (keyof ProviderSettings)[] {
  return settingsByMethod[method];
}

/** Returns both full class names; throws a problem unless both belong to the same supported class. */
export function validateClasses(given: {
  readonly className?: string | null;
  readonly configClassName?: string | null;
}): ClassPair {
  const pair = findClassPair(providerClasses, given);
  if (pair === undefined) {
    const member =
      findClassRole(providerClasses, given.className ?? '') === 'className' ? 'configClassName' : 'className';
    throw createUnknownClassProblem(member, given[member] ?? '');
  }
  return pair;
}

/** Truncates long input in messages; supported class names are shorter. */
const MAX_PRINTED_LENGTH = 120;

function createUnknownClassProblem(member: keyof ClassPair, found: string) {
  return problem('auth-provider-class-unknown', {
    member,
    found: found.length > MAX_PRINTED_LENGTH ? `${found.slice(0, MAX_PRINTED_LENGTH).toWellFormed()}…` : found,
    expected: listExpectedNames(providerClasses, member),
    field: `authprovider.${member}`,
  });
}
