/** Runs a command, and says in one line what went wrong. */
import { type CommandEnvironment, CommandError } from './client/command.ts';
import { readTask } from './client/read-task.ts';
import { commands, formatHelp } from './commands.ts';

/** Gives the exit code. */
export async function runCommand(words: readonly string[], world: CommandEnvironment): Promise<number> {
  const [name = '', ...rest] = words;
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      const known = [...Object.keys(commands), 'storage'].join(', ');
      // npm takes the settings of a server for its own, and leaves their values.
      const hint = world.environment['npm_lifecycle_event'] === 'start' ? ': npm start -- --port 8081' : '';
      throw new CommandError(
        `There is no command '${name}'; there are ${known}, and without one a server is started${hint}.`,
      );
    }
    const task = readTask(name, command, rest, world);
    if (task.flag('help')) {
      world.print(formatHelp(name, command));
      return 0;
    }
    return await command.run(task);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    world.printError([`graticule: ${error.message}`, ...error.further].map((line) => `${toOneLine(line)}\n`).join(''));
    return error.exitCode;
  }
}

/** What the server and files say may hold anything. */
function toOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
