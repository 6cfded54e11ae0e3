/** The built-in administrator: always there, so that no list of providers can lock everybody out. */

import { type Principal, ROLE_ADMINISTRATOR } from '../lib/principal.ts';
import type { Secret } from '../lib/secret.ts';
import type { Catalog, CatalogReader } from '../records/catalog.ts';
import type { RecordBase, RecordKind } from '../records/record.ts';
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

/**
 * Sees to it that the administrator exists: with the operator's password if there is one, else with the stored one,
 * else with a new one, which is returned to be shown once. It counts as new until `confirmPasswordSeen`.
 */
export async function ensureAdministrator(
  catalog: Catalog,
  operatorPassword: string | undefined,
  randomPassword: () => string,
): Promise<GeneratedPassword | undefined> {
  return operatorPassword === undefined
    ? generatePasswordOnce(catalog, randomPassword)
    : setOperatorPassword(catalog, operatorPassword);
}

async function generatePasswordOnce(
  catalog: Catalog,
  randomPassword: () => string,
): Promise<GeneratedPassword | undefined> {
  const current = await findAdministrator(catalog);
  if (current !== undefined && !current.isPasswordUnseen) {
    return undefined;
  }
  const password = randomPassword();
  const fields = { passwordHash: await hashPassword(password), isPasswordUnseen: true };
  const stored = await storePassword(catalog, current, fields);
  // Another server that was faster shows its own.
  return stored && { password, version: stored.version };
}

async function setOperatorPassword(catalog: Catalog, password: string): Promise<undefined> {
  for (;;) {
    const current = await findAdministrator(catalog);
    if (current !== undefined && (await verifyPassword(current.passwordHash, password))) {
      return;
    }
    const fields = { passwordHash: await hashPassword(password), isPasswordUnseen: false };
    if ((await storePassword(catalog, current, fields)) !== undefined) {
      return;
    }
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
export function withPassword(administrator: Administrator, passwordHash: Secret): Administrator {
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
