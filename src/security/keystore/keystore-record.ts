/** What the catalog remembers of the keystore: which one it is, and through the change log who changed its password. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface KeystoreRecord extends RecordBase {
  readonly kind: 'keystore';
  readonly keystoreId: string;
  /** How often the password was changed. The password itself is in no record. */
  readonly generation: number;
}

export const keystoreKind: RecordKind<KeystoreRecord> = { kind: 'keystore', keys: {}, secrets: {} };

export const KEYSTORE_RECORD = 'keystore';
