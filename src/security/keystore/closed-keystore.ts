/**
 * The stored form of the keystore: the data key and the keystore password, both encrypted.
 *
 * The data key is stored twice. Encrypted with the server key, it is available at every unattended start; the password,
 * which administrators can read, is encrypted with the server key too. Encrypted with a key derived from the password,
 * the data key can be recovered when the server key is lost, and each guess of the password costs one scrypt.
 *
 * So a stolen database or database backup alone reveals no secret. The server key is in the data directory unless the
 * operator stores it elsewhere; a process that can read the whole data directory can read every secret.
 */
import { createSecretKey, type KeyObject, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';
import { decrypt, encrypt } from '../core/sealer.ts';

export interface ClosedKeystore {
  /** Encrypted with the password. */
  readonly wrappedDataKey: Secret;
  readonly scrypt: ScryptCost & { readonly salt: string };
  /** Encrypted with the server key. */
  readonly sealedDataKey: Secret;
  readonly sealedPassword: Secret;
}

export interface ScryptCost {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** 16 MiB and about 50 ms for each change of the password. */
export const SCRYPT_COST = 16_384;

export const KEY_BYTES = 32;
const SALT_BYTES = 16;

export interface KeystoreKeys {
  readonly serverKey: KeyObject;
  readonly dataKey: KeyObject;
}

/** Encrypts a data key with a password. */
export async function wrapKeystore(
  { serverKey, dataKey }: KeystoreKeys,
  password: string,
  { randomBytes, scryptCost }: { readonly randomBytes: (count: number) => Buffer; readonly scryptCost: number },
): Promise<ClosedKeystore> {
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const cost: ScryptCost = { cost: scryptCost, blockSize: 8, parallelization: 1 };
  const wrappingKey = await deriveKey(password, { ...cost, salt });
  return {
    wrappedDataKey: encryptToSecret(wrappingKey, dataKey.export()),
    scrypt: { ...cost, salt },
    sealedDataKey: sealDataKey({ serverKey, dataKey }),
    sealedPassword: encryptToSecret(serverKey, Buffer.from(password, 'utf8')),
  };
}

/** Encrypts a data key with the server key. */
export function sealDataKey({ serverKey, dataKey }: KeystoreKeys): Secret {
  return encryptToSecret(serverKey, dataKey.export());
}

function encryptToSecret(key: KeyObject, bytes: Buffer): Secret {
  return toSecret(encrypt(key, bytes).toString('base64url'));
}

function decryptSecret(key: KeyObject, secret: Secret): Buffer {
  return decrypt(key, Buffer.from(revealSecret(secret), 'base64url'));
}

/** Decrypts the password of a keystore; throws `SealBroken` if another server key encrypted it. */
export function decryptPassword(
  { sealedPassword }: Pick<ClosedKeystore, 'sealedPassword'>,
  serverKey: KeyObject,
): string {
  return decryptSecret(serverKey, sealedPassword).toString('utf8');
}

/** Decrypts the data key of a keystore; throws `SealBroken` if another server key encrypted it. */
export function decryptDataKey({ sealedDataKey }: ClosedKeystore, serverKey: KeyObject): KeyObject {
  return createSecretKey(decryptSecret(serverKey, sealedDataKey));
}

/** Decrypts the data key of a keystore with its password; throws `SealBroken` for a wrong password. */
export async function openWithPassword(
  closed: Pick<ClosedKeystore, 'wrappedDataKey' | 'scrypt'>,
  password: string,
): Promise<KeyObject> {
  const wrappingKey = await deriveKey(password, closed.scrypt);
  return createSecretKey(decryptSecret(wrappingKey, closed.wrappedDataKey));
}

type Scrypt = (password: string, salt: string, length: number, cost: ScryptCost) => Promise<Buffer>;

async function deriveKey(password: string, { salt, ...cost }: ClosedKeystore['scrypt']): Promise<KeyObject> {
  const { cost: cpuCost, blockSize, parallelization } = cost;
  return createSecretKey(
    await (promisify(scrypt) as Scrypt)(password, salt, KEY_BYTES, { cost: cpuCost, blockSize, parallelization }),
  );
}
