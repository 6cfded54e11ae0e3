/** Reads settings that are files because they are secret or long: a password, the server key, certificates. */
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
    throw new SettingError(`Cannot read --ldap-ca-file '${file}'. Check the path and its permissions.`);
  });
  if (!content.includes('-----BEGIN CERTIFICATE-----')) {
    throw new SettingError(`--ldap-ca-file '${file}' contains no PEM certificate.`);
  }
  return [...getCACertificates('default'), content];
}

export async function readOperatorPassword(settings: Settings): Promise<string | undefined> {
  if (settings.adminPasswordFile === undefined) {
    return settings.adminPassword;
  }
  const content = await readFile(settings.adminPasswordFile, 'utf8').catch(() => {
    throw new SettingError(
      `Cannot read --admin-password-file '${settings.adminPasswordFile}'. Check the path and its permissions.`,
    );
  });
  const password = content.replace(/\r?\n$/, '');
  if (passwordKind.parse(password) === undefined) {
    const fault = password === '' ? 'is empty' : `is invalid`;
    throw new SettingError(
      `--admin-password-file '${settings.adminPasswordFile}' ${fault}. Expected ${passwordKind.expected}.`,
    );
  }
  return password;
}

export async function readBackupPassphrase(settings: Settings): Promise<string | undefined> {
  const { backupPassphraseFile: file, backupPassphrase } = settings;
  if (file === undefined) return backupPassphrase;
  const content = await readFile(file, 'utf8').catch(() => {
    throw new SettingError(`Cannot read --backup-passphrase-file '${file}'. Check the path and its permissions.`);
  });
  const passphrase = content.replace(/\r?\n$/, '');
  if (passphrase === '') throw new SettingError(`--backup-passphrase-file '${file}' is empty.`);
  return passphrase;
}

export async function readOperatorServerKey({ serverKeyFile, serverKey }: Settings): Promise<KeyObject | undefined> {
  if (serverKeyFile === undefined) {
    return serverKey;
  }
  const content = await readFile(serverKeyFile, 'utf8').catch(() => {
    throw new SettingError(`Cannot read --server-key-file '${serverKeyFile}'. Check the path and its permissions.`);
  });
  const key = parseServerKey(content);
  if (key === undefined) {
    throw new SettingError(`--server-key-file '${serverKeyFile}' is invalid. Expected 32 bytes in base64.`);
  }
  return key;
}
