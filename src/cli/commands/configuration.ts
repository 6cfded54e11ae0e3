/** The commands for the whole configuration: export, diff, apply. */
import {
  type Command,
  CommandError,
  type Request,
  ResponseError,
  type ServerClient,
  type Task,
} from '../client/command.ts';
import { createPassphraseHeaders, readPassphrase } from '../client/passphrase.ts';
import { formatPlan, type Plan } from './plan.ts';
import { readRequestDocument } from './request-document.ts';

const DIFF = '/configuration/diff';
const APPLY = '/configuration/apply';

/** The code of the error that lists all errors of a document. */
const INVALID = 'configuration-invalid';

const modes = ['merge', 'mirror'];

const EXIT_CONFIGURATION_CHANGED = 3;
const EXIT_CHANGES_PENDING = 2;

export const exportCommand: Command = {
  usage: '[DIR/] [--path P]... [--output FILE] [--passphrase-file FILE] [--as geoserver [--with-secrets]]',
  summary:
    'Exports the configuration, to DIR/ as one file per resource. FILE.zip also includes the files of uploaded data and, with a passphrase, the secrets. ' +
    '--as geoserver --output DIR|FILE.zip writes a GeoServer data directory. Exit code 5 if it lacks something.',
  operands: ['[DIR/]'],
  options: { path: 'texts', output: 'text', 'passphrase-file': 'text', as: ['geoserver'], 'with-secrets': 'flag' },
  async run(task) {
    const { server, world, operand, text, texts, flag } = task;
    if (text('as') !== undefined) {
      const { exportForGeoserver } = await import('../leave/export-for-geoserver.ts');
      return exportForGeoserver(task);
    }
    if (flag('with-secrets'))
      throw new CommandError('--with-secrets needs --as geoserver. Use --passphrase-file instead.');
    const output = text('output');
    const folder = readFolder(operand('[DIR/]'), output);
    const query = texts('path').map((path) => ['path', path] as const);
    const isArchive = output?.endsWith('.zip') === true;
    const headers = isArchive
      ? {
          accept: 'application/zip, application/problem+json;q=0.9',
          ...createPassphraseHeaders(await readPassphrase(task)),
        }
      : {};
    const reply = await (await server()).send({ path: '/configuration', query, headers });
    if (isArchive) {
      await world.writeFile(output, reply.pieces);
      for (const warning of parseWarnings(reply.header('warning'))) world.printError(`Warning: ${warning}\n`);
      return 0;
    }
    const responseText = await reply.text();
    if (folder !== undefined) {
      const { writeDirectory } = await import('./directory.ts');
      await writeDirectory(folder, JSON.parse(responseText), world);
      return 0;
    }
    const written = flag('json')
      ? ensureNewline(responseText)
      : `${JSON.stringify(JSON.parse(responseText), null, 2)}\n`;
    if (output === undefined) world.print(written);
    else await world.writeFile(output, streamBytes(Buffer.from(written)));
    return 0;
  },
};

export const diffCommand: Command = {
  usage: 'FILE [--mode merge|mirror] [--path P]... [--passphrase-file FILE]',
  summary: 'Shows the changes that applying FILE would make. Exit code 2 if there are any.',
  operands: ['FILE'],
  options: { mode: modes, path: 'texts', 'passphrase-file': 'text' },
  async run(task) {
    const body = await readRequestDocument(task.operand('FILE'), task.world);
    const { responseText, plan } = await sendPlanRequest(await task.server(), task, {
      path: DIFF,
      body,
    });
    task.world.print(task.flag('json') ? ensureNewline(responseText) : formatPlan(plan));
    return plan.steps.length === 0 ? 0 : EXIT_CHANGES_PENDING;
  },
};

export const applyCommand: Command = {
  usage: 'FILE [--mode merge|mirror] [--path P]... [--yes] [--dry-run] [--message TEXT] [--passphrase-file FILE]',
  summary:
    'Shows the plan, asks for confirmation and applies exactly that plan. Exit code 3 if the configuration changed meanwhile.',
  operands: ['FILE'],
  options: { mode: modes, path: 'texts', yes: 'flag', 'dry-run': 'flag', message: 'text', 'passphrase-file': 'text' },
  async run(task) {
    const { world, flag } = task;
    const isDry = flag('dry-run');
    const ask = createConfirmation(task, isDry || flag('yes'));
    const body = await readRequestDocument(task.operand('FILE'), world, task.text('message'));
    const server = await task.server();
    const { plan } = await sendPlanRequest(server, task, { path: DIFF, body });
    const show = flag('json') ? world.printError : world.print;
    show(formatPlan(plan));
    if (plan.steps.length > 0 && !(await ask())) {
      throw new CommandError('Cancelled. Nothing was applied.');
    }
    const done = await sendPlanRequest(server, task, {
      path: APPLY,
      query: isDry ? [['dryRun', 'true']] : [],
      headers: { 'if-match': `"${plan.hash}"` },
      body,
    }).catch((error: unknown) => {
      throw toConfigurationChangedError(error);
    });
    world.print(flag('json') ? ensureNewline(done.responseText) : formatOutcome(done.plan, isDry));
    return 0;
  },
};

function readFolder(operand: string, output: string | undefined): string | undefined {
  if (operand === '') return undefined;
  if (!operand.endsWith('/') || output !== undefined) {
    throw new CommandError(
      `Cannot export to '${operand}'. Use a directory with a slash at the end, such as configuration/, or --output FILE.`,
    );
  }
  return operand;
}

/** The texts of Warning headers (RFC 7234, 5.5). */
function parseWarnings(header = ''): readonly string[] {
  return [...header.matchAll(/199 - "([^"]*)"/g)].map(([, text = '']) => text);
}

/** Returns a function that asks for confirmation at the terminal unless it is already given. */
function createConfirmation({ world, operand }: Task, isSettled: boolean): () => Promise<boolean> {
  if (isSettled) return async () => true;
  const { prompt: ask } = world;
  if (ask === undefined || operand('FILE') === '-') {
    throw new CommandError('Cannot ask for confirmation without a terminal. Use --yes to apply without confirmation.');
  }
  return async () => /^y(?:es)?$/i.test((await ask('Apply these changes? [y/N] ')).trim());
}

function formatOutcome({ change }: Plan, isDry: boolean): string {
  if (isDry) return 'Dry run: nothing was changed.\n';
  return change === null ? 'No changes were necessary.\n' : `Applied as change ${change}.\n`;
}

async function sendPlanRequest(
  server: ServerClient,
  task: Task,
  plain: Request,
): Promise<{ readonly responseText: string; readonly plan: Plan }> {
  const { text, texts } = task;
  const headers = { ...plain.headers, ...createPassphraseHeaders(await readPassphrase(task)) };
  const request: Request = { ...plain, headers };
  const scope = texts('path').map((path) => ['path', path] as const);
  const query = [['mode', text('mode')] as const, ...scope, ...(request.query ?? [])];
  try {
    const responseText = await (await server.send({ ...request, method: 'POST', query })).text();
    return { responseText, plan: JSON.parse(responseText) as Plan };
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    throw addErrorDetails(request.path === DIFF ? await findAllErrors(server, { ...request, query }, error) : error);
  }
}

/** A diff validates only the form of the document; a dry run of the apply reports every error. */
async function findAllErrors(server: ServerClient, request: Request, found: ResponseError): Promise<ResponseError> {
  if (found.code !== INVALID) return found;
  const query = [...(request.query ?? []), ['dryRun', 'true'] as const];
  const all = await server
    .send({ ...request, method: 'POST', path: APPLY, query })
    .then(() => undefined)
    .catch((error: unknown) => error);
  return all instanceof ResponseError && all.code === INVALID ? all : found;
}

/** Adds every error in the document as a line of its own. */
function addErrorDetails(refusal: ResponseError): Error {
  const { errors } = refusal.members;
  if (refusal.code !== INVALID || !Array.isArray(errors)) return refusal;
  const further = errors.map((each: Readonly<Record<string, unknown>>) => {
    const field = each['field'] === undefined ? '' : ` ${String(each['field'])}`;
    return `  ${String(each['path'])}${field}: ${String(each['message'])} (${String(each['code'])})`;
  });
  return new CommandError(refusal.message, { further });
}

function toConfigurationChangedError(error: unknown): unknown {
  return error instanceof ResponseError && error.status === 412
    ? new CommandError(error.message, { exitCode: EXIT_CONFIGURATION_CHANGED })
    : error;
}

function ensureNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
