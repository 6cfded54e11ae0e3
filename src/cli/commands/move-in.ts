/** The command that imports the configuration of another server. */
import type { Command } from '../client/command.ts';

export const moveInCommand: Command = {
  usage:
    'SOURCE [--source-user NAME --source-password-file FILE] [--dry-run] [--yes] [--only PATH]... [--rename OLD=NEW]... [--path OLD=NEW]... [--jndi NAME=URL]... [--data refer|copy] [--output FILE.zip [--with-secrets]] [--report FILE] [--master-password-file FILE] [--secrets FILE] [--add-url-checks] [--open-rest-rules] [--strict] [--allow CODE]... [--prefer source|target] [--delete-missing] [--source-name NAME] [--message TEXT]',
  summary:
    'Imports the configuration of a GeoServer from its data directory, a ZIP archive of it, or its address, with --data copy also the data, as one change. Exit code 5 if something was skipped, 3 if the configuration changed meanwhile.',
  operands: ['SOURCE'],
  options: {
    'dry-run': 'flag',
    yes: 'flag',
    only: 'texts',
    rename: 'texts',
    path: 'texts',
    jndi: 'texts',
    data: ['refer', 'copy'],
    output: 'text',
    'with-secrets': 'flag',
    report: 'text',
    'master-password-file': 'text',
    secrets: 'text',
    'add-url-checks': 'flag',
    'open-rest-rules': 'flag',
    strict: 'flag',
    allow: 'texts',
    prefer: ['source', 'target'],
    'delete-missing': 'flag',
    'source-name': 'text',
    message: 'text',
    'source-user': 'text',
    'source-password-file': 'text',
  },
  async run(task) {
    const { runMoveIn } = await import('../move-in/run/move-in.ts');
    return runMoveIn(task);
  },
};
