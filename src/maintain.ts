/** The entry point of `graticule check` and `graticule storage …`, which need no running server. */

/** npm runs scripts in the package folder and passes the caller's folder in INIT_CWD. */
const folder = process.env['npm_lifecycle_event'] === 'start' ? (process.env['INIT_CWD'] ?? '.') : '.';

const [, , command, ...words] = process.argv;
const print = (text: string) => void process.stdout.write(text);

if (command === 'check') {
  const { runCheckCommand } = await import('./server/maintenance/check-command.ts');
  process.exitCode = await runCheckCommand(words, { environment: process.env, print });
} else {
  const { runStorageCommand } = await import('./server/maintenance/storage-command.ts');
  const printError = (text: string) => void process.stderr.write(text);
  process.exitCode = await runStorageCommand(words, { folder, print, printError });
}
// Exit without waiting for idle threads and connections.
setImmediate(() => process.exit());
