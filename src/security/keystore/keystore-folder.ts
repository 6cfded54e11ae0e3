/** The folder `security` of the data directory: the server key, and the keystore file of earlier servers. */
import type { KeyObject } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../../storage/files/disk.ts';
import { type KeystoreFile, parseKeystoreFile } from './keystore-file.ts';
import { parseServerKey, printServerKey } from './server-key.ts';

/** A file as it was found: `absent` when it is not there, `damaged` when it is there but cannot be read. */
export type Found<T> = { readonly kind: 'found'; readonly content: T } | { readonly kind: 'absent' | 'damaged' };

export interface KeystoreFolder {
  /** Takes away what an interrupted start left, and whatever rights others have in the folder. */
  tidy(): Promise<void>;
  readServerKey(): Promise<Found<KeyObject>>;
  /** Durable and whole, or not there. */
  writeServerKey(key: KeyObject): Promise<void>;
  readKeystoreFile(): Promise<Found<KeystoreFile>>;
  /** To be called when what the file holds is in the record. */
  removeKeystoreFile(): Promise<void>;
  /** Renames files out of the way, so that they can still be looked at. */
  setAside(names: readonly string[]): Promise<void>;
}

export const SERVER_KEY_FILE = 'server.key';
export const KEYSTORE_FILE = 'keystore.json';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

export function keystoreFolder(disk: Disk, dataDir: string): KeystoreFolder {
  const folder = join(dataDir, 'security');
  const serverKeyPath = join(folder, SERVER_KEY_FILE);
  const keystorePath = join(folder, KEYSTORE_FILE);

  async function read<T>(path: string, parse: (text: string) => T | undefined): Promise<Found<T>> {
    const entry = await disk.findEntry(path);
    if (entry === undefined) {
      return { kind: 'absent' };
    }
    const content = parse(await disk.readText(path));
    return content === undefined ? { kind: 'damaged' } : { kind: 'found', content };
  }

  return {
    async tidy() {
      if ((await disk.findEntry(folder)) === undefined) {
        return;
      }
      await narrow(folder, OWNER_ONLY_FOLDER);
      for (const path of [serverKeyPath, keystorePath]) {
        await disk.removeTree(`${path}.new`);
        if ((await disk.findEntry(path)) !== undefined) {
          await narrow(path, OWNER_ONLY_FILE);
        }
      }
    },
    readServerKey: () => read(serverKeyPath, parseServerKey),
    async writeServerKey(key) {
      await disk.makePrivateFolder(folder);
      await disk.syncFolder(dataDir);
      const fresh = `${serverKeyPath}.new`;
      await disk.writeDurably(fresh, printServerKey(key));
      await disk.move(fresh, serverKeyPath);
      await disk.syncFolder(folder);
    },
    readKeystoreFile: () => read(keystorePath, parseKeystoreFile),
    async removeKeystoreFile() {
      await disk.removeTree(keystorePath);
      await disk.syncFolder(folder);
    },
    async setAside(names) {
      for (const path of names.map((name) => join(folder, name))) {
        if ((await disk.findEntry(path)) !== undefined) {
          await disk.move(path, `${path}.unusable`);
          await disk.syncFolder(folder);
        }
      }
    },
  };
}

/** A restored backup may have come with the rights of whoever unpacked it. */
async function narrow(path: string, mode: number): Promise<void> {
  const status = await stat(path);
  if ((status.mode & 0o777 & ~mode) !== 0) {
    await chmod(path, mode);
  }
}
