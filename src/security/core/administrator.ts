/** The built-in administrator. It exists always, so that no provider configuration can lock out all administrators. */

import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';
import { hashPassword, type PasswordCost, verifyPassword } from './passwords.ts';
import { changeSecurity } from './security-state.ts';

export const ADMINISTRATOR = 'admin';

export interface Administrator extends RecordBase {
  readonly kind: 'administrator';
  readonly passwordHash: Secret;
  /** Set while a generated password has not been shown; the next start then generates another one. */
  readonly isPasswordUnseen?: boolean;
}

export const administratorKind: RecordKind<Administrator> = {
  kind: 'administrator',
  keys: {},
  secrets: { passwordHash: true },
};

/** The principal for changes that the server makes itself. */
export const serverPrincipal: Principal = { name: 'graticule', roles: new Set([ROLE_ADMINISTRATOR]) };

export function findAdministrator(catalog: CatalogReader): Promise<Administrator | undefined> {
  return catalog.find(administratorKind, null, ADMINISTRATOR);
}

/** A generated password that has to be shown to the operator. */
export interface GeneratedPassword {
  readonly password: string;
  /** The version of the administrator record it belongs to. */
  readonly version: number;
}

/** The source of the administrator's password at startup. */
export interface PasswordSource {
  /** From a file or the environment. */
  readonly operatorPassword: string | undefined;
  /** Whether to replace an existing password: by the operator's, or by a generated one. */
  readonly isReset: boolean;
  readonly generateRandomPassword: () => string;
  /** Default: the cost of all passwords. */
  readonly passwordCost?: PasswordCost | undefined;
}

/** `ignored`: the operator passed a password, but the administrator has another one, and no reset was requested. */
export type PasswordSetupResult =
  | { readonly kind: 'kept' | 'set' | 'ignored' }
  | { readonly kind: 'generated'; readonly generated: GeneratedPassword };

/**
 * Creates the administrator on the first start, with the operator's password or a generated one. Later starts keep the
 * password, since the administrator may have changed it, unless they reset it. A generated password is shown once; until
 * `confirmPasswordSeen`, the next start replaces it.
 */
export async function ensureAdministrator(catalog: Catalog, source: PasswordSource): Promise<PasswordSetupResult> {
  const { operatorPassword } = source;
  return operatorPassword === undefined
    ? generatePassword(catalog, source)
    : setOperatorPassword(catalog, operatorPassword, source);
}

function hasPassword(administrator: Administrator | undefined): administrator is Administrator {
  return administrator !== undefined && !administrator.isPasswordUnseen;
}

async function generatePassword(
  catalog: Catalog,
  { isReset, generateRandomPassword: randomPassword, passwordCost }: PasswordSource,
): Promise<PasswordSetupResult> {
  const current = await findAdministrator(catalog);
  if (hasPassword(current) && !isReset) {
    return { kind: 'kept' };
  }
  const password = randomPassword();
  const fields = { passwordHash: await hashPassword(password, passwordCost), isPasswordUnseen: true };
  const stored = await storePassword(catalog, current, fields);
  // Another node created the record first and shows its own password.
  return stored === undefined
    ? { kind: 'kept' }
    : { kind: 'generated', generated: { password, version: stored.version } };
}

async function setOperatorPassword(
  catalog: Catalog,
  password: string,
  { isReset, passwordCost }: PasswordSource,
): Promise<PasswordSetupResult> {
  // Retries when another node has stored a password in the meantime.
  for (;;) {
    const current = await findAdministrator(catalog);
    if (current !== undefined && (await verifyPassword(current.passwordHash, password))) {
      return { kind: 'kept' };
    }
    if (hasPassword(current) && !isReset) {
      return { kind: 'ignored' };
    }
    const fields = { passwordHash: await hashPassword(password, passwordCost), isPasswordUnseen: false };
    if ((await storePassword(catalog, current, fields)) !== undefined) {
      return { kind: 'set' };
    }
    await catalog.refresh();
  }
}

/** Returns whether a generated password is still valid: another server may have generated a later one. */
export async function isPasswordCurrent(catalog: CatalogReader, { version }: GeneratedPassword): Promise<boolean> {
  return (await findAdministrator(catalog))?.version === version;
}

/** Records that the generated password was shown. */
export async function confirmPasswordSeen(catalog: Catalog, { version }: GeneratedPassword): Promise<void> {
  await catalog.change(serverPrincipal, 'show the password of the administrator', async (transaction) => {
    const current = await findAdministrator(transaction);
    if (current?.version === version) {
      await transaction.update(administratorKind, { ...current, isPasswordUnseen: false });
    }
  });
}

/** Returns the administrator with a chosen password, which needs no confirmation. */
export function replacePassword(administrator: Administrator, passwordHash: Secret): Administrator {
  return { ...administrator, passwordHash, isPasswordUnseen: false };
}

/** Returns undefined and stores nothing if another server has changed the record in the meantime. */
function storePassword(
  catalog: Catalog,
  seen: Administrator | undefined,
  fields: Required<Pick<Administrator, 'passwordHash' | 'isPasswordUnseen'>>,
): Promise<Administrator | undefined> {
  return changeSecurity(catalog, serverPrincipal, 'set the password of the administrator', async (transaction) => {
    const current = await findAdministrator(transaction);
    if (current?.version !== seen?.version) {
      return undefined;
    }
    return current === undefined
      ? transaction.insert(administratorKind, { parent: null, name: ADMINISTRATOR, ...fields })
      : transaction.update(administratorKind, { ...current, ...fields });
  });
}
