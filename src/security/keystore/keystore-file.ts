/**
 * What the keystore keeps on disk: the data key, wrapped by the keystore password, and that password, sealed by the
 * server key.
 *
 * The catalog holds only what the data key sealed, so a stolen database or a backup of it alone tells no secret. A
 * stolen keystore file alone neither: it opens with its password or with the server key, and guessing the password
 * costs a scrypt for each guess. The server must start unattended and show the password to administrators, so the
 * server key lies beside it: whoever reads the whole data directory, as the server's own user can, reads everything.
 * Against that only the permissions of the folder help, or a server key that is kept elsewhere and mounted.
 */
import { createSecretKey, type KeyObject, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { decrypt, encrypt } from './sealer.ts';

export interface KeystoreFile {
  readonly format: 1;
  /** Which keystore this is; a data key has it for life. */
  readonly id: string;
  /** How often the password was changed, and by whom last. */
  readonly generation: number;
  readonly changedBy: string;
  readonly scrypt: ScryptCost & { readonly salt: string };
  readonly wrappedDataKey: string;
  readonly sealedPassword: string;
}

interface ScryptCost {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** 16 MiB and about 50 ms: every start pays it once. */
export const SCRYPT_COST = 16_384;

/** More than this is no file of ours, and must not be allowed to fill the memory. */
const MAX_COST = 1_048_576;

export const KEY_BYTES = 32;
const SALT_BYTES = 16;

export interface KeystoreContent {
  readonly dataKey: KeyObject;
  readonly password: string;
}

/** Puts a data key under a password. */
export async function closeKeystore(
  content: KeystoreContent,
  about: Pick<KeystoreFile, 'id' | 'generation' | 'changedBy'>,
  serverKey: KeyObject,
  { randomBytes, scryptCost }: { readonly randomBytes: (count: number) => Buffer; readonly scryptCost: number },
): Promise<KeystoreFile> {
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const cost: ScryptCost = { cost: scryptCost, blockSize: 8, parallelization: 1 };
  const wrappingKey = await derive(content.password, salt, cost);
  return {
    format: 1,
    ...about,
    scrypt: { ...cost, salt },
    wrappedDataKey: encrypt(wrappingKey, content.dataKey.export()).toString('base64url'),
    sealedPassword: encrypt(serverKey, Buffer.from(content.password, 'utf8')).toString('base64url'),
  };
}

/** The password of a keystore. */
export function passwordOf(file: KeystoreFile, serverKey: KeyObject): string {
  return decrypt(serverKey, Buffer.from(file.sealedPassword, 'base64url')).toString('utf8');
}

/** The data key of a keystore. */
export async function openKeystoreFile(file: KeystoreFile, serverKey: KeyObject): Promise<KeyObject> {
  const wrappingKey = await derive(passwordOf(file, serverKey), file.scrypt.salt, file.scrypt);
  return createSecretKey(decrypt(wrappingKey, Buffer.from(file.wrappedDataKey, 'base64url')));
}

export function printKeystoreFile(file: KeystoreFile): string {
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Undefined for text that is no keystore. */
export function parseKeystoreFile(text: string): KeystoreFile | undefined {
  const file = parseObject(text);
  const cost = file?.['scrypt'] as Record<string, unknown> | null | undefined;
  const isKeystore =
    file?.['format'] === 1 &&
    ['id', 'changedBy', 'wrappedDataKey', 'sealedPassword'].every((member) => typeof file[member] === 'string') &&
    Number.isSafeInteger(file['generation']) &&
    typeof cost?.['salt'] === 'string' &&
    ['cost', 'blockSize', 'parallelization'].every((member) => isCost(cost[member]));
  return isKeystore ? (file as unknown as KeystoreFile) : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isCost(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_COST;
}

type Scrypt = (password: string, salt: string, length: number, cost: ScryptCost) => Promise<Buffer>;

async function derive(password: string, salt: string, cost: ScryptCost): Promise<KeyObject> {
  const { cost: cpuCost, blockSize, parallelization } = cost;
  return createSecretKey(
    await (promisify(scrypt) as Scrypt)(password, salt, KEY_BYTES, { cost: cpuCost, blockSize, parallelization }),
  );
}
