/**
 * A process that keeps a server alive exactly as long as its starter, and then removes the folder of the server, even
 * if the starter was killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisedServer } from './supervised-server.ts';

/** Well below the timeout of the starter, which kills this process if this fails. */
const STOP_DEADLINE_MS = 10_000;
const LOG_TAIL_CHARACTERS = 2_000;

const supervised = JSON.parse(process.argv[2] ?? '') as SupervisedServer;
const logPath = join(supervised.folder, 'log');
const log = openSync(logPath, 'a');
let running: ChildProcess | undefined;
let ending = false;

function end(): void {
  ending = true;
  running?.kill(supervised.stopSignal);
  setTimeout(() => running?.kill('SIGKILL'), STOP_DEADLINE_MS).unref();
}

/** The exit code; a command that cannot be started counts as failed. */
function run([program, ...options]: readonly [string, ...string[]]): Promise<number> {
  return new Promise((resolve) => {
    running = spawn(program, options, {
      ...supervised.user,
      cwd: supervised.folder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
    });
    running.once('error', (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve(1);
    });
    running.once('exit', (code) => resolve(code ?? 1));
  });
}

// The starter holds the other end of standard input as long as it lives; it never writes.
process.stdin.once('end', end).once('error', end).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
process.stderr.on('error', end);

let exitCode = 0;
for (const command of [...supervised.preparations, supervised.server]) {
  if (ending || exitCode !== 0) break;
  exitCode = await run(command);
}
if (!ending) process.stderr.write(`${readFileSync(logPath, 'utf8').slice(-LOG_TAIL_CHARACTERS)}\n`);
rmSync(supervised.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
process.stdin.destroy();
// Child processes that a killed server leaves behind are in the process group of the keeper.
process.once('exit', () => process.kill(-process.pid, 'SIGKILL'));
