/** The record of the keystore: useless without the server key, which is not in any record. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import type { FieldsOf, RecordBase, RecordKind } from '../../records/record.ts';
import type { ClosedKeystore } from './closed-keystore.ts';

export interface KeystoreRecord extends RecordBase {
  readonly kind: 'keystore';
  /** The id of the keystore, which it keeps for life. */
  readonly keystoreId: string;
  /** The number of password changes. */
  readonly generation: number;
  /** Absent while the keystore of an earlier version is still in a file. */
  readonly closed?: ClosedKeystore;
  /**
   * The version of the password if it differs from the record's: new keys do not change the password.
   */
  readonly passwordVersion?: number | null;
}

export const keystoreKind: RecordKind<KeystoreRecord> = { kind: 'keystore', keys: {}, secrets: { closed: true } };

const KEYSTORE = 'keystore';

export function findKeystore(catalog: CatalogReader): Promise<KeystoreRecord | undefined> {
  return catalog.find(keystoreKind, null, KEYSTORE);
}

/** Returns the version that clients use in the ETag of the password. */
export function getPasswordVersion(record: KeystoreRecord): number {
  return record.passwordVersion ?? record.version;
}

/** The fields of a record whose password does not change. */
export function keepFields(record: KeystoreRecord): Omit<Required<FieldsOf<KeystoreRecord>>, 'closed'> {
  const { keystoreId, generation } = record;
  return { keystoreId, generation, passwordVersion: getPasswordVersion(record) };
}

/** Writes the record if it is unchanged since it was read; otherwise returns undefined and writes nothing. */
export function writeKeystore(
  catalog: Catalog,
  principal: Principal,
  what: string,
  { seen, fields }: { readonly seen: KeystoreRecord | undefined; readonly fields: Required<FieldsOf<KeystoreRecord>> },
): Promise<KeystoreRecord | undefined> {
  return catalog.change(principal, what, async (transaction) => {
    const current = await findKeystore(transaction);
    if (current?.version !== seen?.version) {
      return undefined;
    }
    return current === undefined
      ? transaction.insert(keystoreKind, { parent: null, name: KEYSTORE, ...fields })
      : transaction.update(keystoreKind, { ...current, ...fields });
  });
}
