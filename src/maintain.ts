/** The entry point of `graticule storage …`, which works on a storage directly while no server has it open. */
import { runStorageCommand } from './server/maintenance/storage-command.ts';

/** npm runs scripts in the package folder and passes the caller's folder in INIT_CWD. */
const folder = process.env['npm_lifecycle_event'] === 'start' ? (process.env['INIT_CWD'] ?? '.') : '.';

process.exitCode = await runStorageCommand(process.argv.slice(3), {
  folder,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
// Exit without waiting for idle threads and connections.
setImmediate(() => process.exit());
