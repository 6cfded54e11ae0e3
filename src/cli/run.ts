/** Runs a command and prints failures as one line. */
import { type CommandEnvironment, CommandError } from './client/command.ts';
import { readTask } from './client/read-task.ts';
import { commands, formatHelp, serverCommands } from './commands.ts';

/** Returns the exit code. */
export async function runCommand(words: readonly string[], world: CommandEnvironment): Promise<number> {
  const [name = '', ...rest] = words;
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      const known = [...Object.keys(serverCommands), ...Object.keys(commands)].join(', ');
      // `npm start --port 8081` consumes the flag and passes only its value as an argument.
      const hint = world.environment['npm_lifecycle_event'] === 'start' ? ': npm start -- --port 8081' : '';
      throw new CommandError(
        `Unknown command '${name}'. Commands: ${known}. To start a server, use serve or pass only options${hint}.`,
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

/** Replaces control characters in texts of the server and of files. */
function toOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
