/** The keys of a running server: they follow the record of the keystore. */
import type { KeyObject } from 'node:crypto';
import { computeKeyId, createSealer, type DataKeys, type Sealer } from '../core/sealer.ts';
import {
  type ClosedKeystore,
  type KeystoreContent,
  listSlots,
  openWithServerKey,
  type ServerKeySlot,
  type ServerKeys,
} from './closed-keystore.ts';
import type { KeystoreRecord } from './keystore-record.ts';
import type { NodeKeys } from './node-keys.ts';
import { KeystoreUnusable, type OpenedKeystore } from './open-keys.ts';

/** The record of the keystore with its open content. */
export interface CurrentKeystore {
  readonly record: KeystoreRecord;
  readonly closed: ClosedKeystore;
  readonly content: KeystoreContent;
}

/** A slot, and the server key of this node that opens it, if there is one. */
export interface IdentifiedSlot extends ServerKeySlot {
  readonly key: KeyObject | undefined;
}

export class LiveKeys {
  readonly sealer: Sealer;
  readonly #keystoreId: string;
  #serverKeys: ServerKeys;
  #dataKeys: DataKeys;
  #version = 0;

  constructor({ id, serverKeys, content }: OpenedKeystore) {
    this.#keystoreId = id;
    this.#serverKeys = serverKeys;
    this.#dataKeys = listDataKeys(content);
    this.sealer = createSealer(() => this.#dataKeys);
  }

  get serverKeys(): ServerKeys {
    return this.#serverKeys;
  }

  /** Uses another server key from now on; the previous ones stay accepted. */
  useServerKey(key: KeyObject): void {
    this.#serverKeys = [key, ...this.#serverKeys.filter((each) => !each.equals(key))];
  }

  /** Opens the record; throws `KeystoreUnusable` if another server has replaced it. */
  open(record: KeystoreRecord | undefined): CurrentKeystore {
    if (record?.closed === undefined || record.keystoreId !== this.#keystoreId) {
      throw new KeystoreUnusable(
        'Another server has replaced the keystore since this server started. Restart this server.',
      );
    }
    const { closed } = record;
    return { record, closed, content: openWithServerKey(closed, this.#serverKeys).content };
  }

  /** Loads the data keys of the record unless it is older than the loaded one. Returns whether they were loaded. */
  load(record: KeystoreRecord): boolean {
    if (record.version <= this.#version) return false;
    const { content } = this.open(record);
    this.#version = record.version;
    this.#dataKeys = listDataKeys(content);
    return true;
  }

  getKeyIds(): NodeKeys {
    const dataKeys = this.#dataKeys.map(computeKeyId);
    return { serverKey: computeKeyId(this.#serverKeys[0]), dataKey: computeKeyId(this.#dataKeys[0]), dataKeys };
  }
}

function listDataKeys({ dataKey, otherDataKeys }: KeystoreContent): DataKeys {
  return [dataKey, ...otherDataKeys];
}

/** Returns the slots of a keystore, each with the server key that opens it. */
export function identifySlots(closed: ClosedKeystore, serverKeys: ServerKeys): readonly IdentifiedSlot[] {
  const { wrappedDataKey, scrypt } = closed;
  return listSlots(closed).map((slot) => {
    const { sealedDataKey, sealedPassword } = slot;
    const only: ClosedKeystore = { wrappedDataKey, scrypt, sealedDataKey, sealedPassword };
    const key = serverKeys.find((each) => canOpen(only, each));
    return { ...slot, id: key === undefined ? slot.id : computeKeyId(key), key };
  });
}

function canOpen(closed: ClosedKeystore, key: KeyObject): boolean {
  try {
    openWithServerKey(closed, [key]);
    return true;
  } catch {
    return false;
  }
}
