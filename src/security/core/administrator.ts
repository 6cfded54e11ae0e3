/** The built-in administrator: always there, so that no list of providers can lock everybody out. */

import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { changeSecurity } from './security-state.ts';

export const ADMINISTRATOR = 'admin';

export interface Administrator extends RecordBase {
  readonly kind: 'administrator';
  readonly passwordHash: Secret;
  /** A generated password that nobody was shown: a start that ended too early is made up for by the next one. */
  readonly isPasswordUnseen?: boolean;
}

export const administratorKind: RecordKind<Administrator> = {
  kind: 'administrator',
  keys: {},
  secrets: { passwordHash: true },
};

/** Who makes the changes that no user asked for. */
export const serverPrincipal: Principal = { name: 'graticule', roles: new Set([ROLE_ADMINISTRATOR]) };

export function findAdministrator(catalog: CatalogReader): Promise<Administrator | undefined> {
  return catalog.find(administratorKind, null, ADMINISTRATOR);
}

/** A password that was made up and that somebody has to be shown. */
export interface GeneratedPassword {
  readonly password: string;
  /** The version of the administrator it belongs to. */
  readonly version: number;
}

/** Where the password of the administrator comes from at a start. */
export interface PasswordSource {
  /** Given by the operator, in a file or in the environment. */
  readonly operatorPassword: string | undefined;
  /** Whether a password that is in use is replaced: by the operator's, or by a generated one. */
  readonly isReset: boolean;
  readonly generateRandomPassword: () => string;
}

/** `ignored`: the operator gave a password, but the administrator has another one, and no reset was requested. */
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
    : setOperatorPassword(catalog, operatorPassword, source.isReset);
}

function hasPassword(administrator: Administrator | undefined): administrator is Administrator {
  return administrator !== undefined && !administrator.isPasswordUnseen;
}

async function generatePassword(
  catalog: Catalog,
  { isReset, generateRandomPassword: randomPassword }: Pick<PasswordSource, 'isReset' | 'generateRandomPassword'>,
): Promise<PasswordSetupResult> {
  const current = await findAdministrator(catalog);
  if (hasPassword(current) && !isReset) {
    return { kind: 'kept' };
  }
  const password = randomPassword();
  const fields = { passwordHash: await hashPassword(password), isPasswordUnseen: true };
  const stored = await storePassword(catalog, current, fields);
  // Another node that was faster shows its own.
  return stored === undefined
    ? { kind: 'kept' }
    : { kind: 'generated', generated: { password, version: stored.version } };
}

async function setOperatorPassword(catalog: Catalog, password: string, isReset: boolean): Promise<PasswordSetupResult> {
  // Repeats when another node has stored a password in the meantime.
  for (;;) {
    const current = await findAdministrator(catalog);
    if (current !== undefined && (await verifyPassword(current.passwordHash, password))) {
      return { kind: 'kept' };
    }
    if (hasPassword(current) && !isReset) {
      return { kind: 'ignored' };
    }
    const fields = { passwordHash: await hashPassword(password), isPasswordUnseen: false };
    if ((await storePassword(catalog, current, fields)) !== undefined) {
      return { kind: 'set' };
    }
    await catalog.refresh();
  }
}

/** Whether a generated password still counts: a server that started a moment later may have made another one. */
export async function isPasswordCurrent(catalog: CatalogReader, { version }: GeneratedPassword): Promise<boolean> {
  return (await findAdministrator(catalog))?.version === version;
}

/** To be called after the generated password was shown. */
export async function confirmPasswordSeen(catalog: Catalog, { version }: GeneratedPassword): Promise<void> {
  await catalog.change(serverPrincipal, 'show the password of the administrator', async (transaction) => {
    const current = await findAdministrator(transaction);
    if (current?.version === version) {
      await transaction.update(administratorKind, { ...current, isPasswordUnseen: false });
    }
  });
}

/** The administrator with a password that somebody chose, and so has seen. */
export function replacePassword(administrator: Administrator, passwordHash: Secret): Administrator {
  return { ...administrator, passwordHash, isPasswordUnseen: false };
}

/** Undefined, and nothing stored, when the administrator is no longer the one that was seen: another server was faster. */
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
