/** Writes keystores and encrypted passwords as the Java libraries of another server do. */
import { createCipheriv, createHash, hash } from 'node:crypto';
import { derivePkcs12 } from '../../../src/cli/move-in/security/password-ciphers.ts';

const SALT = Buffer.from('0102030405060708', 'hex');
const LONG_SALT = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');

function md5Chain(first: Buffer, password: Buffer, rounds: number): Buffer {
  let hashed: Buffer = first;
  for (let round = 0; round < rounds; round += 1) hashed = createHash('md5').update(hashed).update(password).digest();
  return hashed;
}

function encrypt(cipher: string, key: Buffer, iv: Buffer, plain: Buffer): Buffer {
  const encryption = createCipheriv(cipher, key, iv);
  return Buffer.concat([encryption.update(plain), encryption.final()]);
}

/** `crypt1:` */
export function encryptWeakly(password: string, key: string): string {
  let derived: Buffer = Buffer.concat([Buffer.from(key), SALT]);
  for (let round = 0; round < 1_000; round += 1) derived = createHash('md5').update(derived).digest();
  const [des, iv] = [derived.subarray(0, 8), derived.subarray(8)];
  const bytes = encrypt('des-ede3-cbc', Buffer.concat([des, des, des]), iv, Buffer.from(password));
  return `crypt1:${Buffer.concat([SALT, bytes]).toString('base64')}`;
}

/** `crypt2:` */
export function encryptStrongly(password: string, key: string): string {
  const options = { salt: LONG_SALT, rounds: 1_000 };
  const bytes = encrypt(
    'aes-256-cbc',
    derivePkcs12(key, { ...options, purpose: 1, bytes: 32 }),
    derivePkcs12(key, { ...options, purpose: 2, bytes: 16 }),
    Buffer.from(password),
  );
  return `crypt2:${Buffer.concat([LONG_SALT, bytes]).toString('base64')}`;
}

/** `digest1:` */
export function digestPassword(password: string): string {
  let digest: Buffer = Buffer.concat([LONG_SALT, Buffer.from(password)]);
  for (let round = 0; round < 100_000; round += 1) digest = hash('sha256', digest, 'buffer');
  return `digest1:${Buffer.concat([LONG_SALT, digest]).toString('base64')}`;
}

/** A JCEKS keystore with secret keys. */
export function writeKeystore(keys: Readonly<Record<string, string>>, password: string): Buffer {
  const entries = Object.entries(keys).map(([alias, key]) =>
    Buffer.concat([int(3), text(alias), Buffer.alloc(8), sealKey(key, password)]),
  );
  const content = Buffer.concat([Buffer.from('cececece', 'hex'), int(2), int(entries.length), ...entries]);
  const secret = Buffer.from(password, 'utf16le').swap16();
  const digest = createHash('sha1').update(secret).update('Mighty Aphrodite').update(content).digest();
  return Buffer.concat([content, digest]);
}

function sealKey(key: string, password: string): Buffer {
  const rounds = 20;
  const derived = Buffer.concat(
    [SALT.subarray(0, 4), SALT.subarray(4)].map((half) => md5Chain(half, Buffer.from(password), rounds)),
  );
  const sealed = encrypt('des-ede3-cbc', derived.subarray(0, 24), derived.subarray(24), writeSecretKey(key));
  const parameters = Buffer.concat([Buffer.from([0x30, 13, 0x04, 8]), SALT, Buffer.from([0x02, 1, rounds])]);
  return Buffer.concat([
    Buffer.from('aced0005', 'hex'),
    Buffer.from([0x73]),
    classOf('com.sun.crypto.provider.SealedObjectForKeyProtector', []),
    // Its parent has the fields.
    classOf('javax.crypto.SealedObject', [
      ['[', 'encodedParams', string('[B')],
      ['[', 'encryptedContent', reference(2)],
      ['L', 'paramsAlg', string('Ljava/lang/String;')],
      ['L', 'sealAlg', reference(3)],
    ]),
    Buffer.from([0x70]),
    bytes(parameters, classOf('[B', []), Buffer.from([0x70])),
    bytes(sealed, Buffer.concat([Buffer.from([0x71]), int(0x7e0005)])),
    string('PBE'),
    string('PBEWithMD5AndTripleDES'),
  ]);
}

function writeSecretKey(key: string): Buffer {
  return Buffer.concat([
    Buffer.from('aced0005', 'hex'),
    Buffer.from([0x73]),
    classOf('javax.crypto.spec.SecretKeySpec', [
      ['L', 'algorithm', string('Ljava/lang/String;')],
      ['[', 'key', string('[B')],
    ]),
    Buffer.from([0x70]),
    string('PBE'),
    bytes(Buffer.from(key), classOf('[B', []), Buffer.from([0x70])),
  ]);
}

type Field = readonly [type: string, name: string, signature: Buffer];

function classOf(name: string, fields: readonly Field[]): Buffer {
  return Buffer.concat([
    Buffer.from([0x72]),
    text(name),
    Buffer.alloc(8),
    Buffer.from([2]),
    short(fields.length),
    ...fields.flatMap(([type, field, signature]) => [Buffer.from(type), text(field), signature]),
    Buffer.from([0x78]),
  ]);
}

function bytes(content: Buffer, ...description: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0x75]), ...description, int(content.length), content]);
}

function string(content: string): Buffer {
  return Buffer.concat([Buffer.from([0x74]), text(content)]);
}

function reference(index: number): Buffer {
  return Buffer.concat([Buffer.from([0x71]), int(0x7e0000 + index)]);
}

function text(content: string): Buffer {
  return Buffer.concat([short(Buffer.byteLength(content)), Buffer.from(content)]);
}

function short(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}

function int(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
