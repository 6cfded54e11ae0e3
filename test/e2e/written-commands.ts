/** Runs the commands of a documentation page in a shell, and compares the output with the documented one. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/services/free-port.ts';
import { projectFolder } from './server-process.ts';

const run = promisify(execFile);

/** The server address in every page. */
const WRITTEN_URL = 'http://127.0.0.1:8080/geoserver';

/** The address of a proxy in the pages that start one. */
const WRITTEN_PROXY = '127.0.0.1:8090';

/** The administrator password in every page. */
export const WRITTEN_PASSWORD = 'correct horse battery';

export interface CommandBlock {
  /** The line number in its page, from 1. */
  readonly line: number;
  readonly commands: string;
  /** The lines of the `text` block directly after it; none if the page shows no output. */
  readonly output: readonly string[];
}

export interface CommandResult {
  readonly output: string;
  readonly exitCode: number;
}

export interface RunOptions {
  /** The REST root of the server, which replaces the address in the page. */
  readonly url: string;
  /** Where the shell starts. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const fencedBlock = /^(<!-- not run\b.*?-->\n)?```sh\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?/gms;

/** Every `sh` block of a page, except those below `<!-- not run: the reason -->`. */
export async function commandBlocks(page: string): Promise<readonly CommandBlock[]> {
  const text = await readFile(join(projectFolder, page), 'utf8');
  return [...text.matchAll(fencedBlock)]
    .filter(([, notRun]) => notRun === undefined)
    .map(({ index, 2: commands = '', 3: output = '' }) => ({
      line: text.slice(0, index).split('\n').length,
      commands,
      output: output.split('\n').filter((line) => line !== ''),
    }));
}

/** Runs the blocks in one shell, as a reader would; later blocks see the variables of earlier ones. */
export async function runCommands(
  commands: readonly string[],
  { url, folder, environment = {} }: RunOptions,
): Promise<readonly CommandResult[]> {
  const server = url.replace(/\/rest$/, '');
  // Another program of this machine can use the port in the page.
  const proxy = `127.0.0.1:${await freePort('127.0.0.1')}`;
  const script = [
    // Hides the progress meter, and adds a line break where a terminal shows a prompt between two outputs.
    `curl() { command curl --silent --show-error --write-out '\\n' "$@"; }`,
    ...commands.flatMap((each) => [
      each.replaceAll(WRITTEN_URL, server).replaceAll(WRITTEN_PROXY, proxy),
      `printf '\\037%s\\036' "$?"`,
    ]),
  ];
  const { stdout, stderr } = await run('bash', ['--norc', '-u', '-c', script.join('\n')], {
    cwd: folder,
    env: { ...process.env, NO_PROXY: '*', no_proxy: '*', ...environment },
  });
  if (stderr !== '') {
    throw new Error(`The shell complained: ${stderr}`);
  }
  const results = stdout.replaceAll('\r\n', '\n').replaceAll(server, WRITTEN_URL).split('\u001e').slice(0, -1);
  return results.map((each) => {
    const [output = '', exitCode] = each.split('\u001f');
    return { output: output.trimEnd(), exitCode: Number(exitCode) };
  });
}

/** The text before a change number, in every form that occurs. */
const numbered = /(graticule-(?:change|position): |etag: "|"sequence":)(\d+)/gi;

/**
 * Tests whether an output matches the documented one. The page may omit lines, and parts of a line with `…`.
 *
 * All change numbers may differ by the same offset, because the server of a reader has more changes.
 */
export function createComparison(): (shown: readonly string[], output: string) => string | undefined {
  let difference: number | undefined;

  function isLine(shown: string, line: string): boolean {
    const pattern = shown
      .replaceAll(numbered, '$1#')
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('…', '.*');
    if (!new RegExp(`^${pattern}$`).test(line.replaceAll(numbered, '$1#'))) {
      return false;
    }
    const numbers = numbersIn(line);
    return numbersIn(shown).every((number, index) => {
      difference ??= (numbers[index] ?? number) - number;
      return numbers[index] === number + difference;
    });
  }

  /** The first documented line that is missing from the output, in order. */
  return (shown, output) => {
    let rest = output.split('\n');
    return shown.find((line) => {
      const found = rest.findIndex((each) => isLine(line, each));
      rest = rest.slice(found + 1);
      return found === -1;
    });
  };
}

function numbersIn(line: string): readonly number[] {
  return [...line.matchAll(numbered)].map(([, , number]) => Number(number));
}
