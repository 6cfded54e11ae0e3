/** Starts a server under a keeper, so that it ends with the tests, however they end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OrdinaryUser } from './ordinary-user.ts';

const STOP_DEADLINE_MS = 15_000;

export interface SupervisedServer {
  /** Belongs to the server alone; removed with its content when the server ends. */
  readonly folder: string;
  readonly user: OrdinaryUser | undefined;
  /** Commands that must succeed, in order, before the server starts. */
  readonly preparations: readonly (readonly [string, ...string[]])[];
  readonly server: readonly [string, ...string[]];
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
}

export interface ServerHandle {
  /** Rejects with the end of the server log when the server exits unexpectedly. */
  readonly unexpectedEnd: Promise<never>;
  stop(): Promise<void>;
}

export function startSupervisedServer(options: SupervisedServer): ServerHandle {
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('keeper.ts', import.meta.url)), JSON.stringify(options)],
    {
      detached: true, // Ctrl-C reaches the whole group of a terminal; the keeper must survive it to tidy up.
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  let log = '';
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(keeper, 'close');
  const unexpectedEnd = ended.then(() => {
    throw new Error(`the server ended by itself:\n${log.trim()}`);
  });
  unexpectedEnd.catch(() => undefined); // No listener is needed once the server is ready.
  return { unexpectedEnd, stop: () => stop(keeper, ended, options.folder) };
}

async function stop(keeper: ChildProcess, ended: Promise<unknown>, folder: string): Promise<void> {
  const lastResort = setTimeout(() => killGroup(keeper), STOP_DEADLINE_MS);
  keeper.stdin?.end();
  await ended;
  clearTimeout(lastResort);
  rmSync(folder, { recursive: true, force: true });
}

function killGroup(keeper: ChildProcess): void {
  if (keeper.pid !== undefined) process.kill(-keeper.pid, 'SIGKILL');
}
