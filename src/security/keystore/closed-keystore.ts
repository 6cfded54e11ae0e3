/**
 * The stored form of the keystore: the data keys and the keystore password, all encrypted.
 *
 * The current data key is stored several times. Encrypted with a server key, it is available at every unattended start;
 * the password, which administrators can read, is encrypted with the server key too. While the server key is rotated on
 * several nodes, the keystore has a slot for each server key. Encrypted with a key derived from the password, the data
 * key can be recovered when all server keys are lost, and each guess of the password costs one scrypt.
 *
 * The other data keys are encrypted with the current one. They decrypt secrets of the change log, and are never deleted.
 *
 * So a stolen database or database backup alone reveals no secret. The server key is in the data directory unless the
 * operator stores it elsewhere; a process that can read the whole data directory can read every secret.
 */
import { createSecretKey, type KeyObject, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';
import { computeKeyId, decrypt, encrypt, SealBroken } from '../core/sealer.ts';

export interface ClosedKeystore {
  /** Encrypted with the password. */
  readonly wrappedDataKey: Secret;
  readonly scrypt: ScryptCost & { readonly salt: string };
  /** Encrypted with the first server key, as in earlier versions. */
  readonly sealedDataKey: Secret;
  readonly sealedPassword: Secret;
  /** The id of the first server key; absent in keystores of earlier versions. */
  readonly serverKeyId?: string;
  /** The same for further server keys, while the server key is rotated. */
  readonly otherServerKeys?: readonly ServerKeySlot[];
  /** Encrypted with the current data key. */
  readonly otherDataKeys?: readonly Secret[];
  /** The id of the data key among the others that becomes the current one when all nodes have it. */
  readonly nextDataKeyId?: string;
}

/** The parts of a keystore that are encrypted with one server key. */
export interface ServerKeySlot {
  /** The id of the server key, if it is known. */
  readonly id: string | undefined;
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

/** The content of an open keystore. */
export interface KeystoreContent {
  readonly password: string;
  /** The current key. */
  readonly dataKey: KeyObject;
  readonly otherDataKeys: readonly KeyObject[];
  readonly nextDataKeyId: string | undefined;
}

/** The server keys of a node: the current one first, then the previous ones that it accepts. */
export type ServerKeys = readonly [current: KeyObject, ...previous: KeyObject[]];

export interface CloseOptions {
  readonly randomBytes: (count: number) => Buffer;
  readonly scryptCost: number;
}

/** Encrypts the content for each of the server keys and for the password. */
export async function closeKeystore(
  content: KeystoreContent,
  serverKeys: ServerKeys,
  { randomBytes, scryptCost }: CloseOptions,
): Promise<ClosedKeystore> {
  const { password, dataKey, otherDataKeys, nextDataKeyId } = content;
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const cost: ScryptCost = { cost: scryptCost, blockSize: 8, parallelization: 1 };
  const wrappingKey = await deriveKey(password, { ...cost, salt });
  const [first, ...others] = serverKeys;
  return placeSlots(
    {
      wrappedDataKey: encryptToSecret(wrappingKey, dataKey.export()),
      scrypt: { ...cost, salt },
      ...(otherDataKeys.length > 0 && {
        otherDataKeys: otherDataKeys.map((key) => encryptToSecret(dataKey, key.export())),
      }),
      ...(nextDataKeyId !== undefined && { nextDataKeyId }),
    },
    [createSlot(first, content), ...others.map((key) => createSlot(key, content))],
  );
}

type WithoutSlots = Omit<ClosedKeystore, 'sealedDataKey' | 'sealedPassword' | 'serverKeyId' | 'otherServerKeys'>;

/** Returns the same keystore with these slots; the first one must have an id. */
export function placeSlots(
  closed: WithoutSlots,
  [first, ...others]: readonly [ServerKeySlot, ...ServerKeySlot[]],
): ClosedKeystore {
  const { wrappedDataKey, scrypt: cost, otherDataKeys, nextDataKeyId } = closed;
  const { id, sealedDataKey, sealedPassword } = first;
  return {
    wrappedDataKey,
    scrypt: cost,
    sealedDataKey,
    sealedPassword,
    ...(id !== undefined && { serverKeyId: id }),
    ...(others.length > 0 && { otherServerKeys: others }),
    ...(otherDataKeys !== undefined && { otherDataKeys }),
    ...(nextDataKeyId !== undefined && { nextDataKeyId }),
  };
}

export function createSlot(
  serverKey: KeyObject,
  { dataKey, password }: Pick<KeystoreContent, 'dataKey' | 'password'>,
): ServerKeySlot {
  return {
    id: computeKeyId(serverKey),
    sealedDataKey: encryptToSecret(serverKey, dataKey.export()),
    sealedPassword: encryptToSecret(serverKey, Buffer.from(password, 'utf8')),
  };
}

export function listSlots(closed: ClosedKeystore): readonly [ServerKeySlot, ...ServerKeySlot[]] {
  const { serverKeyId: id, sealedDataKey, sealedPassword, otherServerKeys = [] } = closed;
  return [{ id, sealedDataKey, sealedPassword }, ...otherServerKeys];
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

/** Opens a keystore with the first server key that fits; throws `SealBroken` if none does. */
export function openWithServerKey(
  closed: ClosedKeystore,
  serverKeys: ServerKeys,
): { readonly content: KeystoreContent; readonly serverKey: KeyObject } {
  let failure: unknown;
  for (const serverKey of serverKeys) {
    for (const slot of listSlots(closed)) {
      try {
        const dataKey = createSecretKey(decryptSecret(serverKey, slot.sealedDataKey));
        return { content: openContent(closed, decryptPassword(slot, serverKey), dataKey), serverKey };
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        failure = error;
      }
    }
  }
  throw failure;
}

/** Opens a keystore with its password; throws `SealBroken` for a wrong password. */
export async function openWithPassword(
  closed: Pick<ClosedKeystore, 'wrappedDataKey' | 'scrypt' | 'otherDataKeys' | 'nextDataKeyId'>,
  password: string,
): Promise<KeystoreContent> {
  const wrappingKey = await deriveKey(password, closed.scrypt);
  return openContent(closed, password, createSecretKey(decryptSecret(wrappingKey, closed.wrappedDataKey)));
}

function openContent(
  { otherDataKeys = [], nextDataKeyId }: Pick<ClosedKeystore, 'otherDataKeys' | 'nextDataKeyId'>,
  password: string,
  dataKey: KeyObject,
): KeystoreContent {
  const others = otherDataKeys.map((sealed) => createSecretKey(decryptSecret(dataKey, sealed)));
  return { password, dataKey, otherDataKeys: others, nextDataKeyId };
}

type Scrypt = (password: string, salt: string, length: number, cost: ScryptCost) => Promise<Buffer>;

async function deriveKey(password: string, { salt, ...cost }: ClosedKeystore['scrypt']): Promise<KeyObject> {
  const { cost: cpuCost, blockSize, parallelization } = cost;
  return createSecretKey(
    await (promisify(scrypt) as Scrypt)(password, salt, KEY_BYTES, { cost: cpuCost, blockSize, parallelization }),
  );
}
