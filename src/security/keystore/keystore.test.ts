import { createSecretKey, type KeyObject } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  earlierKeystore,
  earlierPlace,
  FIRST_PASSWORD,
  type KeystorePlace,
  keystorePlace,
} from '../../../test/support/keystores.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import { openCatalog } from '../../records/catalog.ts';
import { computeKeyId, createSealer, SealBroken } from '../core/sealer.ts';
import { openWithPassword } from './closed-keystore.ts';
import type { Keystore } from './keystore.ts';
import { findKeystore, keystoreKind } from './keystore-record.ts';
import { parseServerKey } from './server-key.ts';

const ann: Principal = { name: 'ann', roles: new Set(['ROLE_ADMINISTRATOR']) };

function keyOf(byte: number): KeyObject {
  return createSecretKey(Buffer.alloc(32, byte));
}

async function passwordOf(keystore: Keystore | Promise<Keystore>): Promise<string> {
  return (await (await keystore).getPassword()).password;
}

async function modes(place: KeystorePlace): Promise<Record<string, string>> {
  const folder = join(place.dataDir, 'security');
  const names = ['.', ...(await readdir(folder))];
  const entries = names.map(async (name) => [name, ((await stat(join(folder, name))).mode & 0o777).toString(8)]);
  return Object.fromEntries(await Promise.all(entries));
}

describe('first start', () => {
  it('creates a keystore that only the server can read, and records it in the change log', async () => {
    const place = await keystorePlace();

    const keystore = await place.open();

    expect(await keystore.getPassword()).toMatchObject({ password: FIRST_PASSWORD });
    expect(await modes(place)).toEqual({ '.': '700', 'server.key': '600' });
    expect(await place.storage.listChanges(0, 10)).toMatchObject([{ who: 'graticule', what: 'create the keystore' }]);
  });

  it('stores neither password nor data key in clear text, and omits the encrypted values from the change log', async () => {
    const place = await keystorePlace();
    await place.open();

    const record = await findKeystore(place.catalog);

    expect(Object.keys(record?.closed ?? {})).toEqual([
      'wrappedDataKey',
      'scrypt',
      'sealedDataKey',
      'sealedPassword',
      'serverKeyId',
    ]);
    expect(JSON.stringify(record)).not.toContain(FIRST_PASSWORD);
    expect(JSON.stringify(record)).not.toContain(Buffer.from(FIRST_PASSWORD).toString('base64url'));
    expect(keystoreKind.secrets).toEqual({ closed: true });
  });

  it('creates a keystore that the password opens without the server key', async () => {
    const place = await keystorePlace();
    const sealed = (await place.open()).sealer.seal('a store password');
    const { closed } = (await findKeystore(place.catalog)) ?? {};

    const content = closed && (await openWithPassword(closed, FIRST_PASSWORD));

    expect(content && createSealer(() => [content.dataKey]).open(sealed)).toBe('a store password');
    await expect(closed && openWithPassword(closed, 'another password')).rejects.toThrow(SealBroken);
  });
});

describe('later start', () => {
  it('decrypts existing secrets with the same password, and changes nothing', async () => {
    const place = await keystorePlace();
    const sealed = (await place.open()).sealer.seal('a store password');
    const position = await place.storage.position();

    const keystore = await place.open();

    expect(keystore.sealer.open(sealed)).toBe('a store password');
    expect(await passwordOf(keystore)).toBe(FIRST_PASSWORD);
    expect(await place.storage.position()).toBe(position);
  });

  it('removes the permissions of other users on its folder', async () => {
    const place = await keystorePlace();
    await place.open();
    const folder = join(place.dataDir, 'security');
    await chmod(join(folder, 'server.key'), 0o664);
    await chmod(folder, 0o755);

    await place.open();

    expect(await modes(place)).toEqual({ '.': '700', 'server.key': '600' });
  });

  it('removes the remains of an interrupted start', async () => {
    const place = await keystorePlace();
    await place.open();
    await writeFile(join(place.dataDir, 'security', 'server.key.new'), 'half a k');
    await writeFile(join(place.dataDir, 'security', 'keystore.json.new'), 'half a fi');

    await place.open();

    expect(Object.keys(await modes(place)).sort()).toEqual(['.', 'server.key']);
  });
});

describe('keystore password change', () => {
  it('keeps secrets, survives a restart, and is logged with the principal but without the password', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const sealed = keystore.sealer.seal('a store password');

    await keystore.changePassword(ann, { old: FIRST_PASSWORD, next: 'another password' }, noPrecondition);
    const reopened = await place.open();

    expect(await passwordOf(keystore)).toBe('another password');
    expect(await reopened.getPassword()).toEqual(await keystore.getPassword());
    expect(reopened.sealer.open(sealed)).toBe('a store password');
    const log = await place.storage.listChanges(0, 10);
    expect(log.at(-1)).toMatchObject({
      who: 'ann',
      what: 'change the keystore password',
      items: [{ before: { body: { generation: 0 } }, after: { body: { generation: 1 } } }],
    });
    expect(JSON.stringify(log)).not.toMatch(/another password|the first password/);
    expect(await modes(place)).toEqual({ '.': '700', 'server.key': '600' });
  });

  it.each([
    ['a wrong old password', { old: 'no idea at all', next: 'another password' }, 'keystore-password-wrong'],
    ['seven characters', { old: FIRST_PASSWORD, next: '1234567' }, 'keystore-password-weak'],
    ['seven characters of two units each', { old: FIRST_PASSWORD, next: '😀'.repeat(7) }, 'keystore-password-weak'],
    ['far too many characters', { old: FIRST_PASSWORD, next: 'x'.repeat(1_001) }, 'keystore-password-weak'],
    ['an unchanged password', { old: FIRST_PASSWORD, next: FIRST_PASSWORD }, 'keystore-password-weak'],
    ['a control character', { old: FIRST_PASSWORD, next: 'pass\u0007word' }, 'keystore-password-weak'],
    ['an unpaired surrogate', { old: FIRST_PASSWORD, next: 'password\ud83d' }, 'keystore-password-weak'],
  ])('rejects %s and changes nothing', async (_what, change, code) => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const position = await place.storage.position();

    const refusal = keystore.changePassword(ann, change, noPrecondition);

    await expect(refusal).rejects.toMatchObject({ code });
    expect(await passwordOf(keystore)).toBe(FIRST_PASSWORD);
    expect(await passwordOf(place.open())).toBe(FIRST_PASSWORD);
    expect(await place.storage.position()).toBe(position);
  });

  it('accepts any eight characters', async () => {
    const keystore = await (await keystorePlace()).open();

    await keystore.changePassword(ann, { old: FIRST_PASSWORD, next: '😀'.repeat(8) }, noPrecondition);

    expect(await passwordOf(keystore)).toBe('😀'.repeat(8));
  });

  it('lets one of several concurrent changes succeed', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();

    const wishes = ['winner one', 'winner two', 'winner three'];

    const outcomes = await Promise.allSettled(
      wishes.map((next) => keystore.changePassword(ann, { old: FIRST_PASSWORD, next }, noPrecondition)),
    );

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const winner = wishes[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    expect(await passwordOf(keystore)).toBe(winner);
    expect(await passwordOf(place.open())).toBe(winner);
    expect(await place.storage.listChanges(1, 10)).toHaveLength(1);
  });

  it('is rejected when the precondition does not match', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const change = { old: FIRST_PASSWORD, next: 'another password' };
    const { version } = await keystore.getPassword();

    const refusal = keystore.changePassword(ann, change, { ifMatch: new Set([version + 1]) });

    await expect(refusal).rejects.toMatchObject({ code: 'precondition-failed' });
    expect(await passwordOf(place.open())).toBe(FIRST_PASSWORD);
  });
});

describe('server key outside the data directory', () => {
  it('opens the keystore without writing to the data directory', async () => {
    const place = await keystorePlace();

    const sealed = (await place.open({ serverKey: keyOf(1) })).sealer.seal('a store password');

    expect((await place.open({ serverKey: keyOf(1) })).sealer.open(sealed)).toBe('a store password');
    expect(await readdir(place.dataDir)).not.toContain('security');
  });

  it('can be the key of the data directory, moved elsewhere', async () => {
    const place = await keystorePlace();
    const sealed = (await place.open()).sealer.seal('a store password');
    const path = join(place.dataDir, 'security', 'server.key');
    const serverKey = parseServerKey(await readFile(path, 'utf8')) ?? keyOf(0);
    await rm(path);

    const keystore = await place.open({ serverKey });

    expect(keystore.sealer.open(sealed)).toBe('a store password');
  });

  it('stops the start if it does not match, and creates a new keystore only on request', async () => {
    const place = await keystorePlace();
    await place.open({ serverKey: keyOf(1) });

    await expect(place.open({ serverKey: keyOf(2) })).rejects.toMatchObject({
      code: 'keystore-unusable',
      message: `The keystore is unusable: the server key does not match the keystore, or the keystore was altered. Provide the server key ${computeKeyId(keyOf(1))}. If that is impossible, open the keystore with its password (graticule keystore recover), or start with --lost-keystore replace and set the passwords stored in the catalog again.`,
    });
    await place.open({ serverKey: keyOf(2), whenLost: 'replace' });

    expect(await place.open({ serverKey: keyOf(2) })).toBeDefined();
    await expect(place.open({ serverKey: keyOf(1) })).rejects.toThrow('does not match');
  });
});

describe('two servers on one catalog', () => {
  it('create one keystore if they start together with the same server key', async () => {
    const place = await keystorePlace();
    const start = () => place.open({ catalog: openCatalog(place.storage), serverKey: keyOf(1) });

    const [one, other] = await Promise.all([start(), start()]);

    expect(other.sealer.open(one.sealer.seal('a secret'))).toBe('a secret');
    expect(await other.getPassword()).toEqual(await one.getPassword());
    expect(await place.storage.listChanges(0, 10)).toHaveLength(1);
  });

  it('do not both start if each has its own server key', async () => {
    const place = await keystorePlace();
    const { dataDir } = await keystorePlace();

    const outcomes = await Promise.allSettled([place.open(), place.open({ dataDir })]);

    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(refused).toEqual([expect.stringContaining('server.key does not match the keystore')]);
    expect(await place.storage.listChanges(0, 10)).toHaveLength(1);
  });

  it('return the same password after either of them has changed it', async () => {
    const place = await keystorePlace();
    const [one, other] = [await place.open(), await place.open()];

    await one.changePassword(ann, { old: FIRST_PASSWORD, next: 'another password' }, noPrecondition);

    expect(await passwordOf(other)).toBe('another password');
    await other.changePassword(ann, { old: 'another password', next: 'and another one' }, noPrecondition);
    expect(await passwordOf(one)).toBe('and another one');
  });

  it('refuse to return or change the password after one of them has replaced the keystore', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    await place.open({ serverKey: keyOf(1), whenLost: 'replace' });

    await expect(keystore.getPassword()).rejects.toThrow('Restart this server');
  });
});

describe('lost keystore', () => {
  it.each([
    ['with a missing folder', (folder: string) => rm(folder, { recursive: true }), 'server.key is missing'],
    ['with a missing server key', (folder: string) => rm(join(folder, 'server.key')), 'server.key is missing'],
    ['with a damaged server key', (folder: string) => writeFile(join(folder, 'server.key'), 'abc'), 'damaged'],
    ['with an empty server key', (folder: string) => writeFile(join(folder, 'server.key'), ''), 'damaged'],
    [
      'with another server key',
      (folder: string) => writeFile(join(folder, 'server.key'), Buffer.alloc(32).toString('base64url')),
      'does not match',
    ],
  ])('stops the start %s, and is replaced only on request', async (_what, lose, reason) => {
    const place = await keystorePlace();
    const sealed = (await place.open()).sealer.seal('lost secret');
    await lose(join(place.dataDir, 'security'));

    await expectReplacement(place, sealed, reason);
    expect((await place.storage.listChanges(1, 10)).map(({ what }) => what)).toEqual([
      'replace the keystore that was lost',
    ]);
  });
});

describe('keystore file of an earlier version', () => {
  it('is migrated into the record with its password and secrets, and deleted', async () => {
    const place = await earlierPlace();

    const keystore = await place.open();

    expect(await passwordOf(keystore)).toBe(earlierKeystore.password);
    expect(keystore.sealer.open(earlierKeystore.sealed)).toBe('a store password');
    expect(await modes(place)).toEqual({ '.': '700', 'server.key': '600' });
    expect(await place.storage.listChanges(1, 10)).toMatchObject([
      { who: 'graticule', what: 'take over the keystore of the data directory', items: [{ kind: 'keystore' }] },
    ]);
    expect((await place.open()).sealer.open(earlierKeystore.sealed)).toBe('a store password');
    expect(await place.storage.listChanges(2, 10)).toEqual([]);
  });

  it('keeps the version of its password until the password changes', async () => {
    const place = await earlierPlace();
    const version = (await findKeystore(place.catalog))?.version ?? 0;
    const guarded = { ifMatch: new Set([version]) };
    const keystore = await place.open();
    expect(await keystore.getPassword()).toEqual({ password: earlierKeystore.password, version });

    await keystore.changePassword(ann, { old: earlierKeystore.password, next: 'another password' }, guarded);

    expect(await keystore.getPassword()).toEqual({ password: 'another password', version: version + 2 });
    const again = keystore.changePassword(ann, { old: 'another password', next: 'and another one' }, guarded);
    await expect(again).rejects.toMatchObject({ code: 'precondition-failed' });
  });

  it('has a password that can be changed, which is then stored only in the record', async () => {
    const place = await earlierPlace();
    const keystore = await place.open();

    await keystore.changePassword(ann, { old: earlierKeystore.password, next: 'another password' }, noPrecondition);

    const reopened = await place.open();
    expect(await passwordOf(reopened)).toBe('another password');
    expect(reopened.sealer.open(earlierKeystore.sealed)).toBe('a store password');
  });

  it('is migrated with the last password and its author if the server crashed before recording the change', async () => {
    const place = await earlierPlace(0);

    const keystore = await place.open();

    expect(await passwordOf(keystore)).toBe(earlierKeystore.password);
    expect(await place.storage.listChanges(1, 10)).toMatchObject([
      { who: 'ann', what: 'change the keystore password (noted after an interruption)' },
    ]);
  });

  it('is migrated if the server crashed before recording the keystore', async () => {
    const place = await earlierPlace('never');

    expect((await place.open()).sealer.open(earlierKeystore.sealed)).toBe('a store password');
  });

  it('is ignored and deleted if it reappears after the migration', async () => {
    const place = await earlierPlace();
    const keystore = await place.open();
    await keystore.changePassword(ann, { old: earlierKeystore.password, next: 'another password' }, noPrecondition);
    await writeFile(join(place.dataDir, 'security', 'keystore.json'), JSON.stringify(earlierKeystore.file));

    expect(await passwordOf(place.open())).toBe('another password');
    expect(await modes(place)).toEqual({ '.': '700', 'server.key': '600' });
  });

  it.each([
    ['with a missing file', (folder: string) => rm(join(folder, 'keystore.json')), 'keystore.json is missing'],
    ['with a missing folder', (folder: string) => rm(folder, { recursive: true }), 'keystore.json is missing'],
    ['with a damaged file', (folder: string) => writeFile(join(folder, 'keystore.json'), '{"format":1'), 'damaged'],
    ['with an empty file', (folder: string) => writeFile(join(folder, 'keystore.json'), ''), 'damaged'],
    ['with a missing server key', (folder: string) => rm(join(folder, 'server.key')), 'server.key is missing'],
    [
      'with another server key',
      (folder: string) => writeFile(join(folder, 'server.key'), Buffer.alloc(32).toString('base64url')),
      'does not match',
    ],
    [
      'with the file of another catalog',
      (folder: string) =>
        writeFile(join(folder, 'keystore.json'), JSON.stringify({ ...earlierKeystore.file, id: 'another' })),
      'belongs to another catalog',
    ],
  ])('stops the start %s, and is replaced only on request', async (_what, lose, reason) => {
    const place = await earlierPlace();
    await lose(join(place.dataDir, 'security'));

    await expectReplacement(place, earlierKeystore.sealed, reason);
  });
});

/** Expects that the start is refused for this reason, and that a requested replacement cannot decrypt old secrets. */
async function expectReplacement(place: KeystorePlace, sealed: Secret, reason: string): Promise<void> {
  await expect(place.open()).rejects.toMatchObject({
    code: 'keystore-unusable',
    message: expect.stringContaining(reason),
  });

  const replaced = await place.open({ whenLost: 'replace' });

  expect(() => replaced.sealer.open(sealed)).toThrow();
  expect(place.warnings).toHaveLength(1);
  expect((await place.open()).sealer.open(replaced.sealer.seal('new'))).toBe('new');
}
