/** Who is asking: the user a request was made by, as far as they could prove it. */

export const ROLE_ADMINISTRATOR = 'ROLE_ADMINISTRATOR';
export const ROLE_GROUP_ADMIN = 'ROLE_GROUP_ADMIN';
/** Everybody who is logged in has it. */
export const ROLE_AUTHENTICATED = 'ROLE_AUTHENTICATED';
/** Whoever is not logged in has it, and nothing else. */
export const ROLE_ANONYMOUS = 'ROLE_ANONYMOUS';

/** No role of its own: whoever a rule of mode `a` makes the administrator of the workspace that a path names. */
export const WORKSPACE_ADMINISTRATOR = 'administrator of the workspace';

/** Where the proof was kept: two people may have the same name in two places. */
export type Account =
  | { readonly kind: 'administrator' }
  /** A user of one of our own user/group services, by record id. */
  | { readonly kind: 'user'; readonly id: string }
  /** An entry of a directory that is not ours. */
  | { readonly kind: 'directory'; readonly provider: string };

export interface Principal {
  readonly name: string;
  readonly roles: ReadonlySet<string>;
  /** Absent for the server itself and for nobody. */
  readonly account?: Account;
}

/** Identifies an account among those of all providers: two of them may have users of the same name. */
export function toAccountKey({ name, account }: Principal): string {
  switch (account?.kind) {
    case 'administrator':
      return 'account of the administrator';
    case 'user':
      return `account of user ${account.id}`;
    case 'directory':
      return `account at ${JSON.stringify([account.provider, name])}`;
    case undefined:
      return name;
  }
}

/** Whoever sent no credentials. */
export const anonymous: Principal = { name: 'anonymous', roles: new Set([ROLE_ANONYMOUS]) };

export function isAnonymous(principal: Principal): boolean {
  return principal.roles.has(ROLE_ANONYMOUS);
}

export function isAdministrator(principal: Principal): boolean {
  return principal.roles.has(ROLE_ADMINISTRATOR);
}
