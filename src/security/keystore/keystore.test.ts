import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIRST_PASSWORD, type KeystorePlace, keystorePlace } from '../../../test/support/keystores.ts';
import { noPrecondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';

const ann: Principal = { name: 'ann', roles: new Set(['ROLE_ADMINISTRATOR']) };

async function modes(place: KeystorePlace): Promise<Record<string, string>> {
  const folder = join(place.dataDir, 'security');
  const names = ['.', ...(await readdir(folder))];
  const entries = names.map(async (name) => [name, ((await stat(join(folder, name))).mode & 0o777).toString(8)]);
  return Object.fromEntries(await Promise.all(entries));
}

describe('the first start', () => {
  it('makes a keystore that only the server can read, and notes it in the catalog', async () => {
    const place = await keystorePlace();

    const keystore = await place.open();

    expect(keystore.password()).toMatchObject({ password: FIRST_PASSWORD });
    expect(await modes(place)).toEqual({ '.': '700', 'keystore.json': '600', 'server.key': '600' });
    expect(await place.storage.changes(0, 10)).toMatchObject([{ who: 'graticule', what: 'make the keystore' }]);
  });

  it('leaves neither the password nor the data key in clear on the disk', async () => {
    const place = await keystorePlace();
    await place.open();

    const file = await readFile(join(place.dataDir, 'security', 'keystore.json'), 'utf8');

    expect(file).not.toContain(FIRST_PASSWORD);
    expect(file).not.toContain(Buffer.from(FIRST_PASSWORD).toString('base64url'));
  });
});

describe('a later start', () => {
  it('opens what was sealed before, with the same password, and changes nothing', async () => {
    const place = await keystorePlace();
    const sealed = (await place.open()).sealer.seal('a store password');
    const position = await place.storage.position();

    const keystore = await place.open();

    expect(keystore.sealer.open(sealed)).toBe('a store password');
    expect(keystore.password().password).toBe(FIRST_PASSWORD);
    expect(await place.storage.position()).toBe(position);
  });

  it('takes away the rights that others have in its folder', async () => {
    const place = await keystorePlace();
    await place.open();
    const folder = join(place.dataDir, 'security');
    await chmod(join(folder, 'keystore.json'), 0o644);
    await chmod(join(folder, 'server.key'), 0o664);
    await chmod(folder, 0o755);

    await place.open();

    expect(await modes(place)).toEqual({ '.': '700', 'keystore.json': '600', 'server.key': '600' });
  });

  it('sweeps away what an interrupted change left', async () => {
    const place = await keystorePlace();
    await place.open();
    await writeFile(join(place.dataDir, 'security', 'keystore.json.new'), 'half a fi');

    await place.open();

    expect(Object.keys(await modes(place)).sort()).toEqual(['.', 'keystore.json', 'server.key']);
  });
});

describe('changing the password', () => {
  it('keeps what was sealed, survives a restart, and is noted with who did it but without the password', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const sealed = keystore.sealer.seal('a store password');

    await keystore.changePassword(ann, { old: FIRST_PASSWORD, next: 'another password' }, noPrecondition);
    const reopened = await place.open();

    expect(keystore.password().password).toBe('another password');
    expect(reopened.password()).toEqual(keystore.password());
    expect(reopened.sealer.open(sealed)).toBe('a store password');
    const log = await place.storage.changes(0, 10);
    expect(log.at(-1)).toMatchObject({
      who: 'ann',
      what: 'change the keystore password',
      items: [{ before: { body: { generation: 0 } }, after: { body: { generation: 1 } } }],
    });
    expect(JSON.stringify(log)).not.toMatch(/another password|the first password/);
    expect(await modes(place)).toEqual({ '.': '700', 'keystore.json': '600', 'server.key': '600' });
  });

  it.each([
    ['a wrong old one', { old: 'no idea at all', next: 'another password' }, 'keystore-password-wrong'],
    ['seven characters', { old: FIRST_PASSWORD, next: '1234567' }, 'keystore-password-weak'],
    ['seven characters of two units each', { old: FIRST_PASSWORD, next: '😀'.repeat(7) }, 'keystore-password-weak'],
    ['far too many characters', { old: FIRST_PASSWORD, next: 'x'.repeat(1_001) }, 'keystore-password-weak'],
    ['the same one', { old: FIRST_PASSWORD, next: FIRST_PASSWORD }, 'keystore-password-weak'],
    ['a control character', { old: FIRST_PASSWORD, next: 'pass\u0007word' }, 'keystore-password-weak'],
    ['half a character', { old: FIRST_PASSWORD, next: 'password\ud83d' }, 'keystore-password-weak'],
  ])('refuses %s and changes nothing', async (_what, change, code) => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const position = await place.storage.position();

    const refusal = keystore.changePassword(ann, change, noPrecondition);

    await expect(refusal).rejects.toMatchObject({ code });
    expect(keystore.password().password).toBe(FIRST_PASSWORD);
    expect((await place.open()).password().password).toBe(FIRST_PASSWORD);
    expect(await place.storage.position()).toBe(position);
  });

  it('takes eight characters, whatever they are', async () => {
    const keystore = await (await keystorePlace()).open();

    await keystore.changePassword(ann, { old: FIRST_PASSWORD, next: '😀'.repeat(8) }, noPrecondition);

    expect(keystore.password().password).toBe('😀'.repeat(8));
  });

  it('lets one of several at once win', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();

    const outcomes = await Promise.allSettled(
      ['winner one', 'winner two', 'winner three'].map((next) =>
        keystore.changePassword(ann, { old: FIRST_PASSWORD, next }, noPrecondition),
      ),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(keystore.password().password).toBe('winner one');
    expect((await place.open()).password().password).toBe('winner one');
  });

  it('is refused when the client has seen another state', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const change = { old: FIRST_PASSWORD, next: 'another password' };

    const refusal = keystore.changePassword(ann, change, { ifMatch: new Set([keystore.password().version + 1]) });

    await expect(refusal).rejects.toMatchObject({ code: 'precondition-failed' });
    expect((await place.open()).password().password).toBe(FIRST_PASSWORD);
  });
});

describe('a keystore that is lost', () => {
  it.each([
    ['whose file is gone', (folder: string) => rm(join(folder, 'keystore.json')), 'keystore.json is missing'],
    ['whose folder is gone', (folder: string) => rm(folder, { recursive: true }), 'keystore.json is missing'],
    ['whose file is damaged', (folder: string) => writeFile(join(folder, 'keystore.json'), '{"format":1'), 'damaged'],
    ['whose file is empty', (folder: string) => writeFile(join(folder, 'keystore.json'), ''), 'damaged'],
    ['whose server key is gone', (folder: string) => rm(join(folder, 'server.key')), 'server.key is missing'],
    ['whose server key is damaged', (folder: string) => writeFile(join(folder, 'server.key'), 'abc'), 'damaged'],
    [
      'whose server key is another',
      (folder: string) => writeFile(join(folder, 'server.key'), Buffer.alloc(32).toString('base64url')),
      'does not fit',
    ],
  ])('%s stops the start, and is replaced only when told so', async (_what, lose, reason) => {
    const place = await keystorePlace();
    const sealed = (await place.open()).sealer.seal('gone for good');
    await lose(join(place.dataDir, 'security'));

    await expect(place.open()).rejects.toMatchObject({
      code: 'keystore-unusable',
      message: expect.stringContaining(reason),
    });
    const replaced = await place.open({ whenLost: 'replace' });

    expect(() => replaced.sealer.open(sealed)).toThrow();
    expect(place.warnings).toHaveLength(1);
    expect((await place.open()).sealer.open(replaced.sealer.seal('new'))).toBe('new');
  });

  it('of another catalog is not taken', async () => {
    const place = await keystorePlace();
    const other = await keystorePlace();
    await place.open();
    await other.open();
    await rm(join(place.dataDir, 'security'), { recursive: true });
    await mkdir(join(place.dataDir, 'security'));
    for (const name of ['keystore.json', 'server.key']) {
      const content = await readFile(join(other.dataDir, 'security', name));
      await writeFile(join(place.dataDir, 'security', name), content);
    }

    await expect(place.open()).rejects.toThrow('belongs to another catalog');
  });

  it('from an older backup opens with the password it had then, and the catalog notes it', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const path = join(place.dataDir, 'security', 'keystore.json');
    const backup = await readFile(path);
    await keystore.changePassword(ann, { old: FIRST_PASSWORD, next: 'another password' }, noPrecondition);
    await writeFile(path, backup);

    const restored = await place.open();

    expect(restored.password().password).toBe(FIRST_PASSWORD);
    expect((await place.storage.changes(0, 10)).at(-1)).toMatchObject({
      who: 'graticule',
      what: 'take the keystore that was found in the data directory',
    });
  });
});
