/** The kinds of authentication providers and their fields. What a field is comes from the description of the interface. */
import { useRest } from '../../../rest/cache.ts';

export type ProviderKind = 'password' | 'ldap' | 'oidc' | 'header';

export type ProviderDocument = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly className: string;
};

interface KindFields {
  readonly className: string;
  /** The fields that most providers of the kind need. */
  readonly first: readonly string[];
  readonly others: readonly string[];
}

const roleFields = ['roleMapping', 'unmappedRoles', 'defaultRoles', 'useLocalRoles'];

export const providerKinds: Readonly<Record<ProviderKind, KindFields>> = {
  password: {
    className: 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider',
    first: ['userGroupServiceName'],
    others: [],
  },
  ldap: {
    className: 'org.geoserver.security.auth.LdapAuthenticationProvider',
    first: ['serverURL', 'userDnPattern', 'userFilter', 'groupSearchBase', 'adminGroup', 'useTLS'],
    others: [
      ...['user', 'password', 'userFormat', 'groupSearchFilter', 'groupAdminGroup', 'rolePrefix', 'convertToUpperCase'],
      ...['useNestedParentGroups', 'maxGroupSearchLevel', 'nestedGroupSearchFilter', 'bindBeforeGroupSearch'],
      'userGroupServiceName',
    ],
  },
  oidc: {
    className: 'org.geoserver.security.auth.OpenIdConnectAuthenticationProvider',
    first: [
      'issuer',
      'audience',
      'userNameClaim',
      'roleClaim',
      'roleMapping',
      'browserSignIn',
      'clientId',
      'clientSecret',
    ],
    others: [
      ...['label', 'scopes', 'unmappedRoles', 'defaultRoles', 'useLocalRoles', 'requiredClaims', 'jwksUri'],
      ...['allowedAlgorithms', 'clockSkewSeconds', 'requireAccessTokenType', 'introspection', 'introspectionUri'],
      'introspectionCacheSeconds',
    ],
  },
  header: {
    className: 'org.geoserver.security.auth.RequestHeaderAuthenticationProvider',
    first: ['userHeader', 'rolesHeader', 'rolesSeparator', ...roleFields],
    others: ['claimHeaders'],
  },
};

export const kindNames = Object.keys(providerKinds) as readonly ProviderKind[];

export function findKind(className: string): ProviderKind {
  if (/OpenIdConnect/.test(className)) return 'oidc';
  if (/RequestHeader/.test(className)) return 'header';
  return /ldap/i.test(className) ? 'ldap' : 'password';
}

/** The setting that tells providers of one kind apart. */
export function readMainSetting(provider: ProviderDocument): string {
  const value =
    provider['serverURL'] ?? provider['issuer'] ?? provider['userHeader'] ?? provider['userGroupServiceName'];
  return typeof value === 'string' ? value : '';
}

export interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly writeOnly?: boolean;
  readonly format?: string;
}

interface OpenApiDocument {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, FieldSchema>> }>>;
  };
}

interface ProviderSchema {
  /** Undefined while the description is loaded. */
  readonly fields: Readonly<Record<string, FieldSchema>> | undefined;
  readonly error: Error | null;
}

export function useProviderSchema(): ProviderSchema {
  const { data, error } = useRest<OpenApiDocument>('/openapi.json');
  return { fields: data?.body.components.schemas['Authprovider']?.properties, error };
}
