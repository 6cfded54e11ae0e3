/** Parses the arguments of a command, and opens the server they name. */
import { parseArgs } from 'node:util';
import { explainArgumentError } from '../../lib/text/argument-error.ts';
import { type Command, type CommandEnvironment, CommandError, type ServerClient, type Task } from './command.ts';

/** Options of every command. */
const commonOptions = {
  url: 'text',
  user: 'text',
  'password-file': 'text',
  json: 'flag',
  help: 'flag',
} as const satisfies Command['options'];

export const commonUsage = '[--url URL] [--user NAME] [--password-file FILE] [--json]';

/** The address of a server with default settings. */
const DEFAULT_URL = 'http://127.0.0.1:8080/geoserver/rest';

/** The address of a server on this machine that has the same environment, as in a container. */
function findLocalUrl({ environment }: CommandEnvironment): string {
  const url = new URL(DEFAULT_URL);
  if (environment['GRATICULE_TLS_CERT']) url.protocol = 'https:';
  url.port = environment['GRATICULE_PORT'] ?? '8080';
  const path = environment['GRATICULE_CONTEXT_PATH'] ?? '/geoserver';
  return new URL(`${path.replace(/\/+$/, '')}/rest`, url).href;
}

const DEFAULT_USER = 'admin';

export function readTask(name: string, command: Command, words: readonly string[], world: CommandEnvironment): Task {
  const { values, positionals } = parseCommandLine(name, command, words);
  const { operands } = command;
  if (values['help'] !== true) checkOperands(name, command, positionals);
  checkChoices(command, values);
  const text = (option: string) => {
    const value = values[option];
    return typeof value === 'string' ? value : undefined;
  };
  let server: Promise<ServerClient> | undefined;
  return {
    world,
    operand: (wanted) => positionals[operands.indexOf(wanted)] ?? '',
    text,
    texts: (option) => {
      const value = values[option];
      return typeof value === 'object' ? value.map(String) : [];
    },
    flag: (option) => values[option] === true,
    server: () => {
      server ??= openServer(text, command, world);
      return server;
    },
  };
}

/** Parsed options: repeated options are lists, flags are booleans. */
type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

function parseCommandLine(
  name: string,
  command: Command,
  words: readonly string[],
): { values: Values; positionals: readonly string[] } {
  const kinds: Command['options'] = { ...commonOptions, ...command.options };
  const options = Object.fromEntries(
    Object.entries(kinds).map(([option, kind]) => [
      option,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), multiple: kind === 'texts' },
    ]),
  );
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new CommandError(`${explainArgumentError(error)}. Run \`graticule ${name} --help\` for the options.`);
  }
}

function checkOperands(name: string, { operands, usage }: Command, given: readonly string[]): void {
  const required = operands.filter((operand) => !operand.startsWith('['));
  if (given.length < required.length || given.length > operands.length) {
    throw new CommandError(`Wrong number of arguments. Usage: graticule ${name} ${usage}`);
  }
}

function checkChoices({ options }: Command, values: Values): void {
  for (const [option, kind] of Object.entries(options)) {
    const value = values[option];
    if (typeof kind === 'object' && typeof value === 'string' && !kind.includes(value)) {
      throw new CommandError(`Invalid --${option} '${value}'. Use ${kind.join(' or ')}.`);
    }
  }
}

async function openServer(
  text: (option: string) => string | undefined,
  { isPublic }: Command,
  world: CommandEnvironment,
): Promise<ServerClient> {
  const { environment } = world;
  const url = parseServerUrl(text('url') ?? environment['GRATICULE_URL'] ?? findLocalUrl(world));
  const { createServerClient } = await import('./server-client.ts');
  if (isPublic) return createServerClient({ url });
  const user = text('user') ?? environment['GRATICULE_USER'] ?? DEFAULT_USER;
  const file = text('password-file');
  const password = file === undefined ? environment['GRATICULE_PASSWORD'] : await readPassword(file, world);
  if (password === undefined) {
    throw new CommandError(
      'No password is set. Set GRATICULE_PASSWORD, or pass a file that contains it with --password-file.',
    );
  }
  return createServerClient({ url, login: { user, password } });
}

function parseServerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new CommandError(
      `Invalid --url '${text}'. Use the http or https address of a REST root, such as ${DEFAULT_URL}.`,
    );
  }
  if (url.password !== '') {
    throw new CommandError(
      '--url contains a password, which other users of the machine can read. Set GRATICULE_PASSWORD instead.',
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

async function readPassword(file: string, world: CommandEnvironment): Promise<string> {
  return (await world.readFile(file)).toString().replace(/\r?\n$/, '');
}
