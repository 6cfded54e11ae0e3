/** The command that saves a backup of the whole server. */
import { stat } from 'node:fs/promises';
import { type Command, type CommandEnvironment, CommandError } from '../client/command.ts';
import { createPassphraseHeaders, readPassphrase } from '../client/passphrase.ts';

/** Only the owner may read a file that contains all secrets. */
const PRIVATE = 0o600;

export const backupCommand: Command = {
  usage: 'FILE [--since FILE|ID] [--tiles] [--passphrase-file FILE]',
  summary:
    'Saves a backup of the whole server, with secrets, files and history. --since saves only what an earlier backup lacks. ' +
    'GRATICULE_BACKUP_PASSPHRASE or --passphrase-file encrypts it. Exit code 2 if it contains damaged files.',
  operands: ['FILE'],
  options: { since: 'text', tiles: 'flag', 'passphrase-file': 'text' },
  async run(task) {
    const { world, operand, flag } = task;
    const file = operand('FILE');
    const passphrase = await readPassphrase(task);
    const since = await findBaseId(task.text('since'), world, passphrase);
    await checkTarget(file, since, world, passphrase);
    const reply = await (await task.server()).send({
      path: '/backup',
      query: [
        ['since', since],
        ['tiles', flag('tiles') ? 'true' : undefined],
      ],
      headers: {
        accept: 'application/vnd.graticule.backup, application/problem+json;q=0.9',
        ...createPassphraseHeaders(passphrase),
      },
    });
    let [id, position] = ['', 0];
    let damaged: readonly string[] = [];
    await world.writeFile(file, reply.pieces, {
      mode: PRIVATE,
      // A response that broke off has no manifest.
      check: async (path) => {
        ({ id, position, damaged } = await readSummary(path, file, passphrase));
      },
    });
    world.print(
      flag('json') ? `${JSON.stringify({ id, position, damaged })}\n` : `Saved change ${position} as backup ${id}.\n`,
    );
    if (damaged.length === 0) return 0;
    world.printError(
      `graticule: Damaged files in the backup: ${damaged.join(', ')}. 'graticule doctor' shows what they belong to. Replace them with copies from an earlier backup.\n`,
    );
    return 2;
  },
};

/** Fails before the server makes a backup. Without its base, an incremental backup is useless. */
async function checkTarget(
  file: string,
  since: string | undefined,
  world: CommandEnvironment,
  passphrase: string | undefined,
): Promise<void> {
  const found = await stat(world.resolvePath(file)).catch(() => undefined);
  if (found?.isDirectory()) throw new CommandError(`'${file}' is a directory. Name a file.`);
  if (since === undefined) return;
  // The target usually does not exist, or is another backup.
  const present = await readSummary(world.resolvePath(file), file, passphrase).catch(() => undefined);
  if (present?.id === since) throw new CommandError(`The backup would overwrite its base '${file}'. Use another file.`);
}

async function findBaseId(
  since: string | undefined,
  world: CommandEnvironment,
  passphrase: string | undefined,
): Promise<string | undefined> {
  if (since === undefined || /^[0-9a-f]{64}$/.test(since)) return since;
  return (await readSummary(world.resolvePath(since), since, passphrase)).id;
}

async function readSummary(path: string, shown: string, passphrase: string | undefined) {
  const { BackupArchive, UnusableBackup } = await import('../../lib/backup/archive-reader.ts');
  try {
    const archive = BackupArchive.open(path, { passphrase, checksObjects: false });
    const damaged = archive.listDamaged();
    archive.close();
    return { id: archive.id, position: archive.manifest.position, damaged };
  } catch (error) {
    if (!(error instanceof UnusableBackup)) throw error;
    throw new CommandError(`Cannot use the backup '${shown}': ${error.message}.`);
  }
}
