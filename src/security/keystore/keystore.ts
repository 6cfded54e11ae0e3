/** The keystore: encrypts the secrets of the catalog, and returns and changes its password for administrators. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { createSealer, type Sealer } from '../core/sealer.ts';
import { type ClosedKeystore, decryptPassword, wrapKeystore } from './closed-keystore.ts';
import { findKeystore, getPasswordVersion, type KeystoreRecord, writeKeystore } from './keystore-record.ts';
import { KeystoreUnusable, type OpenOptions, openKeys } from './open-keys.ts';
import { checkPasswordChange, type PasswordDraft, requirePasswords } from './password-policy.ts';

export interface Keystore {
  readonly sealer: Sealer;
  /** Returns the same keystore over another catalog, such as that of one request. */
  forCatalog(catalog: Catalog): Keystore;
  /** Returns the current password and its version. */
  getPassword(): Promise<{ readonly password: string; readonly version: number }>;
  /** Encrypts the data key with another password; existing secrets stay unchanged. */
  changePassword(principal: Principal, passwords: PasswordDraft, precondition: Precondition): Promise<void>;
}

export async function openKeystore(options: OpenOptions): Promise<Keystore> {
  const opened = await openKeys(options);
  const sealer = createSealer(opened.dataKey);

  async function getCurrentKeystore(
    catalog: CatalogReader,
  ): Promise<{ readonly record: KeystoreRecord; readonly closed: ClosedKeystore }> {
    const record = await findKeystore(catalog);
    if (record?.closed === undefined || record.keystoreId !== opened.id) {
      throw new KeystoreUnusable(
        'Another server has replaced the keystore since this server started. Restart this server.',
      );
    }
    return { record, closed: record.closed };
  }

  const over = (catalog: Catalog): Keystore => ({
    sealer,
    forCatalog: over,
    async getPassword() {
      const { record, closed } = await getCurrentKeystore(catalog);
      return { password: decryptPassword(closed, opened.serverKey), version: getPasswordVersion(record) };
    },
    async changePassword(principal, passwords, precondition) {
      const { old, next } = requirePasswords(passwords);
      let written: KeystoreRecord | undefined;
      while (written === undefined) {
        const { record, closed } = await getCurrentKeystore(catalog);
        checkPasswordChange({ current: decryptPassword(closed, opened.serverKey), old, next });
        checkPrecondition(precondition, getPasswordVersion(record));
        const fields = {
          keystoreId: record.keystoreId,
          generation: record.generation + 1,
          closed: await wrapKeystore(opened, next, options),
          passwordVersion: null,
        };
        // If another server changed the record in the meantime, the password may differ: check everything again.
        written = await writeKeystore(catalog, principal, 'change the keystore password', { seen: record, fields });
      }
    },
  });
  return over(options.catalog);
}
