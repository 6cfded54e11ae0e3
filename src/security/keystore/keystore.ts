/** The keystore: seals the secrets of the catalog, tells its password to administrators, and changes it. */
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { type ClosedKeystore, closeKeystore, passwordOf } from './closed-keystore.ts';
import { findKeystore, type KeystoreRecord, passwordVersionOf, writeKeystore } from './keystore-record.ts';
import { KeystoreUnusable, type OpenOptions, openKeys } from './open-keys.ts';
import { bothPasswords, checkPasswordChange, type PasswordDraft } from './password-policy.ts';
import { createSealer, type Sealer } from './sealer.ts';

export interface Keystore {
  readonly sealer: Sealer;
  /** The same keystore, read and changed through another catalog, such as that of one request. */
  over(catalog: Catalog): Keystore;
  /** The current password, and the version its record has. */
  password(): Promise<{ readonly password: string; readonly version: number }>;
  /** Puts the data key under another password; what was sealed stays sealed as it is. */
  changePassword(principal: Principal, passwords: PasswordDraft, precondition: Precondition): Promise<void>;
}

export async function openKeystore(options: OpenOptions): Promise<Keystore> {
  const opened = await openKeys(options);
  const sealer = createSealer(opened.dataKey);

  async function currentIn(
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
    over,
    async password() {
      const { record, closed } = await currentIn(catalog);
      return { password: passwordOf(closed, opened.serverKey), version: passwordVersionOf(record) };
    },
    async changePassword(principal, passwords, precondition) {
      const { old, next } = bothPasswords(passwords);
      let written: KeystoreRecord | undefined;
      while (written === undefined) {
        const { record, closed } = await currentIn(catalog);
        checkPasswordChange({ current: passwordOf(closed, opened.serverKey), old, next });
        checkPrecondition(precondition, passwordVersionOf(record));
        const fields = {
          keystoreId: record.keystoreId,
          generation: record.generation + 1,
          closed: await closeKeystore(opened, next, options),
          passwordVersion: null,
        };
        // Whoever changed it meanwhile may have left another password: all of this is then looked at again.
        written = await writeKeystore(catalog, principal, 'change the keystore password', record, fields);
      }
    },
  });
  return over(options.catalog);
}
