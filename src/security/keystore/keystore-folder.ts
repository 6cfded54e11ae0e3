/** The folder `security` of the data directory: the server key, and the keystore file of earlier versions. */
import type { KeyObject } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../../storage/blobs/disk.ts';
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
  readKeystoreFile(): Promise<FileReadResult<KeystoreFile>>;
  /** Must be called only after the content of the file is in the record. */
  removeKeystoreFile(): Promise<void>;
  /** Renames files, so that the operator can still inspect them. */
  renameToBackup(names: readonly string[]): Promise<void>;
}

export const SERVER_KEY_FILE = 'server.key';
export const KEYSTORE_FILE = 'keystore.json';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

export function createKeystoreFolder(disk: Disk, dataDir: string): KeystoreFolder {
  const folder = join(dataDir, 'security');
  const serverKeyPath = join(folder, SERVER_KEY_FILE);
  const keystorePath = join(folder, KEYSTORE_FILE);

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
      for (const path of [serverKeyPath, keystorePath]) {
        await disk.removeTree(`${path}.new`);
        if ((await disk.findEntry(path)) !== undefined) {
          await restrictMode(path, OWNER_ONLY_FILE);
        }
      }
    },
    readServerKey: () => readFile(serverKeyPath, parseServerKey),
    async writeServerKey(key) {
      await disk.makePrivateFolder(folder);
      await disk.syncFolder(dataDir);
      const fresh = `${serverKeyPath}.new`;
      await disk.writeDurably(fresh, formatServerKey(key));
      await disk.move(fresh, serverKeyPath);
      await disk.syncFolder(folder);
    },
    readKeystoreFile: () => readFile(keystorePath, parseKeystoreFile),
    async removeKeystoreFile() {
      await disk.removeTree(keystorePath);
      await disk.syncFolder(folder);
    },
    async renameToBackup(names) {
      for (const path of names.map((name) => join(folder, name))) {
        if ((await disk.findEntry(path)) !== undefined) {
          await disk.move(path, `${path}.unusable`);
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
