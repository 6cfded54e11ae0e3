/** Runs a command, and says in one line what went wrong. */
import { CommandError, type World } from './command.ts';
import { commands, helpFor } from './commands.ts';
import { readTask } from './read-task.ts';

/** Gives the exit code. */
export async function runCommand(words: readonly string[], world: World): Promise<number> {
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
      world.print(helpFor(name, command));
      return 0;
    }
    return await command.run(task);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    world.say([`graticule: ${error.message}`, ...error.further].map((line) => `${oneLine(line)}\n`).join(''));
    return error.exitCode;
  }
}

/** What the server and files say may hold anything. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
