/** Writes an export to a directory that is absent or empty: completely, or not at all. */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFolder } from '../../../lib/files/create-folder.ts';
import { explainFileError } from '../../../lib/problems/file-error.ts';
import { CommandError } from '../../client/command.ts';
import type { Leaving } from '../translate/leaving.ts';
import { openContent } from './stored-files.ts';

/** Only the owner may read files with passwords. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** `shown` is the name on the command line. */
export async function checkDirectory(target: string, shown: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`Cannot use the directory '${shown}': ${explainFileError(error)}.`);
  });
  if (names.length > 0) throw new CommandError(`The directory '${shown}' is not empty. Use another one for --output.`);
}

export async function writeDirectory(target: string, shown: string, leaving: Leaving): Promise<void> {
  const unfinished = `${target}.unfinished`;
  const modes = leaving.withSecrets ? { folder: PRIVATE_FOLDER, file: PRIVATE_FILE } : { folder: 0o777, file: 0o666 };
  try {
    await rm(unfinished, { recursive: true, force: true });
    await createFolder(unfinished, modes.folder);
    for (const [path, content] of leaving.files) {
      const file = join(unfinished, path);
      await mkdir(dirname(file), { recursive: true, mode: modes.folder });
      await pipeline(await openContent(leaving, content), createWriteStream(file, { flags: 'wx', mode: modes.file }));
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Cannot write the directory '${shown}': ${explainFileError(error)}.`);
  }
}
