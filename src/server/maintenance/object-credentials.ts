/** The credentials of object stores for commands, from the variables of a server or the files that they name. */
import type { ObjectStoreCredentials } from '../../storage/objects/location.ts';
import { getCredentials } from '../settings/file-storage.ts';
import { readSecretFiles } from '../settings/secret-files.ts';
import { readSettings } from '../settings/settings.ts';

export async function readCredentials(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStoreCredentials> {
  const names = Object.entries(environment).filter(([name]) => name.startsWith('AWS_'));
  const command = readSettings([], Object.fromEntries(names));
  if (command.kind !== 'run') throw new Error('The credentials could not be read');
  const { settings } = await readSecretFiles(command.settings);
  if (settings.awsAccessKeyId === undefined || settings.awsSecretAccessKey === undefined) {
    throw new Error('an object store requires its credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  return getCredentials(settings);
}
