/** The folder `security` of the data directory: the server key, and the keystore file of earlier versions. */
import type { KeyObject } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../../storage/blobs/disk.ts';
import { computeKeyId } from '../core/sealer.ts';
import { type KeystoreFile, parseKeystoreFile } from './keystore-file.ts';
import { formatServerKey, parseServerKey } from './server-key.ts';

/** The result of reading a file: `absent` if it does not exist, `damaged` if it exists but is unreadable. */
export type FileReadResult<T> =
  | { readonly kind: 'found'; readonly content: T }
  | { readonly kind: 'absent' | 'damaged' };

export interface KeystoreFolder {
  /** Removes the remains of an interrupted start, and the permissions of other users on the folder. */
  cleanUp(): Promise<void>;
  readServerKey(): Promise<FileReadResult<KeyObject>>;
  /** Writes the key durably and atomically. */
  writeServerKey(key: KeyObject): Promise<void>;
  /** Writes the key of a rotation durably, beside the current one. */
  writeNextServerKey(key: KeyObject): Promise<void>;
  /** Replaces the server key by the key of a rotation and returns it, if it has one of these ids. */
  adoptNextServerKey(ids: readonly string[]): Promise<KeyObject | undefined>;
  removeNextServerKey(): Promise<void>;
  readKeystoreFile(): Promise<FileReadResult<KeystoreFile>>;
  /** Must be called only after the content of the file is in the record. */
  removeKeystoreFile(): Promise<void>;
  /** Renames files to names that are not used yet, so that the operator can still inspect them. */
  renameToBackup(names: readonly string[]): Promise<void>;
}

export const SERVER_KEY_FILE = 'server.key';
/** The key of a rotation in progress. */
export const NEXT_SERVER_KEY_FILE = 'server.key.next';
export const KEYSTORE_FILE = 'keystore.json';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

export function createKeystoreFolder(disk: Disk, dataDir: string): KeystoreFolder {
  const folder = join(dataDir, 'security');
  const serverKeyPath = join(folder, SERVER_KEY_FILE);
  const nextKeyPath = join(folder, NEXT_SERVER_KEY_FILE);
  const keystorePath = join(folder, KEYSTORE_FILE);

  async function writeKey(path: string, key: KeyObject): Promise<void> {
    await disk.makePrivateFolder(folder);
    await disk.syncFolder(dataDir);
    const fresh = `${path}.new`;
    await disk.writeDurably(fresh, formatServerKey(key));
    await disk.move(fresh, path);
    await disk.syncFolder(folder);
  }

  async function findUnusedName(path: string): Promise<string> {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? path : `${path}.${number}`;
      if ((await disk.findEntry(name)) === undefined) return name;
    }
  }

  async function readFile<T>(path: string, parse: (text: string) => T | undefined): Promise<FileReadResult<T>> {
    const entry = await disk.findEntry(path);
    if (entry === undefined) {
      return { kind: 'absent' };
    }
    const content = parse(await disk.readText(path));
    return content === undefined ? { kind: 'damaged' } : { kind: 'found', content };
  }

  return {
    async cleanUp() {
      if ((await disk.findEntry(folder)) === undefined) {
        return;
      }
      await restrictMode(folder, OWNER_ONLY_FOLDER);
      for (const path of [serverKeyPath, nextKeyPath, keystorePath]) {
        await disk.removeTree(`${path}.new`);
        if ((await disk.findEntry(path)) !== undefined) {
          await restrictMode(path, OWNER_ONLY_FILE);
        }
      }
    },
    readServerKey: () => readFile(serverKeyPath, parseServerKey),
    writeServerKey: (key) => writeKey(serverKeyPath, key),
    writeNextServerKey: (key) => writeKey(nextKeyPath, key),
    async adoptNextServerKey(ids) {
      const next = await readFile(nextKeyPath, parseServerKey);
      if (next.kind !== 'found' || !ids.includes(computeKeyId(next.content))) return undefined;
      await disk.move(nextKeyPath, serverKeyPath);
      await disk.syncFolder(folder);
      return next.content;
    },
    removeNextServerKey: () => disk.removeTree(nextKeyPath),
    readKeystoreFile: () => readFile(keystorePath, parseKeystoreFile),
    async removeKeystoreFile() {
      await disk.removeTree(keystorePath);
      await disk.syncFolder(folder);
    },
    async renameToBackup(names) {
      for (const path of names.map((name) => join(folder, name))) {
        if ((await disk.findEntry(path)) !== undefined) {
          await disk.move(path, await findUnusedName(`${path}.unusable`));
          await disk.syncFolder(folder);
        }
      }
    },
  };
}

/** A restored backup may have the file permissions of the user who unpacked it. */
async function restrictMode(path: string, mode: number): Promise<void> {
  const status = await stat(path);
  if ((status.mode & 0o777 & ~mode) !== 0) {
    await chmod(path, mode);
  }
}
