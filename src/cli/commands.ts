/** The commands by name, and their help texts. */
import type { Command } from './client/command.ts';
import { commonUsage } from './client/read-task.ts';
import { applyCommand, diffCommand, exportCommand } from './commands/configuration.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { historyCommand, undoCommand } from './commands/history.ts';

export const commands: Readonly<Record<string, Command>> = {
  export: exportCommand,
  diff: diffCommand,
  apply: applyCommand,
  history: historyCommand,
  undo: undoCommand,
  events: eventsCommand,
  doctor: doctorCommand,
};

export function formatHelp(name: string, { usage, summary }: Command): string {
  return `graticule ${name} ${usage}\n    ${summary}\n    Also: ${commonUsage}\n`;
}
