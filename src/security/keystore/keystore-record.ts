/** The record of the keystore: worthless without the server key, which is in no record. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import type { FieldsOf, RecordBase, RecordKind } from '../../records/record.ts';
import type { ClosedKeystore } from './closed-keystore.ts';

export interface KeystoreRecord extends RecordBase {
  readonly kind: 'keystore';
  /** Which keystore this is; a data key has it for life. */
  readonly keystoreId: string;
  /** How often the password was changed. */
  readonly generation: number;
  /** Missing where an earlier server kept it in a file that has not been taken over yet. */
  readonly closed?: ClosedKeystore;
  /** The version of the password where that is not the record's: taking the keystore over has not changed the password. */
  readonly passwordVersion?: number | null;
}

export const keystoreKind: RecordKind<KeystoreRecord> = { kind: 'keystore', keys: {}, secrets: { closed: true } };

const KEYSTORE = 'keystore';

export function findKeystore(catalog: CatalogReader): Promise<KeystoreRecord | undefined> {
  return catalog.find(keystoreKind, null, KEYSTORE);
}

/** What clients know the state of the password by. */
export function getPasswordVersion(record: KeystoreRecord): number {
  return record.passwordVersion ?? record.version;
}

/** Writes what was prepared for the record that was seen; undefined, and nothing written, if it is no longer that one. */
export function writeKeystore(
  catalog: Catalog,
  principal: Principal,
  what: string,
  seen: KeystoreRecord | undefined,
  fields: Required<FieldsOf<KeystoreRecord>>,
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
