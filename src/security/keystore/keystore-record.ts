/** The record of the keystore: worthless without the server key, which is in no record. */
import type { Principal } from '../../lib/principal.ts';
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
}

export const keystoreKind: RecordKind<KeystoreRecord> = { kind: 'keystore', keys: () => ({}), secrets: ['closed'] };

const KEYSTORE = 'keystore';

export function findKeystore(catalog: CatalogReader): Promise<KeystoreRecord | undefined> {
  return catalog.find(keystoreKind, null, KEYSTORE);
}

/** Writes what was prepared for the record that was seen; undefined, and nothing written, if it is no longer that one. */
export function writeKeystore(
  catalog: Catalog,
  principal: Principal,
  what: string,
  seen: KeystoreRecord | undefined,
  fields: FieldsOf<KeystoreRecord>,
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
