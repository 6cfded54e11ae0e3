/** The keystore's files in the data directory: for the server's own user only, and replaced whole or not at all. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../../storage/files/disk.ts';
import { KEY_BYTES, type KeystoreFile, parseKeystoreFile, printKeystoreFile } from './keystore-file.ts';

/** The files as they were found: `absent` before the first start, `damaged` when they are there but cannot be read. */
export type Found<T> = { readonly kind: 'found'; readonly content: T } | { readonly kind: 'absent' | 'damaged' };

export interface KeystoreFolder {
  /** Makes the folder if it is missing, and takes away whatever rights others have in it. */
  prepare(): Promise<void>;
  readServerKey(): Promise<Found<KeyObject>>;
  readKeystore(): Promise<Found<KeystoreFile>>;
  writeServerKey(key: KeyObject): Promise<void>;
  /** Puts this keystore in place of the one before. A crash leaves one of the two, whole. */
  replaceKeystore(file: KeystoreFile): Promise<void>;
  /** Renames what is there out of the way, so that it can still be looked at. */
  setAside(): Promise<void>;
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
    const entry = await disk.entryAt(path);
    if (entry === undefined) {
      return { kind: 'absent' };
    }
    const content = parse(await disk.readText(path));
    return content === undefined ? { kind: 'damaged' } : { kind: 'found', content };
  }

  /** The name stands for the whole new content or for the old, whenever the power goes. */
  async function replace(path: string, text: string): Promise<void> {
    const fresh = `${path}.new`;
    await disk.removeTree(fresh);
    await disk.writeDurably(fresh, text);
    await disk.move(fresh, path);
    await disk.syncFolder(folder);
  }

  return {
    async prepare() {
      await disk.makePrivateFolder(folder);
      await disk.syncFolder(dataDir);
      await narrow(folder, OWNER_ONLY_FOLDER);
      for (const path of [serverKeyPath, keystorePath]) {
        await disk.removeTree(`${path}.new`);
        if ((await disk.entryAt(path)) !== undefined) {
          await narrow(path, OWNER_ONLY_FILE);
        }
      }
    },
    readServerKey: () => read(serverKeyPath, parseServerKey),
    readKeystore: () => read(keystorePath, parseKeystoreFile),
    writeServerKey: (key) => replace(serverKeyPath, `${key.export().toString('base64url')}\n`),
    replaceKeystore: (file) => replace(keystorePath, printKeystoreFile(file)),
    async setAside() {
      for (const path of [serverKeyPath, keystorePath]) {
        if ((await disk.entryAt(path)) !== undefined) {
          await disk.move(path, `${path}.unusable`);
        }
      }
      await disk.syncFolder(folder);
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

function parseServerKey(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text.trim(), 'base64url');
  return bytes.length === KEY_BYTES ? createSecretKey(bytes) : undefined;
}
