/** The keystore: seals the secrets of the catalog, tells its password to administrators, and changes it. */

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
  /** The same keystore, read and changed through another catalog, such as that of one request. */
  forCatalog(catalog: Catalog): Keystore;
  /** The current password, and the version its record has. */
  getPassword(): Promise<{ readonly password: string; readonly version: number }>;
  /** Puts the data key under another password; what was sealed stays sealed as it is. */
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
        'Another server has replaced the keystore since this one was started; start it again.',
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
        // Whoever changed it meanwhile may have left another password: all of this is then looked at again.
        written = await writeKeystore(catalog, principal, 'change the keystore password', record, fields);
      }
    },
  });
  return over(options.catalog);
}
