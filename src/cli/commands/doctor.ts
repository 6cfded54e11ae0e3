/** The command that checks the health of the server. */
import type { Command } from '../client/command.ts';

const EXIT_UNHEALTHY = 2;

interface Diagnosis {
  readonly healthy: boolean;
  readonly checks: readonly { readonly check: string; readonly ok: boolean; readonly message: string }[];
  readonly problems: readonly { readonly path: string | null; readonly code: string; readonly message: string }[];
}

export const doctorCommand: Command = {
  usage: '[--connect]',
  summary:
    'Checks the health of the server. Exit code 2 if it is unhealthy. --connect also tests the connection of every store.',
  operands: [],
  options: { connect: 'flag' },
  async run({ server, world, flag }) {
    const query = flag('connect') ? [['connect', 'true'] as const] : [];
    const responseText = await (await (await server()).send({ path: '/doctor', query })).text();
    const diagnosis = JSON.parse(responseText) as Diagnosis;
    world.print(flag('json') ? `${responseText.trimEnd()}\n` : formatDiagnosis(diagnosis));
    return diagnosis.healthy ? 0 : EXIT_UNHEALTHY;
  },
};

function formatDiagnosis({ checks, problems }: Diagnosis): string {
  return [
    ...checks.map(({ check, ok, message }) => `${ok ? 'ok' : 'BAD'}  ${check}: ${message}`),
    ...problems.map(({ path, code, message }) => `${path ?? '-'}  ${code}: ${message}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
