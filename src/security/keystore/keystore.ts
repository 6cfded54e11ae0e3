/** The keystore: encrypts the secrets of the catalog, and returns and changes its password and keys for administrators. */

import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { KindRules } from '../../storage/port/port.ts';
import { computeKeyId, type Sealer } from '../core/sealer.ts';
import { closeKeystore } from './closed-keystore.ts';
import { findKeystore, getPasswordVersion, type KeystoreRecord, writeKeystore } from './keystore-record.ts';
import { identifySlots, LiveKeys } from './live-keys.ts';
import type { KeyReports, NodeKeysEntry } from './node-keys.ts';
import { type OpenOptions, openKeys } from './open-keys.ts';
import { checkPasswordChange, type PasswordDraft, requirePasswords } from './password-policy.ts';
import { resealSecrets } from './reseal-secrets.ts';
import {
  type RotationContext,
  removePreviousServerKeys,
  requireSlotKeys,
  rotateDataKey,
  rotateServerKey,
} from './rotate-keys.ts';

export interface Keystore {
  readonly sealer: Sealer;
  /** Returns the same keystore over another catalog, such as that of one request. */
  forCatalog(catalog: Catalog): Keystore;
  /** Returns the current password and its version. */
  getPassword(): Promise<{ readonly password: string; readonly version: number }>;
  /** Encrypts the data key with another password; existing secrets stay unchanged. */
  changePassword(principal: Principal, passwords: PasswordDraft, precondition: Precondition): Promise<void>;
  readKeys(): Promise<KeystoreKeys>;
  /** Replaces the data key and encrypts all secrets again. Finishes an interrupted rotation. */
  rotateDataKey(principal: Principal): Promise<void>;
  /** Encrypts the secrets again that are encrypted with a previous data key. */
  resealSecrets(principal: Principal): Promise<void>;
  /** Replaces the server key in the data directory. */
  rotateServerKey(principal: Principal): Promise<void>;
  /** Ends the rotation of the server key: only the current one opens the keystore. */
  removePreviousServerKeys(principal: Principal): Promise<void>;
  /** Loads the keys that another node has written. */
  refresh(): Promise<void>;
}

/** The keys of the keystore, by id. */
export interface KeystoreKeys {
  /** The server key of this node. */
  readonly serverKey: string;
  readonly isServerKeyInDataDirectory: boolean;
  /** The other server keys that open the keystore. */
  readonly previousServerKeys: readonly string[];
  readonly dataKey: string;
  /** The data key of a rotation that is not finished. */
  readonly nextDataKey: string | undefined;
  readonly previousDataKeys: readonly string[];
  readonly nodes: readonly NodeKeysEntry[];
}

export interface KeystoreOptions extends OpenOptions {
  readonly reports: KeyReports;
  readonly recordKinds: Iterable<KindRules>;
  readonly log: RotationContext['log'];
}

export async function openKeystore(options: KeystoreOptions): Promise<Keystore> {
  const { catalog: committed, reports, folder, serverKey } = options;
  const live = new LiveKeys(await openKeys(options));

  async function refresh(): Promise<void> {
    const record = await findKeystore(committed);
    if (record !== undefined) live.load(record);
    await reports.publish(live.getKeyIds());
  }

  const keyFolder = serverKey === undefined ? folder : undefined;
  const mutex = createKeyedMutex();
  const inTurn: RotationContext['inTurn'] = (work) => mutex('server key', work);
  const context: RotationContext = { ...options, live, committed, refresh, keyFolder, inTurn };
  await refresh();

  const over = (catalog: Catalog): Keystore => ({
    sealer: live.sealer,
    forCatalog: over,
    async getPassword() {
      const { record, content } = live.open(await findKeystore(catalog));
      return { password: content.password, version: getPasswordVersion(record) };
    },
    async changePassword(principal, passwords, precondition) {
      const { old, next } = requirePasswords(passwords);
      let written: KeystoreRecord | undefined;
      while (written === undefined) {
        const current = live.open(await findKeystore(catalog));
        const { record, content } = current;
        checkPasswordChange({ current: content.password, old, next });
        checkPrecondition(precondition, getPasswordVersion(record));
        const serverKeys = requireSlotKeys(current, live.serverKeys);
        const fields = {
          keystoreId: record.keystoreId,
          generation: record.generation + 1,
          closed: await closeKeystore({ ...content, password: next }, serverKeys, options),
          passwordVersion: null,
        };
        // If another server changed the record in the meantime, the password may differ: check everything again.
        written = await writeKeystore(catalog, principal, 'change the keystore password', { seen: record, fields });
      }
    },
    async readKeys() {
      const { closed, content } = live.open(await findKeystore(catalog));
      const current = computeKeyId(live.serverKeys[0]);
      const slots = identifySlots(closed, live.serverKeys).map(({ id }) => id ?? 'unknown');
      const others = content.otherDataKeys.map(computeKeyId);
      return {
        serverKey: current,
        isServerKeyInDataDirectory: keyFolder !== undefined,
        previousServerKeys: slots.filter((id) => id !== current),
        dataKey: computeKeyId(content.dataKey),
        nextDataKey: content.nextDataKeyId,
        previousDataKeys: others.filter((id) => id !== content.nextDataKeyId),
        nodes: await reports.list(),
      };
    },
    rotateDataKey: async (principal) => void (await rotateDataKey(context, catalog, principal)),
    resealSecrets: async (principal) => {
      const { sealer } = live;
      await resealSecrets({ catalog, sealer, recordKinds: options.recordKinds, principal });
    },
    rotateServerKey: async (principal) => void (await rotateServerKey(context, catalog, principal)),
    removePreviousServerKeys: (principal) => removePreviousServerKeys(context, catalog, principal),
    refresh,
  });
  return over(committed);
}
