/** Opens a keystore with its password after its server key was lost, and encrypts it with another server key. */
import type { KeyObject } from 'node:crypto';
import type { Catalog } from '../../records/catalog.ts';
import { serverPrincipal } from '../core/administrator.ts';
import { computeKeyId, SealBroken } from '../core/sealer.ts';
import {
  type ClosedKeystore,
  type CloseOptions,
  closeKeystore,
  type KeystoreContent,
  openWithPassword,
} from './closed-keystore.ts';
import { findKeystore, keepFields, writeKeystore } from './keystore-record.ts';
import { KeystoreUnusable } from './open-keys.ts';

export interface RecoverOptions extends CloseOptions {
  readonly catalog: Catalog;
  readonly password: string;
  /** Returns the server key, which must be durable: it is called once the password is known to be right. */
  readonly prepareServerKey: () => Promise<KeyObject>;
}

/** Returns the id of the server key. Throws `KeystoreUnusable` for a wrong password. */
export async function recoverKeystore(options: RecoverOptions): Promise<string> {
  const { catalog, password, prepareServerKey } = options;
  const record = await findKeystore(catalog);
  if (record?.closed === undefined) throw new KeystoreUnusable('The storage contains no keystore.');
  const content = await openClosed(record.closed, password);
  const serverKey = await prepareServerKey();
  const id = computeKeyId(serverKey);
  const closed = await closeKeystore(content, [serverKey], options);
  const what = `open the keystore with its password for the server key ${id}`;
  const fields = { ...keepFields(record), closed };
  const written = await writeKeystore(catalog, serverPrincipal, what, { seen: record, fields });
  if (written === undefined) throw new KeystoreUnusable('A server changed the keystore meanwhile. Stop all servers.');
  return id;
}

async function openClosed(closed: ClosedKeystore, password: string): Promise<KeystoreContent> {
  try {
    return await openWithPassword(closed, password);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new KeystoreUnusable('The keystore password is wrong.');
  }
}
