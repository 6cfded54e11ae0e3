/** An API token: a credential for programs, with fewer permissions than its user. */
import type { TokenScopes } from '../../lib/identity/principal.ts';
import { revealSecret, type Secret } from '../../lib/identity/secret.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';
import type { JsonObject } from '../../storage/port/port.ts';
import type { Revision, RevisionRecord } from '../core/security-state.ts';

/** The account of a token. Roles of local accounts are read with each request. */
export type TokenAccount =
  | { readonly kind: 'administrator' }
  | { readonly kind: 'user'; readonly id: string }
  /** An account of a directory, an identity provider or a proxy, with the roles and claims at the creation. */
  | {
      readonly kind: 'directory';
      readonly providerId: string;
      readonly roles: readonly string[];
      readonly claims: JsonObject;
    };

/** The name of the record is the id of the token. */
export interface ApiToken extends RecordBase {
  readonly kind: 'apiToken';
  readonly label: string;
  readonly user: string;
  readonly account: TokenAccount;
  /** Identifies the account among those of all providers. */
  readonly accountKey: string;
  readonly secretHash: Secret;
  readonly prefix: string;
  readonly createdBy: string;
  /** Null for never. */
  readonly expiresAtMs: number | null;
  readonly idleMinutes: number | null;
  readonly queryKey: boolean;
  readonly ratePerMinute: number | null;
  readonly scopes: TokenScopes;
  /** The digest of the password hash; a token with `idleMinutes` ends when the password changes. */
  readonly passwordDigest: Secret | null;
}

export const apiTokenKind: RecordKind<ApiToken> = {
  kind: 'apiToken',
  keys: {
    hash: ({ secretHash }) => [revealSecret(secretHash)],
    account: ({ accountKey }) => [accountKey],
    user: ({ user }) => [user],
    workspace: ({ scopes }) => scopes.workspaces ?? [],
  },
  secrets: { secretHash: true, passwordDigest: true },
};

/** Counts the changes of tokens; a new token does not affect remembered passwords. */
export const tokenStateKind: RecordKind<RevisionRecord> = {
  kind: 'tokenState',
  keys: {},
  secrets: {},
  counter: 'revision',
};

export const tokenState: Revision = { kind: tokenStateKind, name: 'tokens' };
