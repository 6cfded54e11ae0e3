/** The authenticated user of a request. */

export const ROLE_ADMINISTRATOR = 'ROLE_ADMINISTRATOR';
export const ROLE_GROUP_ADMIN = 'ROLE_GROUP_ADMIN';
/** The role of every authenticated user. */
export const ROLE_AUTHENTICATED = 'ROLE_AUTHENTICATED';
/** The only role of users who are not authenticated. */
export const ROLE_ANONYMOUS = 'ROLE_ANONYMOUS';

/** Not a real role: stands for users whom a rule of mode `a` makes administrators of the workspace in the path. */
export const WORKSPACE_ADMINISTRATOR = 'administrator of the workspace';

/** The source of the account: different sources can have users of the same name. */
export type Account =
  | { readonly kind: 'administrator' }
  /** A user of one of our own user/group services, by record id. */
  | { readonly kind: 'user'; readonly id: string }
  /** A user of a directory, an identity provider or a proxy, by the record id of the authentication provider. */
  | { readonly kind: 'directory'; readonly providerId: string };

/** How a user signed in: with a password, an API token, an OpenID Connect token or the headers of a trusted proxy. */
export interface SignIn {
  readonly method: 'basic' | 'ldap' | 'token' | 'oidc' | 'proxy';
  /** The authentication provider; absent for local accounts. */
  readonly provider?: string;
  /** The id of the API token. */
  readonly token?: string;
}

export interface Principal {
  readonly name: string;
  readonly roles: ReadonlySet<string>;
  /** Absent for the server itself and for anonymous users. */
  readonly account?: Account;
  /** Absent for the server itself and for anonymous users. */
  readonly via?: SignIn;
  /** What the identity provider states about the user, for data rules. */
  readonly claims?: Readonly<Record<string, JsonValue>>;
  /** When the sign-in ends. */
  readonly expiresAtMs?: number;
  /** The API token that the request was sent with. */
  readonly token?: PrincipalToken;
  /** Set if an administrator previews what this principal may read. */
  readonly preview?: Preview;
}

/** A preview only reads, and every permission of it must also be one of the viewer. */
export interface Preview {
  /** The user who sent the request. */
  readonly viewer: Principal;
  /** The subject as in the request, such as `role=EDITOR`. */
  readonly as: string;
}

type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [member: string]: JsonValue };

/** The services that a token can be restricted to. */
export const tokenServices = ['rest', 'wms', 'wfs', 'wcs', 'wmts'] as const;
export type TokenService = (typeof tokenServices)[number];

/** What a token permits of the permissions of its user. */
export interface TokenScopes {
  readonly readOnly: boolean;
  readonly admin: boolean;
  /** Null for all. */
  readonly workspaces: readonly string[] | null;
  /** Null for all. */
  readonly services: readonly TokenService[] | null;
}

export interface PrincipalToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: TokenScopes;
  /**
   * Whether an administrator uses a token for some workspaces only. The principal then lacks the role of administrators,
   * which would permit everything.
   */
  readonly administersWorkspaces: boolean;
}

/** Identifies an account across all providers, which can have users of the same name. */
export function toAccountKey({ name, account, preview }: Principal): string {
  // A preview has no tokens and no stored replies, also if its name is that of an account.
  if (preview !== undefined) return 'preview';
  switch (account?.kind) {
    case 'administrator':
      return 'account of the administrator';
    case 'user':
      return `account of user ${account.id}`;
    case 'directory':
      return `account at ${JSON.stringify([account.providerId, name])}`;
    case undefined:
      return name;
  }
}

/** The principal of requests without credentials. */
export const anonymous: Principal = { name: 'anonymous', roles: new Set([ROLE_ANONYMOUS]) };

export function isAnonymous(principal: Principal): boolean {
  return principal.roles.has(ROLE_ANONYMOUS);
}

export function isAdministrator(principal: Principal): boolean {
  return principal.roles.has(ROLE_ADMINISTRATOR);
}
