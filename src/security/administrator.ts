/** The built-in administrator: always there, so that no list of providers can lock everybody out. */
import type { Catalog, CatalogReader } from '../catalog/catalog.ts';
import type { RecordBase, RecordKind } from '../catalog/record.ts';
import { type Principal, ROLE_ADMINISTRATOR } from '../lib/principal.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

export const ADMINISTRATOR = 'admin';

export interface Administrator extends RecordBase {
  readonly kind: 'administrator';
  readonly passwordHash: string;
}

export const administratorKind: RecordKind<Administrator> = {
  kind: 'administrator',
  keys: () => ({}),
  secrets: ['passwordHash'],
};

/** Who makes the changes that no user asked for. */
export const serverPrincipal: Principal = { name: 'graticule', roles: new Set([ROLE_ADMINISTRATOR]) };

export function findAdministrator(catalog: CatalogReader): Promise<Administrator | undefined> {
  return catalog.find(administratorKind, null, ADMINISTRATOR);
}

/**
 * Sees to it that the administrator exists: with the operator's password if there is one, else with the stored one,
 * else with a new one, which is returned to be shown once.
 */
export async function ensureAdministrator(
  catalog: Catalog,
  operatorPassword: string | undefined,
  randomPassword: () => string,
): Promise<{ readonly generatedPassword?: string }> {
  const current = await findAdministrator(catalog);
  if (operatorPassword === undefined) {
    if (current !== undefined) {
      return {};
    }
    const generatedPassword = randomPassword();
    await storePassword(catalog, current, generatedPassword);
    return { generatedPassword };
  }
  if (current === undefined || !(await verifyPassword(current.passwordHash, operatorPassword))) {
    await storePassword(catalog, current, operatorPassword);
  }
  return {};
}

async function storePassword(catalog: Catalog, current: Administrator | undefined, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await catalog.change(serverPrincipal, 'set the password of the administrator', async (transaction) => {
    if (current === undefined) {
      await transaction.insert(administratorKind, { parent: null, name: ADMINISTRATOR, passwordHash });
    } else {
      await transaction.update(administratorKind, { ...current, passwordHash });
    }
  });
}
