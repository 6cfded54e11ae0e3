/**
 * What is kept of the keystore: the data key and the keystore password, so that neither can be read without a key.
 *
 * The data key is there twice. Sealed by the server key, it opens at every start, unattended and at once; the password,
 * which administrators may read, is sealed by the server key too. Wrapped by the password, it stays within reach of
 * whoever knows the password when the server key is lost, and guessing the password costs a scrypt for each guess.
 *
 * So a stolen database or a backup of it alone tells no secret. The server key lies in the data directory unless the
 * operator keeps it elsewhere; whoever reads the whole data directory, as the server's own user can, reads everything.
 */
import { createSecretKey, type KeyObject, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';
import { decrypt, encrypt } from '../core/sealer.ts';

export interface ClosedKeystore {
  /** By the password. */
  readonly wrappedDataKey: Secret;
  readonly scrypt: ScryptCost & { readonly salt: string };
  /** By the server key. */
  readonly sealedDataKey: Secret;
  readonly sealedPassword: Secret;
}

export interface ScryptCost {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** 16 MiB and about 50 ms: every change of the password pays it once. */
export const SCRYPT_COST = 16_384;

export const KEY_BYTES = 32;
const SALT_BYTES = 16;

export interface KeystoreKeys {
  readonly serverKey: KeyObject;
  readonly dataKey: KeyObject;
}

/** Puts a data key under a password. */
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

/** Puts a data key under the server key. */
export function sealDataKey({ serverKey, dataKey }: KeystoreKeys): Secret {
  return encryptToSecret(serverKey, dataKey.export());
}

function encryptToSecret(key: KeyObject, bytes: Buffer): Secret {
  return toSecret(encrypt(key, bytes).toString('base64url'));
}

function decryptSecret(key: KeyObject, secret: Secret): Buffer {
  return decrypt(key, Buffer.from(revealSecret(secret), 'base64url'));
}

/** The password of a keystore; a `SealBroken` error if another server key closed it. */
export function decryptPassword(
  { sealedPassword }: Pick<ClosedKeystore, 'sealedPassword'>,
  serverKey: KeyObject,
): string {
  return decryptSecret(serverKey, sealedPassword).toString('utf8');
}

/** The data key of a keystore; a `SealBroken` error if another server key closed it. */
export function decryptDataKey({ sealedDataKey }: ClosedKeystore, serverKey: KeyObject): KeyObject {
  return createSecretKey(decryptSecret(serverKey, sealedDataKey));
}

/** The data key of a keystore for whoever knows its password; a `SealBroken` error if it is another one. */
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
