/** The entry point of `graticule check`, `storage`, `restore` and `keystore`, which need no running server. */
import type { MaintenanceEnvironment } from './server/maintenance/storage-command.ts';

/** npm runs scripts in the package folder and passes the caller's folder in INIT_CWD. */
const folder = process.env['npm_lifecycle_event'] === 'start' ? (process.env['INIT_CWD'] ?? '.') : '.';

const world: MaintenanceEnvironment = {
  folder,
  environment: process.env,
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
};
const [name, ...words] = process.argv.slice(2);
if (name === 'check') {
  const { runCheckCommand } = await import('./server/maintenance/check-command.ts');
  process.exitCode = await runCheckCommand(words, world);
} else if (name === 'restore') {
  const { runRestoreCommand } = await import('./server/maintenance/restore-command.ts');
  process.exitCode = await runRestoreCommand(words, world);
} else if (name === 'keystore') {
  const { runKeystoreCommand } = await import('./server/maintenance/keystore-command.ts');
  process.exitCode = await runKeystoreCommand(words, world);
} else {
  const { runStorageCommand } = await import('./server/maintenance/storage-command.ts');
  process.exitCode = await runStorageCommand(words, world);
}
// Exit without waiting for idle threads and connections.
setImmediate(() => process.exit());
