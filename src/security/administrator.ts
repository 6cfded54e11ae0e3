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

/**
 * Sees to it that the administrator exists: with the operator's password if there is one, else with the stored one,
 * else with a new one, which is returned to be shown once. It counts as new until `confirmPasswordSeen`.
 */
export async function ensureAdministrator(
  catalog: Catalog,
  operatorPassword: string | undefined,
  randomPassword: () => string,
): Promise<{ readonly generatedPassword?: string }> {
  const current = await findAdministrator(catalog);
  if (operatorPassword === undefined) {
    if (current !== undefined && !current.isPasswordUnseen) {
      return {};
    }
    const generatedPassword = randomPassword();
    await storePassword(catalog, current, { password: generatedPassword, isPasswordUnseen: true });
    return { generatedPassword };
  }
  if (current === undefined || !(await verifyPassword(current.passwordHash, operatorPassword))) {
    await storePassword(catalog, current, { password: operatorPassword, isPasswordUnseen: false });
  }
  return {};
}

/** To be called after the generated password was shown. */
export async function confirmPasswordSeen(catalog: Catalog): Promise<void> {
  await catalog.change(serverPrincipal, 'show the password of the administrator', async (transaction) => {
    const current = await transaction.find(administratorKind, null, ADMINISTRATOR);
    if (current !== undefined) {
      await transaction.update(administratorKind, { ...current, isPasswordUnseen: false });
    }
  });
}

async function storePassword(
  catalog: Catalog,
  current: Administrator | undefined,
  { password, isPasswordUnseen }: { readonly password: string; readonly isPasswordUnseen: boolean },
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await changeSecurity(catalog, serverPrincipal, 'set the password of the administrator', async (transaction) => {
    if (current === undefined) {
      await transaction.insert(administratorKind, {
        parent: null,
        name: ADMINISTRATOR,
        passwordHash,
        isPasswordUnseen,
      });
    } else {
      await transaction.update(administratorKind, { ...current, passwordHash, isPasswordUnseen });
    }
  });
}
