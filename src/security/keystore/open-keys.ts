/** Opens the keystore of the catalog at startup: creates, migrates or replaces it, or refuses to start. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import { serverPrincipal } from '../core/administrator.ts';
import { computeKeyId, SealBroken } from '../core/sealer.ts';
import {
  type CloseOptions,
  closeKeystore,
  createSlot,
  decryptPassword,
  KEY_BYTES,
  type KeystoreContent,
  listSlots,
  openWithPassword,
  openWithServerKey,
  placeSlots,
  type ServerKeys,
} from './closed-keystore.ts';
import type { KeystoreFile } from './keystore-file.ts';
import { KEYSTORE_FILE, type KeystoreFolder, SERVER_KEY_FILE } from './keystore-folder.ts';
import { findKeystore, type KeystoreRecord, keepFields, writeKeystore } from './keystore-record.ts';

export interface OpenOptions extends CloseOptions {
  readonly folder: KeystoreFolder;
  readonly catalog: Catalog;
  /** The operator's server key; otherwise the key in the folder is used, and created at the first start. */
  readonly serverKey?: KeyObject | undefined;
  /** Server keys that are accepted as well, while the server key is rotated. */
  readonly previousServerKeys?: readonly KeyObject[] | undefined;
  readonly generateRandomPassword: () => string;
  /** What to do with a keystore that cannot be opened: its secrets are lost after a replacement. */
  readonly whenLost: 'refuse' | 'replace';
  readonly warn: (message: string) => void;
}

/** An open keystore; its keys are only in memory. */
export interface OpenedKeystore {
  readonly id: string;
  readonly serverKeys: ServerKeys;
  readonly content: KeystoreContent;
}

/** Reports that the keystore is missing or cannot be opened; the message is the one line that the operator sees. */
export class KeystoreUnusable extends Error {
  override readonly name = 'KeystoreUnusable';
  readonly code = 'keystore-unusable';
}

export async function openKeys(options: OpenOptions): Promise<OpenedKeystore> {
  await options.folder.cleanUp();
  for (;;) {
    const record = await findKeystore(options.catalog);
    const opened = await openOrCreate(options, record);
    if (opened !== undefined) {
      return opened;
    }
  }
}

/** Returns undefined if another server has written the record in the meantime, so that the caller retries. */
async function openOrCreate(
  options: OpenOptions,
  record: KeystoreRecord | undefined,
): Promise<OpenedKeystore | undefined> {
  const { folder, whenLost, warn } = options;
  const found = await lookUpKeystore(options, record);
  switch (found.kind) {
    case 'open':
      await removeMigratedFile(folder, found.keystore.id);
      return addServerKey(options, found);
    case 'file':
      return migrateKeystoreFile(options, record, found);
    case 'none':
      return createKeystoreRecord(options, record, 'create the keystore');
    case 'unusable':
      if (whenLost === 'refuse') {
        throw new KeystoreUnusable(
          `The keystore is unusable: ${found.reason}. ${found.remedy}. If that is impossible, open the keystore with its password (graticule keystore recover), or start with --lost-keystore replace and set the passwords stored in the catalog again.`,
        );
      }
      warn(`replacing an unusable keystore with a new one: ${found.reason}`);
      await folder.renameToBackup(options.serverKey === undefined ? [SERVER_KEY_FILE, KEYSTORE_FILE] : [KEYSTORE_FILE]);
      return createKeystoreRecord(options, record, 'replace the keystore that was lost');
  }
}

/** An open keystore and the record that it was read from. */
interface OpenRecord {
  readonly kind: 'open';
  readonly keystore: OpenedKeystore;
  readonly record: KeystoreRecord;
  /** The server key that opened it. */
  readonly openedWith: KeyObject;
}

/** The result of looking for a keystore. */
type KeystoreLookup =
  | OpenRecord
  | { readonly kind: 'file'; readonly keystore: OpenedKeystore; readonly file: KeystoreFile }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly reason: string; readonly remedy: string };

async function lookUpKeystore(options: OpenOptions, record: KeystoreRecord | undefined): Promise<KeystoreLookup> {
  if (record?.closed !== undefined) {
    const { keystoreId: id, closed } = record;
    return withServerKeys(options, 'the keystore', listKeyIds(record), async (serverKeys) => {
      const { content, serverKey } = openWithServerKey(closed, serverKeys);
      return { kind: 'open', keystore: { id, serverKeys, content }, record, openedWith: serverKey };
    });
  }
  const found = await options.folder.readKeystoreFile();
  if (found.kind !== 'found') {
    return found.kind === 'absent' && record === undefined ? { kind: 'none' } : createUnusableFileResult(found.kind);
  }
  const file = found.content;
  if (record !== undefined && record.keystoreId !== file.id) {
    return createUnusableFileResult('of another catalog');
  }
  return withServerKeys(options, KEYSTORE_FILE, [], async (serverKeys) => {
    const content = await openWithPassword(file, decryptPassword(file, serverKeys[0]));
    return { kind: 'file', keystore: { id: file.id, serverKeys, content }, file };
  });
}

/** The ids of the server keys that open a keystore; empty for a keystore of an earlier version. */
function listKeyIds({ closed }: KeystoreRecord): readonly string[] {
  return closed === undefined ? [] : listSlots(closed).flatMap(({ id }) => id ?? []);
}

/** Opens a keystore with the server keys, or returns the reason for the failure. */
async function withServerKeys(
  { folder, serverKey: given, previousServerKeys = [] }: OpenOptions,
  what: string,
  expectedIds: readonly string[],
  open: (serverKeys: ServerKeys) => Promise<KeystoreLookup>,
): Promise<KeystoreLookup> {
  const found = given === undefined ? await folder.readServerKey() : ({ kind: 'found', content: given } as const);
  const right =
    expectedIds.length === 0 ? 'the server key of the keystore' : `the server key ${expectedIds.join(' or ')}`;
  const remedy =
    given === undefined
      ? `Restore ${SERVER_KEY_FILE} in the folder 'security' of the data directory from a backup, or provide ${right} (--server-key-file)`
      : `Provide ${right}`;
  if (found.kind !== 'found') {
    const state = found.kind === 'absent' ? 'missing' : 'damaged';
    return { kind: 'unusable', reason: `${SERVER_KEY_FILE} is ${state}`, remedy };
  }
  try {
    return await open([found.content, ...previousServerKeys]);
  } catch (error) {
    if (!(error instanceof SealBroken)) {
      throw error;
    }
    const key = given === undefined ? SERVER_KEY_FILE : 'the server key';
    return { kind: 'unusable', reason: `${key} does not match ${what}, or ${what} was altered`, remedy };
  }
}

function createUnusableFileResult(state: 'absent' | 'damaged' | 'of another catalog'): KeystoreLookup {
  const states = { absent: 'is missing', damaged: 'is damaged', 'of another catalog': 'belongs to another catalog' };
  const remedy = `Restore ${KEYSTORE_FILE} and ${SERVER_KEY_FILE} in the folder 'security' of the data directory from a backup`;
  return { kind: 'unusable', reason: `${KEYSTORE_FILE} ${states[state]}`, remedy };
}

async function createKeystoreRecord(
  options: OpenOptions,
  record: KeystoreRecord | undefined,
  what: string,
): Promise<OpenedKeystore | undefined> {
  const { catalog, randomBytes, generateRandomPassword: randomPassword } = options;
  const serverKey = await ensureServerKey(options);
  const dataKey = createSecretKey(randomBytes(KEY_BYTES));
  const content = { password: randomPassword(), dataKey, otherDataKeys: [], nextDataKeyId: undefined };
  const id = randomBytes(16).toString('hex');
  const closed = await closeKeystore(content, [serverKey], options);
  const written = await writeKeystore(catalog, serverPrincipal, what, {
    seen: record,
    fields: {
      keystoreId: id,
      generation: 0,
      closed,
      passwordVersion: null,
    },
  });
  return written && { id, serverKeys: [serverKey, ...(options.previousServerKeys ?? [])], content };
}

/**
 * Finishes the rotation of the key in the folder that a crash interrupted, and adds a slot for the current server key if
 * only a previous one opens the keystore. Slots of other server keys stay: other nodes may still use them.
 */
async function addServerKey(
  options: OpenOptions,
  { keystore, record, openedWith }: OpenRecord,
): Promise<OpenedKeystore | undefined> {
  const { folder, catalog, serverKey: given } = options;
  const { id, content, serverKeys } = keystore;
  if (record.closed === undefined) return keystore;
  const next = given === undefined ? await folder.adoptNextServerKey(listKeyIds(record)) : undefined;
  if (next !== undefined) return { id, content, serverKeys: [next, ...serverKeys] };
  // The rotation was interrupted before the keystore accepted its key.
  if (given === undefined) await folder.removeNextServerKey();
  const [current] = serverKeys;
  if (openedWith.equals(current)) return keystore;
  const [first, ...others] = listSlots(record.closed);
  const known = { ...first, id: first.id ?? computeKeyId(openedWith) };
  const closed = placeSlots(record.closed, [createSlot(current, content), known, ...others]);
  const what = `add the server key ${computeKeyId(current)} to the keystore`;
  const fields = { ...keepFields(record), closed };
  const written = await writeKeystore(catalog, serverPrincipal, what, { seen: record, fields });
  return written && keystore;
}

/** Makes the key durable before the record that depends on it is written. */
async function ensureServerKey({ folder, serverKey, randomBytes }: OpenOptions): Promise<KeyObject> {
  if (serverKey !== undefined) {
    return serverKey;
  }
  const found = await folder.readServerKey();
  if (found.kind === 'found') {
    return found.content;
  }
  const fresh = createSecretKey(randomBytes(KEY_BYTES));
  await folder.writeServerKey(fresh);
  return fresh;
}

/**
 * Migrates the keystore file of an earlier version into the record. The file is deleted only after the record is
 * durable.
 */
async function migrateKeystoreFile(
  options: OpenOptions,
  record: KeystoreRecord | undefined,
  { file, keystore }: { readonly file: KeystoreFile; readonly keystore: OpenedKeystore },
): Promise<OpenedKeystore | undefined> {
  const { wrappedDataKey, scrypt, sealedPassword } = file;
  const slot = createSlot(keystore.serverKeys[0], keystore.content);
  const closed = placeSlots({ wrappedDataKey, scrypt }, [{ ...slot, sealedPassword }]);
  // Earlier versions wrote the file before the record, so a crash during a password change leaves the record behind.
  const wasInterrupted = record !== undefined && record.generation < file.generation;
  const author: Principal = wasInterrupted ? { ...serverPrincipal, name: file.changedBy } : serverPrincipal;
  const what = wasInterrupted
    ? 'change the keystore password (noted after an interruption)'
    : 'take over the keystore of the data directory';
  const passwordVersion = record === undefined || wasInterrupted ? null : record.version;
  const fields = { keystoreId: file.id, generation: file.generation, closed, passwordVersion };
  const written = await writeKeystore(options.catalog, author, what, { seen: record, fields });
  if (written !== undefined) {
    await options.folder.removeKeystoreFile();
  }
  return written && keystore;
}

/** Deletes the file if an earlier start was interrupted after the migration. */
async function removeMigratedFile(folder: KeystoreFolder, keystoreId: string): Promise<void> {
  const left = await folder.readKeystoreFile();
  if (left.kind === 'found' && left.content.id === keystoreId) {
    await folder.removeKeystoreFile();
  }
}
