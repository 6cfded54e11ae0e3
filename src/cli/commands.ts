/** The commands by name, and their help texts. */
import type { Command } from './client/command.ts';
import { commonUsage } from './client/read-task.ts';
import { backupCommand } from './commands/backup.ts';
import { compareCommand } from './commands/compare.ts';
import { applyCommand, diffCommand, exportCommand } from './commands/configuration.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { healthCommand } from './commands/health.ts';
import { historyCommand, undoCommand } from './commands/history.ts';
import { moveInCommand } from './commands/move-in.ts';
import { rotateKeyCommand } from './commands/rotate-key.ts';
import { tilesCommand } from './commands/tiles.ts';

export const commands: Readonly<Record<string, Command>> = {
  export: exportCommand,
  diff: diffCommand,
  apply: applyCommand,
  compare: compareCommand,
  'move-in': moveInCommand,
  history: historyCommand,
  undo: undoCommand,
  events: eventsCommand,
  doctor: doctorCommand,
  health: healthCommand,
  backup: backupCommand,
  'rotate-key': rotateKeyCommand,
  tiles: tilesCommand,
};

/** Summaries of the commands that run server code instead of sending requests. */
export const serverCommands: Readonly<Record<string, string>> = {
  serve: 'Starts a server. This is the default.',
  check: 'Checks settings, database, disk space and permissions before a start. Exit code 1 if a start would fail.',
  restore: 'Restores a backup into an empty data directory or database.',
  storage: 'Copies or migrates a storage directly.',
  keystore: 'Replaces a lost server key with the help of the keystore password.',
};

export function formatHelp(name: string, { usage, summary }: Command): string {
  return `graticule ${name} ${usage}\n    ${summary}\n    Also: ${commonUsage}\n`;
}
