/** The commands for past changes: history and undo. */
import { type Command, CommandError, ResponseError } from '../client/command.ts';

const EXIT_CONFLICT = 4;

interface Change {
  readonly sequence: number | null;
  readonly at: string;
  readonly who: string;
  readonly what: string;
}

export const historyCommand: Command = {
  usage: '[--path P] [--limit N]',
  summary: 'Lists changes, newest first: number, time, user, description.',
  operands: [],
  options: { path: 'text', limit: 'text' },
  async run({ server, world, text, flag }) {
    const query = [['path', text('path')] as const, ['limit', text('limit')] as const];
    const responseText = await (await (await server()).send({ path: '/history', query })).text();
    const { changes } = JSON.parse(responseText) as { readonly changes: readonly Change[] };
    const lines = changes.map(({ sequence, at, who, what }) => `${sequence}  ${at}  ${who}  ${toOneLine(what)}\n`);
    world.print(flag('json') ? `${responseText.trimEnd()}\n` : lines.join(''));
    return 0;
  },
};

export const undoCommand: Command = {
  usage: 'N [--dry-run]',
  summary: 'Undoes change N and prints the number of the new change. Exit code 4 if later changes conflict.',
  operands: ['N'],
  options: { 'dry-run': 'flag' },
  async run({ server, world, operand, flag }) {
    const number = operand('N');
    if (!/^[1-9]\d*$/.test(number)) {
      throw new CommandError(`Invalid change number '${number}'. Use a number that \`graticule history\` lists.`);
    }
    const isDry = flag('dry-run');
    const query = isDry ? [['dryRun', 'true'] as const] : [];
    const responseText = await (await server())
      .send({ method: 'POST', path: `/history/${number}/undo`, query })
      .then((reply) => reply.text())
      .catch((error: unknown) => {
        throw error instanceof ResponseError && error.code === 'undo-conflict' ? toConflictError(error) : error;
      });
    const { sequence } = JSON.parse(responseText) as Change;
    const message = isDry ? `Dry run: nothing was changed. Change ${number} can be undone.\n` : `${sequence}\n`;
    world.print(flag('json') ? `${responseText.trimEnd()}\n` : message);
    return 0;
  },
};

function toConflictError(refusal: ResponseError): CommandError {
  const { conflicts } = refusal.members;
  const further = Array.isArray(conflicts)
    ? conflicts.map(
        ({ path, change }: Readonly<Record<string, unknown>>) =>
          `  ${String(path ?? '(no path)')}  change ${String(change)}`,
      )
    : [];
  return new CommandError(refusal.message, { exitCode: EXIT_CONFLICT, further });
}

/** Descriptions contain names that clients sent; replace control characters. */
function toOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
