/**
 * The entry point of the client commands, `graticule <command>`. They use the HTTP interface only and load no server
 * code.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createFolder } from '../lib/files/create-folder.ts';
import { explainFileError } from '../lib/problems/file-error.ts';
import { type CommandEnvironment, CommandError } from './client/command.ts';
import { runCommand } from './run.ts';

/** npm runs scripts in the package folder and passes the caller's folder in INIT_CWD. */
const folder = process.env['npm_lifecycle_event'] === 'start' ? (process.env['INIT_CWD'] ?? '.') : '.';

/** Files that are being written; they can contain secrets. */
const incomplete = new Set<string>();

const world: CommandEnvironment = {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  readFile: (name) =>
    name === '-' ? readStandardInput() : readFile(resolve(folder, name)).catch(createUnusableHandler(name)),
  listFiles: (name) => listFiles(resolve(folder, name)).catch(createUnusableHandler(name)),
  removeFile: (name) => rm(resolve(folder, name)).catch(createUnusableHandler(name)),
  resolvePath: (name) => resolve(folder, name),
  async writeFile(name, pieces, { mode = 0o666, check } = {}) {
    const { randomUUID } = await import('node:crypto');
    const target = resolve(folder, name);
    const half = `${target}.${randomUUID()}`;
    incomplete.add(half);
    try {
      await createFolder(dirname(target), 0o777);
      await pipeline(pieces, createWriteStream(half, { flags: 'wx', mode }));
      await check?.(half);
      await rename(half, target);
    } catch (error) {
      await rm(half, { force: true });
      if (error instanceof CommandError) throw error;
      throw createUnusableHandler(name)(error);
    } finally {
      incomplete.delete(half);
    }
  },
  prompt: process.stdin.isTTY && process.stderr.isTTY ? promptAtTerminal : undefined,
  wait,
};

async function listFiles(root: string): Promise<readonly string[] | undefined> {
  if (!(await stat(root).catch(() => undefined))?.isDirectory()) return undefined;
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !/(?:^|\/)\./.test(name))
    .sort();
}

async function readStandardInput(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return Buffer.concat(pieces);
}

function createUnusableHandler(name: string): (error: unknown) => never {
  return (error) => {
    throw new CommandError(`Cannot use the file '${name}': ${explainFileError(error)}.`);
  };
}

async function promptAtTerminal(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

// Exit quietly when the reader of a pipe closes it.
process.stdout.on('error', () => process.exit(0));
// Exiting runs the handlers that remove temporary files.
process
  .on('SIGINT', () => process.exit(130))
  .on('SIGTERM', () => process.exit(143))
  .on('SIGHUP', () => process.exit(129))
  .on('exit', () => {
    for (const file of incomplete) rmSync(file, { force: true });
  });

// Translating 100,000 layers creates much garbage: a small young generation saves a third of the memory, for 15 % more time.
if (process.argv[2] === 'move-in') setFlagsFromString('--semi-space-growth-factor=1');

process.exitCode = await runCommand(process.argv.slice(2), world);
