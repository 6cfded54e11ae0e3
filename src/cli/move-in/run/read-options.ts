/** Reads the options of the command. */
import type { Json } from '../../../lib/json/value.ts';
import type { Task } from '../../client/command.ts';
import type { PathReplacement } from '../read/source-paths.ts';
import { type EntryCode, entryCodes, isEntryCode } from '../report/codes.ts';
import { MoveInError } from '../report/move-in-error.ts';
import type { DatabaseAddress, MoveOptions } from '../translate/options.ts';
import { Renames } from '../translate/renames.ts';

export interface CommandOptions {
  readonly isDry: boolean;
  readonly isConfirmed: boolean;
  readonly isStrict: boolean;
  readonly output: string | undefined;
  readonly reportFile: string | undefined;
  readonly allowed: ReadonlySet<EntryCode>;
  readonly message: string | undefined;
  readonly prefersSource: boolean;
  readonly deletesMissing: boolean;
  readonly sourceName: string | undefined;
  /** Without the option, the kind of the source decides. */
  readonly copiesData: boolean | undefined;
  readonly translation: Omit<MoveOptions, 'contextPath' | 'targetUrlChecks' | 'rejections'>;
}

export async function readCommandOptions(task: Task): Promise<CommandOptions> {
  const { world, text, texts, flag } = task;
  const output = text('output');
  if (output !== undefined && !output.endsWith('.zip')) {
    throw new MoveInError('option-invalid', `Invalid --output '${output}'. Use a file name that ends in .zip.`);
  }
  if (flag('with-secrets') && output === undefined) {
    throw new MoveInError('option-invalid', '--with-secrets requires --output.');
  }
  return {
    isDry: flag('dry-run'),
    isConfirmed: flag('yes'),
    isStrict: flag('strict'),
    output,
    reportFile: text('report'),
    allowed: new Set(texts('allow').map(parseCode)),
    message: text('message'),
    prefersSource: text('prefer') === 'source',
    deletesMissing: flag('delete-missing'),
    sourceName: text('source-name'),
    copiesData: text('data') === undefined ? undefined : text('data') === 'copy',
    translation: {
      only: texts('only').map(parseScope),
      renames: new Renames(texts('rename')),
      paths: texts('path').map(parseReplacement),
      databases: new Map(texts('jndi').map(parseDatabase)),
      secrets: await readSecrets(task),
      keepsPlaceholders: output !== undefined,
      withSecrets: flag('with-secrets'),
      environment: world.environment,
      addsUrlChecks: flag('add-url-checks'),
      opensRestRules: flag('open-rest-rules'),
      masterPassword: await readPasswordFile(task, 'master-password-file'),
    },
  };
}

function parseCode(code: string): EntryCode {
  if (isEntryCode(code)) return code;
  throw new MoveInError(
    'option-invalid',
    `Unknown code --allow '${code}'. Codes: ${Object.keys(entryCodes).join(', ')}.`,
  );
}

/** Paths with and without encoded characters mean the same. */
function parseScope(path: string): string {
  const segments = path.split('/').slice(1);
  if (!path.startsWith('/')) {
    throw new MoveInError('option-invalid', `Invalid --only '${path}'. Use a path such as /workspaces/acme.`);
  }
  const decode = (segment: string) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  };
  return segments
    .filter((segment) => segment !== '')
    .map((segment) => `/${encodeURIComponent(decode(segment))}`)
    .join('');
}

function parseReplacement(text: string): PathReplacement {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) {
    throw new MoveInError('option-invalid', `Invalid --path '${text}'. Use OLD=NEW, such as /mnt/gis=/srv/data.`);
  }
  return { from: text.slice(0, at), to: text.slice(at + 1) };
}

function parseDatabase(text: string): readonly [string, DatabaseAddress] {
  const at = text.indexOf('=');
  const url = URL.parse(text.slice(at + 1));
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '');
  if (at < 1 || url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hostname === '' || database === '') {
    // The text can contain a password.
    const name = at < 1 ? '' : ` '${text.slice(0, at)}'`;
    throw new MoveInError('option-invalid', `Invalid --jndi${name}. Use NAME=postgres://USER@HOST:PORT/DATABASE.`);
  }
  if (url.password !== '') {
    throw new MoveInError(
      'option-invalid',
      `--jndi '${text.slice(0, at)}' contains a password, which other users of the machine can read. Use --secrets instead.`,
    );
  }
  const user = decodeURIComponent(url.username);
  return [text.slice(0, at), { host: url.hostname, port: url.port || '5432', database, user }];
}

async function readSecrets({ world, text }: Task): Promise<MoveOptions['secrets']> {
  const file = text('secrets');
  if (file === undefined) return new Map();
  const content = (await world.readFile(file)).toString();
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    // The message of the parser quotes the text, which contains secrets.
    throw new MoveInError('option-invalid', `The file '${file}' of --secrets is not JSON.`);
  }
  if (!isObject(document) || !Object.values(document).every(isObject)) {
    const form = '{"/workspaces/acme/datastores/roads": {"passwd": "…"}}';
    throw new MoveInError('option-invalid', `The file '${file}' of --secrets has another form than ${form}.`);
  }
  return new Map(Object.entries(document).map(([path, fields]) => [path, fields as Readonly<Record<string, Json>>]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export async function readPasswordFile({ world, text }: Task, option: string): Promise<string | undefined> {
  const file = text(option);
  return file === undefined ? undefined : (await world.readFile(file)).toString().replace(/\r?\n$/, '');
}
