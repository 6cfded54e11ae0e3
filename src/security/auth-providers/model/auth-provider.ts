/** An authentication provider: whom to ask about credentials, and how. */

import type { Secret } from '../../../lib/identity/secret.ts';
import type { RecordBase, RecordKind } from '../../../records/record.ts';

/** The settings of a provider as they were given; which of them count depends on its kind. */
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
  /** Whom to search as; nobody in particular without it. */
  readonly user?: string;
}

export interface AuthProvider extends RecordBase {
  readonly kind: 'authProvider';
  /** As it was given, vendor included. */
  readonly className: string;
  readonly configClassName: string;
  readonly settings: ProviderSettings;
  /** The password of `settings.user`, sealed. */
  readonly sealedPassword: Secret | null;
}

export const authProviderKind: RecordKind<AuthProvider> = {
  kind: 'authProvider',
  keys: {},
  secrets: { sealedPassword: true },
};

/** Remembers a name that was taken by a provider once, until a new one takes it. */
export interface RemovedAuthProvider extends RecordBase {
  readonly kind: 'removedAuthProvider';
}

export const removedAuthProviderKind: RecordKind<RemovedAuthProvider> = {
  kind: 'removedAuthProvider',
  keys: {},
  secrets: {},
};
