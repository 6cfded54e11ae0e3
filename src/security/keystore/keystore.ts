/** The keystore: seals the secrets of the catalog, tells its password to administrators, and changes it. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import { serverPrincipal } from '../administrator.ts';
import { closeKeystore, KEY_BYTES, type KeystoreFile, openKeystoreFile, passwordOf } from './keystore-file.ts';
import { KEYSTORE_FILE, type KeystoreFolder, SERVER_KEY_FILE } from './keystore-folder.ts';
import { KEYSTORE_RECORD, type KeystoreRecord, keystoreKind } from './keystore-record.ts';
import { bothPasswords, checkPasswordChange, type PasswordDraft } from './password-policy.ts';
import { createSealer, SealBroken, type Sealer } from './sealer.ts';

export interface Keystore {
  readonly sealer: Sealer;
  /** The current password, and the version its record has. */
  password(): { readonly password: string; readonly version: number };
  /** Puts the data key under another password, durably; what was sealed stays sealed as it is. */
  changePassword(principal: Principal, passwords: PasswordDraft, precondition: Precondition): Promise<void>;
}

export interface KeystoreOptions {
  readonly folder: KeystoreFolder;
  readonly catalog: Catalog;
  readonly randomBytes: (count: number) => Buffer;
  readonly randomPassword: () => string;
  /** How much work a guess of the password is. */
  readonly scryptCost: number;
  /** What to do when the catalog knows a keystore that is not there: nothing sealed by it could be opened again. */
  readonly whenLost: 'refuse' | 'replace';
  readonly warn: (message: string) => void;
}

/** The keystore is not there or cannot be opened; the message is the one line the operator sees. */
export class KeystoreUnusable extends Error {
  override readonly name = 'KeystoreUnusable';
  readonly code = 'keystore-unusable';
}

/** A keystore in memory. */
interface Opened {
  readonly file: KeystoreFile;
  readonly serverKey: KeyObject;
  readonly dataKey: KeyObject;
}

export async function openKeystore(options: KeystoreOptions): Promise<Keystore> {
  const { catalog, folder } = options;
  await folder.prepare();
  const record = await catalog.find(keystoreKind, null, KEYSTORE_RECORD);
  const opened = (await find(options, record)) ?? (await create(options));
  const known = await noteInCatalog(catalog, record, opened.file);
  return keystoreOver(options, opened, known.version);
}

function keystoreOver(options: KeystoreOptions, opened: Opened, version: number): Keystore {
  const { catalog, folder, warn } = options;
  const { serverKey, dataKey } = opened;
  let state = { file: opened.file, version };
  let lastTurn: Promise<unknown> = Promise.resolve();

  async function change(principal: Principal, passwords: PasswordDraft, precondition: Precondition): Promise<void> {
    const { old, next } = bothPasswords(passwords);
    const { file } = state;
    checkPasswordChange({ current: passwordOf(file, serverKey), old, next });
    const about = { id: file.id, generation: file.generation + 1, changedBy: principal.name };
    const fresh = await closeKeystore({ dataKey, password: next }, about, serverKey, options);
    let touched = false;
    try {
      // The file is replaced before the change is committed: a crash in between is noted by the next start.
      const noted = await catalog.change(principal, 'change the keystore password', async (transaction) => {
        const record = await transaction.find(keystoreKind, null, KEYSTORE_RECORD);
        checkPrecondition(precondition, record?.version);
        if (record === undefined) {
          throw new Error('The record of the keystore is gone');
        }
        touched = true;
        await folder.replaceKeystore(fresh);
        return transaction.update(keystoreKind, { ...record, generation: fresh.generation });
      });
      state = { file: fresh, version: noted.version };
    } catch (error) {
      if (touched) {
        await folder.replaceKeystore(file).catch(() => {
          warn('a change of the keystore password failed half-way; the next start tells which password holds');
        });
      }
      throw error;
    }
  }

  return {
    sealer: createSealer(dataKey),
    password: () => ({ password: passwordOf(state.file, serverKey), version: state.version }),
    changePassword(principal, passwords, precondition) {
      // One after the other: each must be checked against the password the one before it left.
      const turn = lastTurn.then(() => change(principal, passwords, precondition));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** The keystore of the data directory; undefined when a new one is to be made. */
async function find(options: KeystoreOptions, record: KeystoreRecord | undefined): Promise<Opened | undefined> {
  const { folder, whenLost, warn } = options;
  const found = await open(folder);
  if (typeof found !== 'string' && (record === undefined || record.keystoreId === found.file.id)) {
    return found;
  }
  const reason = typeof found === 'string' ? found : `${KEYSTORE_FILE} belongs to another catalog`;
  if (reason === ABSENT && record === undefined) {
    return undefined;
  }
  if (whenLost === 'refuse') {
    throw new KeystoreUnusable(
      `The keystore cannot be used: ${reason}. Restore ${KEYSTORE_FILE} and ${SERVER_KEY_FILE} in the folder 'security' of the data directory from a backup. Without one, start with --lost-keystore replace; the passwords stored in the catalog must then be entered anew.`,
    );
  }
  warn(`a new keystore takes the place of one that cannot be used: ${reason}`);
  await folder.setAside();
  return undefined;
}

const ABSENT = `${KEYSTORE_FILE} is missing`;

/** Opens what is there, or tells why it cannot. */
async function open(folder: KeystoreFolder): Promise<Opened | string> {
  const [key, keystore] = [await folder.readServerKey(), await folder.readKeystore()];
  if (keystore.kind !== 'found') {
    return keystore.kind === 'absent' ? ABSENT : `${KEYSTORE_FILE} is damaged`;
  }
  if (key.kind !== 'found') {
    return `${SERVER_KEY_FILE} is ${key.kind === 'absent' ? 'missing' : 'damaged'}`;
  }
  try {
    const dataKey = await openKeystoreFile(keystore.content, key.content);
    return { file: keystore.content, serverKey: key.content, dataKey };
  } catch (error) {
    if (error instanceof SealBroken) {
      return `${KEYSTORE_FILE} does not fit ${SERVER_KEY_FILE}, or was altered`;
    }
    throw error;
  }
}

async function create(options: KeystoreOptions): Promise<Opened> {
  const { folder, randomBytes, randomPassword } = options;
  const found = await folder.readServerKey();
  const serverKey = found.kind === 'found' ? found.content : createSecretKey(randomBytes(KEY_BYTES));
  if (found.kind !== 'found') {
    await folder.writeServerKey(serverKey);
  }
  const dataKey = createSecretKey(randomBytes(KEY_BYTES));
  const about = { id: randomBytes(16).toString('hex'), generation: 0, changedBy: serverPrincipal.name };
  const file = await closeKeystore({ dataKey, password: randomPassword() }, about, serverKey, options);
  await folder.replaceKeystore(file);
  return { file, serverKey, dataKey };
}

/** Brings the record in line with the file, which alone decides; so no change of the password stays untold. */
async function noteInCatalog(
  catalog: Catalog,
  record: KeystoreRecord | undefined,
  file: KeystoreFile,
): Promise<KeystoreRecord> {
  const fields = { keystoreId: file.id, generation: file.generation };
  if (record === undefined) {
    return catalog.change(serverPrincipal, 'make the keystore', (transaction) =>
      transaction.insert(keystoreKind, { parent: null, name: KEYSTORE_RECORD, ...fields }),
    );
  }
  if (record.keystoreId === file.id && record.generation === file.generation) {
    return record;
  }
  const interrupted = record.keystoreId === file.id && record.generation < file.generation;
  const author = interrupted ? { ...serverPrincipal, name: file.changedBy } : serverPrincipal;
  const what = interrupted
    ? 'change the keystore password (noted after an interruption)'
    : 'take the keystore that was found in the data directory';
  return catalog.change(author, what, (transaction) => transaction.update(keystoreKind, { ...record, ...fields }));
}
