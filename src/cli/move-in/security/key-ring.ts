/** The keys of a source: its keystore, opened with the master password. */
import { MoveInError } from '../report/move-in-error.ts';
import type { Source } from '../source/source.ts';
import { readKeystore } from './keystore.ts';
import { readStoredPassword, type StoredPassword } from './stored-passwords.ts';

const KEYSTORE = 'security/geoserver.jceks';
const FIRST_START = 'security/masterpw.info';

/** The password of every new installation. */
const DEFAULT_PASSWORD = 'geoserver';

/** A keystore has a few kilobytes for each user service. */
const MAX_KEYSTORE_BYTES = 10_485_760;

/** The key of passwords of stores and providers. */
const CONFIGURATION_KEY = 'config:password:key';

export class KeyRing {
  readonly #keys: ReadonlyMap<string, string>;
  /** Why no key is available, as a clause. */
  readonly #reason: string;

  constructor(keys: ReadonlyMap<string, string>, reason: string) {
    this.#keys = keys;
    this.#reason = reason;
  }

  /** A password of a store or provider. */
  decode(stored: string): { readonly password: string } | { readonly reason: string } {
    const read = readStoredPassword(stored, this.#keys.get(CONFIGURATION_KEY));
    if (read.kind === 'plain') return { password: read.password };
    return { reason: read.kind === 'unreadable' ? this.#explain(read.reason) : 'it is stored as a hash' };
  }

  /** The password of a user of a service. */
  decodeUser(stored: string, service: string): StoredPassword {
    const read = readStoredPassword(stored, this.#keys.get(`ug:${service}:key`));
    return read.kind === 'unreadable' ? { ...read, reason: this.#explain(read.reason) } : read;
  }

  #explain(reason: string): string {
    return this.#keys.size === 0 ? this.#reason : reason;
  }
}

/** Opens the keystore with the first password that fits. */
export async function openKeyRing(source: Source, masterPassword: string | undefined): Promise<KeyRing> {
  const bytes = source.files.includes(KEYSTORE) ? await source.read(KEYSTORE, MAX_KEYSTORE_BYTES) : undefined;
  if (bytes === undefined) return new KeyRing(new Map(), 'the source has no keystore');
  for (const password of await listPasswords(source, masterPassword)) {
    const content = readKeystore(bytes, password);
    if (content.kind === 'open') return new KeyRing(content.keys, '');
    if (content.kind === 'invalid') return new KeyRing(new Map(), `the keystore is invalid: ${content.reason}`);
  }
  if (masterPassword !== undefined) {
    throw new MoveInError(
      'master-password-wrong',
      'The password of --master-password-file does not open the keystore.',
    );
  }
  return new KeyRing(new Map(), 'the master password is unknown; use --master-password-file');
}

async function listPasswords(source: Source, given: string | undefined): Promise<readonly string[]> {
  if (given !== undefined) return [given];
  const info = source.files.includes(FIRST_START) ? await source.read(FIRST_START, MAX_KEYSTORE_BYTES) : undefined;
  const [, written] = /password is:\s*(\S+)/i.exec(info?.toString() ?? '') ?? [];
  const running = await source.readMasterPassword?.();
  return [written, running, DEFAULT_PASSWORD].filter((password) => password !== undefined);
}
