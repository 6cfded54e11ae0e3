/** What the operator hands in as files, because it is secret or long: a password, the server key, certificates. */
import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { getCACertificates } from 'node:tls';
import { parseServerKey } from '../../security/keystore/server-key.ts';
import { password as passwordKind } from './setting-kinds.ts';
import { SettingError, type Settings } from './settings.ts';

export async function readDirectoryAuthorities(file: string | undefined): Promise<readonly string[] | undefined> {
  if (file === undefined) {
    return undefined;
  }
  const content = await readFile(file, 'utf8').catch(() => {
    throw new SettingError(`--ldap-ca-file names '${file}', which cannot be read.`);
  });
  if (!content.includes('-----BEGIN CERTIFICATE-----')) {
    throw new SettingError(`--ldap-ca-file names '${file}', which holds no certificate in PEM form.`);
  }
  return [...getCACertificates('default'), content];
}

export async function readOperatorPassword(settings: Settings): Promise<string | undefined> {
  if (settings.adminPasswordFile === undefined) {
    return settings.adminPassword;
  }
  const content = await readFile(settings.adminPasswordFile, 'utf8').catch(() => {
    throw new SettingError(`--admin-password-file names '${settings.adminPasswordFile}', which cannot be read.`);
  });
  const password = content.replace(/\r?\n$/, '');
  if (passwordKind.parse(password) === undefined) {
    const fault = password === '' ? 'which is empty' : `but ${passwordKind.expected} was expected in it`;
    throw new SettingError(`--admin-password-file names '${settings.adminPasswordFile}', ${fault}.`);
  }
  return password;
}

export async function readOperatorServerKey({ serverKeyFile, serverKey }: Settings): Promise<KeyObject | undefined> {
  if (serverKeyFile === undefined) {
    return serverKey;
  }
  const content = await readFile(serverKeyFile, 'utf8').catch(() => {
    throw new SettingError(`--server-key-file names '${serverKeyFile}', which cannot be read.`);
  });
  const key = parseServerKey(content);
  if (key === undefined) {
    throw new SettingError(`--server-key-file names '${serverKeyFile}', which does not hold 32 bytes in base64.`);
  }
  return key;
}
