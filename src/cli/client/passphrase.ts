/** The passphrase of backups and of the secrets in archives. */
import { CommandError, type Task } from './command.ts';

export async function readPassphrase({ world, text }: Pick<Task, 'world' | 'text'>): Promise<string | undefined> {
  const file = text('passphrase-file');
  const passphrase =
    file === undefined
      ? world.environment['GRATICULE_BACKUP_PASSPHRASE']
      : (await world.readFile(file)).toString().replace(/\r?\n$/, '');
  if (passphrase === '') throw new CommandError('The passphrase is empty.');
  return passphrase;
}

/** A header has only characters of ASCII. */
export function createPassphraseHeaders(passphrase: string | undefined): Readonly<Record<string, string>> {
  return passphrase === undefined ? {} : { 'graticule-passphrase': encodeURIComponent(passphrase) };
}
