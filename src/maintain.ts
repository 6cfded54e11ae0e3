/** The command line of operators: `graticule storage …` works on a storage itself, while no server has it open. */
import { runStorageCommand } from './server/maintenance/storage-command.ts';

/** npm runs scripts in the folder of the package, and tells where it was called. */
const folder = process.env['npm_lifecycle_event'] === 'start' ? (process.env['INIT_CWD'] ?? '.') : '.';

process.exitCode = await runStorageCommand(process.argv.slice(3), {
  folder,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
// Threads and connections that were let go of need not be waited for.
setImmediate(() => process.exit());
