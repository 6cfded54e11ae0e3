/** The commands for the whole configuration: export, diff, apply. */
import { type Command, CommandError, Refusal, type Request, type Server, type Task } from '../command.ts';
import { type Plan, planText } from '../plan.ts';
import { sentDocument } from '../sent-document.ts';

const CONFIGURATION_MOVED = 3;
const SOMETHING_TO_DO = 2;

export const exportCommand: Command = {
  usage: '[--path P]... [--output FILE]',
  summary: 'Writes the configuration; into FILE.zip with the files of uploaded data.',
  operands: [],
  options: { path: 'texts', output: 'text' },
  async run({ server, world, text, texts, flag }) {
    const output = text('output');
    const query = texts('path').map((path) => ['path', path] as const);
    const isArchive = output?.endsWith('.zip') === true;
    const headers = isArchive ? { accept: 'application/zip, application/problem+json;q=0.9' } : {};
    const reply = await (await server()).send({ path: '/configuration', query, headers });
    if (isArchive) {
      await world.writeFile(output, reply.pieces);
      for (const warning of warningsIn(reply.header('warning'))) world.say(`Warning: ${warning}\n`);
      return 0;
    }
    const told = await reply.text();
    const written = flag('json') ? withNewline(told) : `${JSON.stringify(JSON.parse(told), null, 2)}\n`;
    if (output === undefined) world.print(written);
    else await world.writeFile(output, only(Buffer.from(written)));
    return 0;
  },
};

export const diffCommand: Command = {
  usage: 'FILE [--mode merge|mirror] [--path P]...',
  summary: 'Tells what an apply of FILE would do; ends with 2 if that is something.',
  operands: ['FILE'],
  options: { mode: 'text', path: 'texts' },
  async run(task) {
    const body = await sentDocument(task.operand('FILE'), task.world);
    const { told, plan } = await send(await task.server(), task, { path: '/configuration/diff', body });
    task.world.print(task.flag('json') ? withNewline(told) : planText(plan));
    return plan.steps.length === 0 ? 0 : SOMETHING_TO_DO;
  },
};

export const applyCommand: Command = {
  usage: 'FILE [--mode merge|mirror] [--path P]... [--yes] [--dry-run] [--message TEXT]',
  summary: 'Shows the plan, asks, and applies exactly that; ends with 3 if the configuration moved in between.',
  operands: ['FILE'],
  options: { mode: 'text', path: 'texts', yes: 'flag', 'dry-run': 'flag', message: 'text' },
  async run(task) {
    const { world, flag } = task;
    const isDry = flag('dry-run');
    const ask = confirmation(task, isDry || flag('yes'));
    const body = await sentDocument(task.operand('FILE'), world, task.text('message'));
    const server = await task.server();
    const { plan } = await send(server, task, { path: '/configuration/diff', body });
    const show = flag('json') ? world.say : world.print;
    show(planText(plan));
    if (plan.steps.length > 0 && !(await ask())) {
      throw new CommandError('Nothing was applied.');
    }
    const done = await send(server, task, {
      path: '/configuration/apply',
      query: isDry ? [['dryRun', 'true']] : [],
      headers: { 'if-match': `"${plan.hash}"` },
      body,
    }).catch((error: unknown) => {
      throw movedOr(error);
    });
    world.print(flag('json') ? withNewline(done.told) : outcomeText(done.plan, isDry));
    return 0;
  },
};

/** The texts of Warning headers (RFC 7234, 5.5). */
function warningsIn(header = ''): readonly string[] {
  return [...header.matchAll(/199 - "([^"]*)"/g)].map(([, text = '']) => text);
}

/** Whether it may be done: settled already, or asked at the terminal. */
function confirmation({ world, operand }: Task, isSettled: boolean): () => Promise<boolean> {
  if (isSettled) return async () => true;
  const { ask } = world;
  if (ask === undefined || operand('FILE') === '-') {
    throw new CommandError('There is no terminal to ask at: say --yes to apply without being asked.');
  }
  return async () => /^y(?:es)?$/i.test((await ask('Apply this? [y/N] ')).trim());
}

function outcomeText({ change }: Plan, isDry: boolean): string {
  if (isDry) return 'Nothing was changed: this was a dry run.\n';
  return change === null ? 'Nothing had to be changed.\n' : `Applied as change ${change}.\n`;
}

async function send(
  server: Server,
  { text, texts }: Task,
  request: Request,
): Promise<{ readonly told: string; readonly plan: Plan }> {
  const scope = texts('path').map((path) => ['path', path] as const);
  const query = [['mode', text('mode')] as const, ...scope, ...(request.query ?? [])];
  try {
    const told = await (await server.send({ ...request, method: 'POST', query })).text();
    return { told, plan: JSON.parse(told) as Plan };
  } catch (error) {
    throw error instanceof Refusal ? withComplaints(error) : error;
  }
}

/** Every complaint about a document, a line each. */
function withComplaints(refusal: Refusal): Error {
  const { errors } = refusal.members;
  if (refusal.code !== 'configuration-invalid' || !Array.isArray(errors)) return refusal;
  const further = errors.map((each: Readonly<Record<string, unknown>>) => {
    const field = each['field'] === undefined ? '' : ` ${String(each['field'])}`;
    return `  ${String(each['path'])}${field}: ${String(each['message'])} (${String(each['code'])})`;
  });
  return new CommandError(refusal.message, { further });
}

function movedOr(error: unknown): unknown {
  return error instanceof Refusal && error.status === 412
    ? new CommandError(error.message, { exitCode: CONFIGURATION_MOVED })
    : error;
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
