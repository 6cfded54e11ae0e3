/** An authentication provider: how credentials are verified. */

import type { Secret } from '../../../lib/identity/secret.ts';
import type { RecordBase, RecordKind } from '../../../records/record.ts';

/** The settings of a provider as the client sent them; the provider class determines which of them apply. */
export interface ProviderSettings {
  readonly userGroupServiceName?: string;
  readonly serverURL?: string;
  readonly groupSearchBase?: string;
  readonly groupSearchFilter?: string;
  readonly useTLS?: boolean;
  readonly useNestedParentGroups?: boolean;
  readonly maxGroupSearchLevel?: number;
  readonly nestedGroupSearchFilter?: string;
  readonly bindBeforeGroupSearch?: boolean;
  readonly adminGroup?: string;
  readonly groupAdminGroup?: string;
  readonly rolePrefix?: string;
  readonly convertToUpperCase?: boolean;
  readonly userDnPattern?: string;
  readonly userFilter?: string;
  readonly userFormat?: string;
  /** The DN to bind as for searches; anonymous if absent. */
  readonly user?: string;

  /** Of OpenID Connect providers. */
  readonly issuer?: string;
  readonly audience?: readonly string[];
  readonly jwksUri?: string;
  readonly allowedAlgorithms?: readonly string[];
  readonly userNameClaim?: string;
  readonly roleClaim?: string;
  readonly requiredClaims?: Readonly<Record<string, string>>;
  readonly clockSkewSeconds?: number;
  readonly requireAccessTokenType?: boolean;
  /** Which tokens the identity provider is asked about: off, opaque or always. */
  readonly introspection?: string;
  readonly introspectionUri?: string;
  readonly introspectionCacheSeconds?: number;
  readonly clientId?: string;
  readonly scopes?: string;
  readonly browserSignIn?: boolean;
  /** The name of the provider for users. */
  readonly label?: string;

  /** Of trusted proxies. */
  readonly userHeader?: string;
  readonly rolesHeader?: string;
  readonly rolesSeparator?: string;
  readonly claimHeaders?: Readonly<Record<string, string>>;

  /** Of both. */
  readonly roleMapping?: Readonly<Record<string, readonly string[]>>;
  readonly unmappedRoles?: string;
  readonly defaultRoles?: readonly string[];
  readonly useLocalRoles?: boolean;
}

/** The header of the user if a provider of a trusted proxy names none. */
export const DEFAULT_USER_HEADER = 'X-Forwarded-User';

export interface AuthProvider extends RecordBase {
  readonly kind: 'authProvider';
  /** The class name as the client sent it, including the vendor. */
  readonly className: string;
  readonly configClassName: string;
  readonly settings: ProviderSettings;
  /** The encrypted password of `settings.user`, or the encrypted secret of `settings.clientId`. */
  readonly sealedPassword: Secret | null;
}

export const authProviderKind: RecordKind<AuthProvider> = {
  kind: 'authProvider',
  keys: {},
  secrets: { sealedPassword: true },
};

/** Records the name of a removed provider until a new provider uses it. */
export interface RemovedAuthProvider extends RecordBase {
  readonly kind: 'removedAuthProvider';
}

export const removedAuthProviderKind: RecordKind<RemovedAuthProvider> = {
  kind: 'removedAuthProvider',
  keys: {},
  secrets: {},
};
