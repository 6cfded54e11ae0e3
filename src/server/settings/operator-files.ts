/** Reads the certificate authorities of directories. */
import { readFile } from 'node:fs/promises';
import { getCACertificates } from 'node:tls';
import { SettingError } from './settings.ts';

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
