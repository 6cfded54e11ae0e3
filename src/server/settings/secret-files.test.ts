import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSecretFiles } from './secret-files.ts';
import { getSetting, readSettings, type Settings, secretNames, toEnvironmentName, toFlagName } from './settings.ts';
import { settingsTable } from './settings-table.ts';

const key = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64url');

function parse(args: readonly string[], environment: Record<string, string> = {}): Settings {
  const command = readSettings(args, environment);
  if (command.kind !== 'run') throw new Error('no settings');
  return command.settings;
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function createFile(content: string, mode = 0o600): Promise<string> {
  const path = join(await createFolder(), 'secret');
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

/** A valid text of each secret. */
const texts: Readonly<Record<(typeof secretNames)[number], string>> = {
  storage: 'postgres://maps:secret@db.example.org/maps',
  adminPassword: ' pass word ',
  serverKey: key,
  previousServerKeys: `${key}\n${otherKey}`,
  backupPassphrase: 'a passphrase',
  awsAccessKeyId: 'AKIDEXAMPLE',
  awsSecretAccessKey: 'a secret key',
  awsSessionToken: 'a session token',
};

describe('secrets in files', () => {
  it('every password or key is a secret with a setting for its file', () => {
    const named = Object.keys(settingsTable).filter((name) =>
      /password$|passphrase$|key$|keys$|keyId$|secret$|token$/i.test(name),
    );
    // The private key of the certificate is a file itself; the others have no secret values.
    const others = ['tlsKey', 'resetAdminPassword', 'queryKeys'];

    expect(named.filter((name) => !others.includes(name)).sort()).toEqual(
      secretNames.filter((name) => name !== 'storage').toSorted(),
    );
    for (const name of secretNames) expect(settingsTable).toHaveProperty(`${name}File`);
  });

  it.each(secretNames)(
    '%s is read from its file, named by a flag or a variable, without the last line break',
    async (name) => {
      const value = getSetting(name).kind.parse(texts[name]);
      for (const ending of ['', '\n', '\r\n']) {
        const path = await createFile(`${texts[name]}${ending}`);
        const written = parse([`--${toFlagName(`${name}File`)}`, path]);
        expect(parse([], { [toEnvironmentName(`${name}File`)]: path })).toEqual(written);

        const { settings, warnings } = await readSecretFiles(written);

        expect(settings).toEqual({ ...written, [name]: value, [`${name}File`]: undefined });
        expect(warnings).toEqual([]);
      }
    },
  );

  it.each(secretNames)('%s is rejected beside its file, without being shown', async (name) => {
    const path = await createFile(texts[name]);
    const written = parse([`--${toFlagName(`${name}File`)}`, path], { [toEnvironmentName(name)]: texts[name] });

    const refusal = await readSecretFiles(written).catch(String);

    expect(refusal).toMatch(/^SettingError: \S+ and --\S+-file are both set\. Remove one of them\.$/);
    expect(refusal).not.toContain(texts[name]);
  });

  it('invalid, empty, large and missing files are rejected without their content', async () => {
    const refuse = async (flag: string, path: string) =>
      String(await readSecretFiles(parse([flag, path])).catch(String));
    const short = await createFile('hush');
    const empty = await createFile('\n');
    const large = await createFile('x'.repeat(65_537));
    const folder = await createFolder();

    expect(await refuse('--admin-password-file', short)).toBe(
      `SettingError: --admin-password-file '${short}' is invalid. Expected a password of at least 8 characters.`,
    );
    expect(await refuse('--storage-file', short)).not.toContain('hush');
    expect(await refuse('--backup-passphrase-file', empty)).toBe(
      `SettingError: --backup-passphrase-file '${empty}' is empty.`,
    );
    expect(await refuse('--server-key-file', large)).toContain('is larger than 65536 bytes');
    for (const path of [join(folder, 'absent'), folder]) {
      expect(await refuse('--previous-server-keys-file', path)).toBe(
        `SettingError: Cannot read --previous-server-keys-file '${path}'. Check the path and its permissions.`,
      );
    }
  });

  it('a file that all users can read gives a warning, also behind a link', async () => {
    const open = await createFile(key, 0o644);
    const link = join(await createFolder(), 'link');
    await symlink(open, link);
    const groupOnly = await createFile(key, 0o640);

    for (const path of [open, link]) {
      expect((await readSecretFiles(parse(['--server-key-file', path]))).warnings).toEqual([
        `All users of this machine can access --server-key-file '${path}'. Run chmod o-rwx on it.`,
      ]);
    }
    expect((await readSecretFiles(parse(['--server-key-file', groupOnly]))).warnings).toEqual([]);
  });
});
