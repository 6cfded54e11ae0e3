/** The command that container engines run as their health check. */
import type { Command } from '../client/command.ts';

export const healthCommand: Command = {
  usage: '',
  summary: 'Checks whether the server accepts requests, without a password. Exit code 1 if it does not.',
  operands: [],
  options: {},
  isPublic: true,
  async run({ server, world, flag }) {
    await (await server()).send({ path: '/readyz', isBelowHost: true });
    world.print(flag('json') ? '{"ready":true}\n' : 'The server accepts requests.\n');
    return 0;
  },
};
